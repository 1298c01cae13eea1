package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import java.util.Random;

/**
 * One job: a slice for some time.
 *
 * @param number its number in the order of arrival
 * @param arrival when it arrives, in units of the mean duration
 * @param duration how long it runs once it has started, in the same unit
 * @param shape the slice it asks for
 */
record StudyJob(int number, double arrival, double duration, SliceShape shape) {
  /** The spread of durations: the standard deviation of their logarithm. */
  static final double SIGMA = 1.2;

  /**
   * {@return random jobs: Poisson arrivals, durations that are log-normal with mean 1}
   *
   * @param mix what they ask for
   * @param jobsPerUnit how many arrive in a mean duration, on average
   * @param count how many there are
   * @param seed where the random numbers begin; equal seeds give equal jobs on every JVM
   */
  static ImmutableList<StudyJob> stream(JobMix mix, double jobsPerUnit, int count, long seed) {
    Random random = new Random(seed);
    ImmutableList.Builder<StudyJob> jobs = ImmutableList.builderWithExpectedSize(count);
    double now = 0;
    for (int number = 0; number < count; number++) {
      // StrictMath, because Math may differ in the last bit between machines.
      now -= StrictMath.log(1 - random.nextDouble()) / jobsPerUnit;
      double duration = StrictMath.exp(SIGMA * random.nextGaussian() - SIGMA * SIGMA / 2);
      jobs.add(new StudyJob(number, now, duration, mix.draw(random)));
    }
    return jobs.build();
  }
}
