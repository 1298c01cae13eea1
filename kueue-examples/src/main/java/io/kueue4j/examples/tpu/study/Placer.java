package io.kueue4j.examples.tpu.study;

/** Places slices on one machine, in one way. Knows what it has placed. */
interface Placer {
  /** {@return whether the job has been placed} */
  boolean place(StudyJob job);

  /** Frees what a job has that was placed. */
  void end(StudyJob job);

  /** {@return how many running slices were moved so far} */
  default int moves() {
    return 0;
  }

  /** {@return the chips of all slices that were moved so far} */
  default long movedChips() {
    return 0;
  }
}
