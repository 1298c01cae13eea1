package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import java.util.List;

/**
 * The settings that the search for victims depends on.
 *
 * @param fairStrategies the strategies of fair sharing, none without fair sharing
 * @param fairWithinNominal whether under fair sharing a queue within nominal quota preempts without
 *     comparing shares
 * @param countsPods whether the number of pods is part of what victims must make room for
 */
public record PreemptionRules(
    List<FairSharingStrategy> fairStrategies, boolean fairWithinNominal, boolean countsPods) {
  /** {@return whether quota is shared fairly} */
  public boolean fairSharing() {
    return !fairStrategies.isEmpty();
  }
}
