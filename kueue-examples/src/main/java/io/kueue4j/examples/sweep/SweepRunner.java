package io.kueue4j.examples.sweep;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
    ExecutorService executor = Executors.newFixedThreadPool(threads, task -> {
      Thread thread = new Thread(task, "sweep");
      thread.setDaemon(true);
      return thread;
    });
    try {
      List<Future<Optional<PointResult>>> futures = new ArrayList<>();
      points.forEach(point -> futures.add(executor.submit(() -> simulator.simulate(point))));
      ImmutableList.Builder<PointResult> results = ImmutableList.builder();
      for (Future<Optional<PointResult>> future : futures) {
        future.get().ifPresent(results::add);
      }
      return results.build();
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException(cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while simulations run", e);
    } finally {
      executor.shutdownNow();
    }
  }
}
