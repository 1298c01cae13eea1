package io.kueue4j.core.simulation;

/** When the jobs of a run are submitted and how long they run, by the numbers of the jobs. */
interface JobTimes {
  /** {@return when a job is submitted, in milliseconds} */
  long submitMillis(int job);

  /** {@return how long a job runs, in milliseconds; {@code Long.MAX_VALUE} if it never ends} */
  long durationMillis(int job);

  /** {@return the number of jobs that are submitted at their times, whatever happens} */
  int independentCount();

  /** {@return the job that is submitted as number {@code i} of these, in order of time} */
  int independent(int i);
}
