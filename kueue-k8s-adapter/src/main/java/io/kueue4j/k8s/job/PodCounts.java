package io.kueue4j.k8s.job;

import com.google.common.primitives.Ints;
import java.util.Optional;

/**
 * Multiplies numbers of jobs, hosts and pods. A product beyond 32 bits is a violation of the job;
 * until that is reported, the largest integer stands for it.
 */
final class PodCounts {
  private PodCounts() {}

  /** {@return {@code groups} times {@code pods}, both 0 or more; at most the largest integer} */
  static int product(int groups, int pods) {
    return Ints.saturatedCast((long) groups * pods);
  }

  /** {@return the problem with the product, empty if there is none} */
  static Optional<String> problem(int groups, int pods) {
    return (long) groups * pods > Integer.MAX_VALUE
        ? Optional.of(groups + " times " + pods + " pods; expected at most " + Integer.MAX_VALUE
            + " pods in all")
        : Optional.empty();
  }
}
