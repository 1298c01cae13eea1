package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import java.util.Arrays;
import java.util.Random;

/**
 * One job: a slice for some time.
 *
 * @param number its number in the order of arrival
 * @param arrival its arrival, in units of the mean duration
 * @param duration its run time, in the same unit
 * @param shape the requested slice
 */
record StudyJob(int number, double arrival, double duration, SliceShape shape) {
  /** The spread of durations: the standard deviation of their logarithm. */
  static final double SIGMA = 1.2;

  /**
   * {@return random jobs: Poisson arrivals, durations that are log-normal with mean 1}
   *
   * <p>Afterwards all arrivals are scaled equally, so that the jobs request exactly the intended
   * load: a few long jobs among thousands would otherwise change the load by some percent.
   *
   * @param mix the distribution of slices
   * @param busyChips the average number of busy chips if no job were lost
   * @param count the number of jobs
   * @param seed the seed; equal seeds give equal jobs on every JVM
   */
  static ImmutableList<StudyJob> stream(JobMix mix, double busyChips, int count, long seed) {
    Random random = new Random(seed);
    StudyJob[] jobs = new StudyJob[count];
    double now = 0;
    double work = 0;
    for (int number = 0; number < count; number++) {
      // StrictMath, because Math may differ in the last bit between machines.
      now -= StrictMath.log(1 - random.nextDouble());
      double duration = StrictMath.exp(SIGMA * random.nextGaussian() - SIGMA * SIGMA / 2);
      jobs[number] = new StudyJob(number, now, duration, mix.draw(random));
      work += duration * jobs[number].shape.chips();
    }
    double unit = work / busyChips / now;
    return Arrays.stream(jobs)
        .map(job -> new StudyJob(job.number, job.arrival * unit, job.duration, job.shape))
        .collect(ImmutableList.toImmutableList());
  }
}
