package io.kueue4j.examples.bench;

import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.tpu.Defragmentation;
import io.kueue4j.core.tpu.SliceEviction;
import io.kueue4j.core.tpu.SliceFit;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlanner;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the search for a place for a slice, for victims, and for moves, in fleets where many
 * slices were placed and removed. Each call takes the next of some states and the next shape.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp
public class SliceFitBenchmark {
  private static final int STATES = 64;

  /** The fleet and the requested slices. */
  @Param({
    "POD",
    "POD_ALIGNED",
    "PODS_64",
    "PART_OF_16_CUBES",
    "PART_OF_144_CUBES",
    "PART_OF_1440_CUBES",
    "CUBES_OF_144",
    "TORUS"
  })
  public ChurnedFleets.Kind kind;

  private TpuFleet[] fleets;
  private SliceRequest[] requests;
  private SliceRequest[] large;
  private final SliceFitter fitter = SliceFitter.create();
  private final SlicePlanner planner = SlicePlanner.create();
  private int next;

  /** Creates the benchmark; called by JMH. */
  public SliceFitBenchmark() {}

  /** Places and removes slices. */
  @Setup(Level.Trial)
  public void setUp() {
    Random random = new Random(20_261_121);
    ChurnedFleets churned = new ChurnedFleets(kind, random);
    fleets = new TpuFleet[STATES];
    requests = new SliceRequest[STATES];
    large = new SliceRequest[STATES];
    List<SliceRequest> asked = kind.asked();
    for (int i = 0; i < STATES; i++) {
      fleets[i] = churned.next();
      requests[i] = asked.get(random.nextInt(asked.size()));
      large[i] = kind.large().get(random.nextInt(kind.large().size()));
    }
    checkState(
        Stream.of(fleets).anyMatch(fleet -> fitter.fit(fleet, requests[0]).isPlaced()));
  }

  /** {@return a place, or the fact that there is none} */
  @Benchmark
  public SliceFit fit() {
    next = (next + 1) % STATES;
    return fitter.fit(fleets[next], requests[next]);
  }

  /** {@return the owners to evict for a large slice} */
  @Benchmark
  public Optional<SliceEviction> victims() {
    next = (next + 1) % STATES;
    return planner.cheapestVictims(fleets[next], large[next], String::length);
  }

  /** {@return one or two slices to move for a large slice} */
  @Benchmark
  public Optional<Defragmentation> twoMoves() {
    next = (next + 1) % STATES;
    return planner.defragmentation(fleets[next], large[next], 2, Integer.MAX_VALUE);
  }
}
