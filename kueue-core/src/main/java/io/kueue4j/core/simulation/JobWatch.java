package io.kueue4j.core.simulation;

/** Follows the jobs of a run, by their numbers, and may end it. */
interface JobWatch {
  /** Watches nothing. */
  JobWatch NONE = new JobWatch() {};

  /** Receives the first start of a job. */
  default void started(int job, long time) {}

  /** Receives the end of a job, in whichever way. */
  default void ended(int job, long time) {}

  /** {@return whether the run may end, since nothing else is of interest} */
  default boolean isSatisfied() {
    return false;
  }
}
