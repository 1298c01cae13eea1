package io.kueue4j.examples.topology;

import com.google.common.collect.ImmutableSortedMap;

/**
 * What one job takes of a domain.
 *
 * @param pods the number of its pods there
 * @param amounts what they take together, by resource
 */
public record JobShare(int pods, ImmutableSortedMap<String, Long> amounts) {
  /** {@return both together} */
  JobShare plus(JobShare other) {
    return new JobShare(pods + other.pods, Amounts.sum(amounts, other.amounts));
  }
}
