package io.kueue4j.core.simulation;

import java.time.Instant;

/**
 * Receives runs of jobs.
 *
 * @see SimulationResult#forEachRun
 * @since 0.1.0
 */
@FunctionalInterface
public interface JobRunConsumer {
  /**
   * Receives a run.
   *
   * @param job the number of the job, its position in {@link SimulationResult#jobs()}
   * @param startMillis when it was admitted, in milliseconds since the epoch of {@link Instant}
   * @param endMillis when it ended or was stopped, at the latest the end of the simulation
   */
  void accept(int job, long startMillis, long endMillis);
}
