package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.FeatureGate;
import io.kueue4j.core.Settings;
import io.kueue4j.core.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.util.Set;

/** Makes settings. */
final class SettingsGenerator {
  private static final ImmutableList<ImmutableList<FairSharingStrategy>> STRATEGIES =
      ImmutableList.of(
          ImmutableList.of(),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE));

  private SettingsGenerator() {}

  static Settings settings(Dice dice, Set<Feature> features) {
    Settings.Builder settings = Settings.builder();
    if (features.contains(Feature.FAIR_SHARING)) {
      settings.fairSharing(dice.pick(STRATEGIES));
    }
    if (features.contains(Feature.SETTINGS)) {
      for (FeatureGate gate : FeatureGate.values()) {
        if (dice.oneIn(6)) {
          settings.putFeatureGates(gate, !gate.isEnabledByDefault());
        }
      }
      if (dice.oneIn(4)) {
        settings.quotaCheckStrategy(QuotaCheckStrategy.IGNORE_UNDECLARED);
      }
    }
    return settings.build();
  }
}
