package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Simulates points of a grid at the same time. The results do not depend on the threads. */
public final class SweepRunner {
  private final int threads;
  private final Simulator simulator;

  /**
   * Creates a runner.
   *
   * @param threads the number of threads, at least 1
   * @param simulator simulates a point; thread-safe
   */
  public SweepRunner(int threads, Simulator simulator) {
    this.threads = threads;
    this.simulator = simulator;
  }

  /** Simulates points; thread-safe. */
  @FunctionalInterface
  public interface Simulator {
    /** {@return the result of a point, empty if it was interrupted} */
    Optional<PointResult> simulate(int point);
  }

  /**
   * {@return the results of these points, in their order, without those that were interrupted}
   *
   * <p>If a simulation fails, those that have begun end and no others begin.
   */
  public ImmutableList<PointResult> run(List<Integer> points) {
    List<Callable<Optional<PointResult>>> tasks = new ArrayList<>();
    points.forEach(point -> tasks.add(() -> simulator.simulate(point)));
    return ParallelTasks.run(threads, "sweep", tasks).stream()
        .flatMap(Optional::stream)
        .collect(ImmutableList.toImmutableList());
  }
}
