package io.kueue4j.core.simulation;

import java.time.Instant;

/**
 * Follows a simulation while it runs, and may end it.
 *
 * <pre>{@code
 * SimulationResult result = simulation.run(status -> {
 *   bar.show(status.endedJobs(), status.jobs());
 *   return !interrupted.get();
 * });
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SimulationProgress {
  /** Reports nothing and never ends a simulation. */
  SimulationProgress NONE = status -> true;

  /**
   * Receives the status of a simulation, about every thousand events and at the end.
   *
   * @param status the status
   * @return whether to go on; if false, the simulation ends with the results so far
   */
  boolean proceed(Status status);

  /**
   * Receives the kind of calls of the engine that follow, until the next call of this method, so
   * that a caller can measure them; does nothing unless overridden.
   */
  default void enter(Phase phase) {}

  /**
   * A kind of calls of the engine.
   *
   * @since 0.1.0
   */
  enum Phase {
    /** Workloads are submitted. */
    SUBMISSIONS,
    /** Cycles run. */
    CYCLES,
    /** Everything else is reported to the engine: ends and stops of jobs, answers, changes. */
    REPORTS,
    /** The engine is not called any more. */
    DONE
  }

  /**
   * How far a simulation is.
   *
   * @param time the virtual time
   * @param events the number of events so far
   * @param endedJobs the number of jobs that have ended
   * @param jobs the number of jobs of the trace
   * @since 0.1.0
   */
  record Status(Instant time, long events, int endedJobs, int jobs) {}
}
