package io.kueue4j.examples.bench;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.HistoryFile;
import io.kueue4j.examples.history.HistoryPlan;
import io.kueue4j.examples.history.QueueMapping;
import io.kueue4j.examples.simulation.InputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the simulation of a log of many jobs in 170 queues, and reading the log. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC"})
@SuppressWarnings("NullAway.Init") // JMH calls setUp
public class SimulationBenchmark {
  private static final int QUEUES = 170;

  /** What the queues have in common. */
  public enum Machine {
    /** Nothing: each queue is a partition with quota of its own. */
    PARTITIONS,
    /** They are in one cohort, in which jobs hardly ever wait. */
    SHARED,
    /** They are in one cohort with so little quota that many jobs wait. */
    CROWDED
  }

  /** The number of jobs. */
  @Param("200000")
  public int jobs;

  /** The machine. */
  @Param({"PARTITIONS", "SHARED", "CROWDED"})
  public Machine machine;

  private Path log;
  private Simulation simulation;

  /** Creates the benchmark; called by JMH. */
  public SimulationBenchmark() {}

  /** Writes the log. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    log = Files.createTempFile("benchmark", ".swf");
    int processors = machine == Machine.CROWDED ? 2_600 : 40_000;
    new GeneratedLog(jobs, QUEUES, machine == Machine.PARTITIONS, processors)
        .write(log, new SplittableRandom(1));
    simulation = read();
  }

  /** Deletes the log. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    Files.delete(log);
  }

  /** {@return the simulation of the log, read anew} */
  @Benchmark
  public Simulation read() {
    HistoryFile.Options options =
        new HistoryFile.Options(Optional.empty(), "cpu", Optional.empty(), Integer.MAX_VALUE);
    HistoryPlan plan = HistoryPlan.of(
        HistoryFile.read(InputFile.of(log), options), ImmutableList.of(), QueueMapping.NONE);
    return Simulation.builder()
        .configuration(plan.configuration())
        .trace(plan.jobs())
        .build();
  }

  /** {@return the result of the simulation} */
  @Benchmark
  public SimulationResult run() {
    return simulation.run();
  }
}
