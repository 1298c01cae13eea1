package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import java.util.List;

/**
 * The settings that the search for victims depends on.
 *
 * @param fairStrategies the strategies of fair sharing, none without fair sharing
 * @param fairWithinNominal whether under fair sharing a queue within nominal quota preempts without
 *     comparing shares
 * @param countsPods whether the number of pods is part of what victims must make room for
 * @param strictFairSharing whether each victim of fair sharing is fair against all victims together
 * @param strictBorrowing whether victims of the own queue never make it borrow more
 */
public record PreemptionRules(
    List<FairSharingStrategy> fairStrategies,
    boolean fairWithinNominal,
    boolean countsPods,
    boolean strictFairSharing,
    boolean strictBorrowing) {
  private static final List<FairSharingStrategy> BOTH_STRATEGIES = ImmutableList.of(
      FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
      FairSharingStrategy.LESS_THAN_INITIAL_SHARE);

  /** {@return these settings of an engine} */
  public static PreemptionRules of(Settings settings) {
    return new PreemptionRules(
        settings
            .fairSharing()
            .map(given -> given.isEmpty() ? BOTH_STRATEGIES : given)
            .orElse(ImmutableList.of()),
        settings.isEnabled(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL),
        settings.includes(KueueFix.PODS_IN_SEARCHES_FOR_VICTIMS),
        settings.strictFairSharing(),
        settings.strictBorrowing());
  }

  /** {@return whether a setting refuses victims that Kueue would preempt} */
  boolean isStrict() {
    return strictFairSharing || strictBorrowing;
  }

  /** {@return whether quota is shared fairly} */
  public boolean fairSharing() {
    return !fairStrategies.isEmpty();
  }
}
