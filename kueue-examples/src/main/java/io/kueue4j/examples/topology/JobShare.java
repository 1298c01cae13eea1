package io.kueue4j.examples.topology;

import java.util.SortedMap;

/**
 * The usage of one job in a domain.
 *
 * @param pods the number of its pods there
 * @param amounts their total usage, by resource
 */
public record JobShare(int pods, SortedMap<String, Long> amounts) {
  /** {@return the sum of both} */
  JobShare plus(JobShare other) {
    return new JobShare(pods + other.pods, Amounts.sum(amounts, other.amounts));
  }
}
