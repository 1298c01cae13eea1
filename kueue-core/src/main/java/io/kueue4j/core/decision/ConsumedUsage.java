package io.kueue4j.core.decision;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * What a LocalQueue has used over time, as far as it is remembered.
 *
 * <p>Kueue: {@code LocalQueue.status.fairSharing.admissionFairSharingStatus}. Rules: W-9.
 *
 * @param resources the amounts by resource in base units (cores, bytes), with up to nine decimals;
 *     what is not there is 0
 * @param lastUpdate when they were computed
 */
public record ConsumedUsage(ImmutableSortedMap<String, BigDecimal> resources, Instant lastUpdate) {
  /**
   * Creates the value.
   *
   * @throws IllegalArgumentException if an amount is negative
   */
  public ConsumedUsage {
    resources.forEach((resource, amount) -> checkArgument(
        amount.signum() >= 0,
        "the consumed amount of %s is %s; expected 0 or more",
        resource,
        amount));
  }
}
