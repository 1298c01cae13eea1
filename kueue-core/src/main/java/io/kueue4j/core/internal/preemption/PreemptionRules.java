package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.FairSharingStrategy;

/**
 * The settings that the search for victims depends on.
 *
 * @param fairStrategies the strategies of fair sharing, none without fair sharing
 * @param fairWithinNominal whether under fair sharing a queue within nominal quota preempts without
 *     comparing shares
 */
public record PreemptionRules(
    ImmutableList<FairSharingStrategy> fairStrategies, boolean fairWithinNominal) {
  /** {@return whether quota is shared fairly} */
  public boolean fairSharing() {
    return !fairStrategies.isEmpty();
  }
}
