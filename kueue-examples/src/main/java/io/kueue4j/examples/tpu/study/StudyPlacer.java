package io.kueue4j.examples.tpu.study;

/** Places slices on one machine by one strategy. Stateful. */
interface StudyPlacer {
  /** {@return whether the job has been placed} */
  boolean place(StudyJob job);

  /** Frees the slice of a placed job. */
  void end(StudyJob job);

  /** {@return the number of running slices that were moved so far} */
  default int moves() {
    return 0;
  }

  /** {@return the chips of all slices that were moved so far} */
  default long movedChips() {
    return 0;
  }
}
