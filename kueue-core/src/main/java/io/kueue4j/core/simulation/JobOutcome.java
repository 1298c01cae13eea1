package io.kueue4j.core.simulation;

/**
 * What became of a job of a simulation.
 *
 * @since 0.1.0
 */
public enum JobOutcome {
  /** It was not submitted before the simulation ended. */
  NOT_SUBMITTED,
  /** It was waiting when the simulation ended. */
  WAITING,
  /** It was running when the simulation ended. */
  RUNNING,
  /** It ran to its end. */
  FINISHED,
  /** It was cancelled, by {@link SimulationEvent.Cancel} or {@link SimulationJob#cancelAfter}. */
  CANCELLED,
  /** It was deleted by {@link SimulationEvent.Delete}. */
  DELETED,
  /** The engine deactivated it, because it reached a limit or a check rejected it. */
  DEACTIVATED,
  /** Another elastic slice took its place. */
  REPLACED,
  /** The engine rejected its workload as invalid. */
  REJECTED;

  /** {@return whether the job has ended, by finishing or otherwise} */
  public boolean isEnded() {
    return compareTo(RUNNING) > 0;
  }
}
