package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Generates settings. */
final class SettingsGenerator {
  private static final ImmutableList<ImmutableList<FairSharingStrategy>> STRATEGIES =
      ImmutableList.of(
          ImmutableList.of(),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE));

  private static final ImmutableList<Duration> HALF_LIVES = ImmutableList.of(
      Duration.ofSeconds(10),
      Duration.ofMinutes(1),
      Duration.ofMinutes(10),
      Duration.ofHours(1),
      Duration.ofDays(7),
      Duration.ZERO);

  private static final ImmutableList<Duration> SAMPLING_INTERVALS = ImmutableList.of(
      AdmissionFairSharing.DEFAULT_SAMPLING_INTERVAL,
      Duration.ofSeconds(1),
      Duration.ofMillis(2500),
      Duration.ofMinutes(1));

  private static final ImmutableList<Double> RESOURCE_WEIGHTS =
      ImmutableList.of(0.0, 0.3, 1.5, 100.0);

  private static final ImmutableList<RequeuingTimestamp> REQUEUING_TIMESTAMPS = ImmutableList.of(
      RequeuingTimestamp.EVICTION, RequeuingTimestamp.EVICTION, RequeuingTimestamp.CREATION);

  private static final ImmutableList<KueueVersion> VERSIONS =
      ImmutableList.copyOf(KueueVersion.values());

  /** Without all of these, preemption gates and allowed flavors have no effect. */
  private static final ImmutableSet<FeatureGate> PREEMPTION_GATES = Sets.immutableEnumSet(
      FeatureGate.CONCURRENT_ADMISSION, FeatureGate.MULTIKUEUE_ORCHESTRATED_PREEMPTION);

  private SettingsGenerator() {}

  static Settings settings(Dice dice, Set<Feature> features, Optional<KueueVersion> fixedVersion) {
    KueueVersion version = fixedVersion.orElseGet(() ->
        features.contains(Feature.SETTINGS) ? dice.pick(VERSIONS) : KueueVersion.defaultVersion());
    Settings.Builder settings = Settings.builder().kueueVersion(version);
    if (features.contains(Feature.FAIR_SHARING)) {
      settings.fairSharing(dice.pick(STRATEGIES));
    }
    if (features.contains(Feature.ADMISSION_FAIR_SHARING)) {
      settings.admissionFairSharing(admissionFairSharing(dice));
    }
    if (features.contains(Feature.SETTINGS)) {
      settings
          .strictQuota(dice.oneIn(4))
          .strictFairSharing(dice.oneIn(4))
          .strictBorrowing(dice.oneIn(4))
          .holdsQuotaUntilStopped(dice.oneIn(3));
      if (dice.oneIn(4)) {
        settings.quotaCheckStrategy(QuotaCheckStrategy.IGNORE_UNDECLARED);
      }
    }
    if (features.contains(Feature.TOPOLOGY) && features.contains(Feature.SETTINGS)) {
      settings.strictTopology(dice.oneIn(2));
    }
    if (features.contains(Feature.PODS_READY)) {
      settings.podsReady(podsReady(dice));
    }
    for (FeatureGate gate : FeatureGate.values()) {
      if (isFlipped(gate, dice, features)) {
        settings.putFeatureGates(gate, !gate.isEnabledByDefault(version));
      }
    }
    return settings.build();
  }

  private static boolean isFlipped(FeatureGate gate, Dice dice, Set<Feature> features) {
    if (gate == FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS
        && features.contains(Feature.ELASTIC_JOBS)
        && features.contains(Feature.TOPOLOGY)) {
      return !dice.oneIn(3);
    }
    if (features.contains(Feature.GATES) && PREEMPTION_GATES.contains(gate)) {
      return dice.oneIn(2);
    }
    return features.contains(Feature.SETTINGS) && dice.oneIn(5);
  }

  private static PodsReadyPolicy podsReady(Dice dice) {
    PodsReadyPolicy.Builder policy = PodsReadyPolicy.builder()
        .timeout(Duration.ofSeconds(dice.between(1, 5)))
        .blockAdmission(dice.oneIn(3))
        .requeuingTimestamp(dice.pick(REQUEUING_TIMESTAMPS))
        .backoffBase(Duration.ofSeconds(dice.upTo(3)))
        .backoffMax(Duration.ofSeconds(dice.upTo(4)));
    if (dice.oneIn(2)) {
      policy.recoveryTimeout(Duration.ofSeconds(dice.upTo(3)));
    }
    if (dice.oneIn(2)) {
      policy.backoffLimitCount(dice.upTo(2));
    }
    return policy.build();
  }

  private static AdmissionFairSharing admissionFairSharing(Dice dice) {
    AdmissionFairSharing sharing = AdmissionFairSharing.of(dice.pick(HALF_LIVES))
        .withUsageSamplingInterval(dice.pick(SAMPLING_INTERVALS));
    if (dice.oneIn(3)) {
      sharing = sharing.withResourceWeight(QuotaGenerator.GPU, dice.pick(RESOURCE_WEIGHTS));
    }
    return dice.oneIn(3)
        ? sharing.withResourceWeight(QuotaGenerator.CPU, dice.pick(RESOURCE_WEIGHTS))
        : sharing;
  }
}
