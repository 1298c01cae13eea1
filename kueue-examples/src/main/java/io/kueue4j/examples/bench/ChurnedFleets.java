package io.kueue4j.examples.bench;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceFit;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Fleets in which slices come as long as they fit, and go at random; from a seed. */
public final class ChurnedFleets {
  private static final int EVENTS_BETWEEN = 12;

  /** What is churned and what is asked for. */
  public enum Kind {
    /** A pod of 8x8 hosts, slices at any host. */
    POD(pods(1, TpuPool.Alignment.HOST_ALIGNED), "2x2", "2x4", "4x4", "4x8", "8x8", "8x16"),
    /** A pod of 8x8 hosts, aligned slices. */
    POD_ALIGNED(pods(1, TpuPool.Alignment.ALIGNED_IDS), "2x2", "2x4", "4x4", "4x8", "8x8", "8x16"),
    /** 64 such pods, slices at any host. */
    PODS_64(pods(64, TpuPool.Alignment.HOST_ALIGNED), "2x2", "2x4", "4x4", "4x8", "8x8", "8x16"),
    /** Parts of 16 cubes. */
    PART_OF_16_CUBES(cubes(16), "2x2x1", "2x2x2", "2x2x4", "2x4x4"),
    /** Parts of 144 cubes. */
    PART_OF_144_CUBES(cubes(144), "2x2x1", "2x2x2", "2x2x4", "2x4x4"),
    /** Parts of 1,440 cubes. */
    PART_OF_1440_CUBES(cubes(1_440), "2x2x1", "2x2x2", "2x2x4", "2x4x4"),
    /** Whole cubes of 144. */
    CUBES_OF_144(cubes(144), "4x4x4", "4x4x8", "4x8x8"),
    /** A fixed torus of 1,024 hosts, slices at any host, turned as is best. */
    TORUS(
        ImmutableList.of(TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("16x16x16"))
            .withAlignment(TpuPool.Alignment.HOST_ALIGNED)),
        "2x2x2",
        "2x2x4",
        "4x4x4",
        "4x4x8",
        "4x8x8");

    private final ImmutableList<TpuPool> pools;
    private final ImmutableList<String> shapes;

    Kind(ImmutableList<TpuPool> pools, String... shapes) {
      this.pools = pools;
      this.shapes = ImmutableList.copyOf(shapes);
    }

    private static ImmutableList<TpuPool> pods(int pods, TpuPool.Alignment alignment) {
      return IntStream.range(0, pods)
          .mapToObj(pod -> TpuPool.grid(
                  "pod-" + pod, TpuGeneration.V6E, SliceShape.parse("16x16"), 4)
              .withAlignment(alignment))
          .collect(ImmutableList.toImmutableList());
    }

    private static ImmutableList<TpuPool> cubes(int cubes) {
      return ImmutableList.of(TpuPool.cubes("block", TpuGeneration.V7X, cubes));
    }

    /** {@return requests for one slice} */
    List<SliceRequest> asked() {
      return shapes.stream().map(shape -> SliceRequest.of(shape).withTurning()).toList();
    }

    /** {@return requests for a slice that is large for the fleet} */
    List<SliceRequest> large() {
      Stream<String> large = this.name().startsWith("POD")
          ? Stream.of("8x8", "8x16")
          : this == TORUS ? Stream.of("4x8x8", "8x8x8") : Stream.of("4x4x8", "4x8x8");
      return large.map(shape -> SliceRequest.of(shape).withTurning()).toList();
    }
  }

  private final Random random;
  private final SliceFitter fitter = SliceFitter.create();
  private final List<SliceRequest> requests;
  private final List<String> held = new ArrayList<>();
  private TpuFleet fleet;
  private int slices;

  /** Fills a fleet until slices do not fit, and lets them come and go from then on. */
  public ChurnedFleets(Kind kind, Random random) {
    this.random = random;
    this.fleet = TpuFleet.of(kind.pools);
    this.requests = Stream.concat(kind.asked().stream(), mix(kind)).toList();
    int misses = 0;
    while (misses < 3) {
      misses += come() ? 0 : 1;
    }
  }

  /** Of cubes, parts and whole ones are used. */
  private static Stream<SliceRequest> mix(Kind kind) {
    return kind.pools.get(0).kind() == TpuPool.Kind.CUBES_OCS
        ? Stream.of("2x2x1", "2x2x4", "2x4x4", "4x4x4", "4x4x8").map(SliceRequest::of)
        : Stream.of();
  }

  private boolean come() {
    SliceFit fit = fitter.fit(fleet, requests.get(random.nextInt(requests.size())));
    for (SlicePlacement place : fit.slices()) {
      String id = "slice-" + slices++;
      fleet = fleet.allocate(TpuSlice.of(id, place));
      held.add(id);
    }
    return fit.isPlaced();
  }

  /** {@return the fleet some events later} */
  public TpuFleet next() {
    for (int event = 0; event < EVENTS_BETWEEN; event++) {
      if (!held.isEmpty() && random.nextBoolean()) {
        fleet = fleet.release(held.remove(random.nextInt(held.size())));
      } else {
        come();
      }
    }
    return fleet;
  }
}
