package io.kueue4j.core;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FillerOrder;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.PreemptionLimits.ReclaimBackoff;
import io.kueue4j.core.model.PreemptionReason;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Settings for random lives of engines: fair sharing, waiting for pods, gates, and limits of
 * preemption.
 */
final class RandomSettings {
  private static final List<FeatureGate> GATES = List.of(
      FeatureGate.SCHEDULING_EQUIVALENCE_HASHING,
      FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS,
      FeatureGate.PRIORITY_SORTING_WITHIN_COHORT,
      FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS);

  private RandomSettings() {}

  /**
   * Builds random settings.
   *
   * @param settings the initial settings
   * @param podsReady completes the policy of waiting for pods, if there is one
   */
  static Settings build(
      Settings.Builder settings, Random random, Consumer<PodsReadyPolicy.Builder> podsReady) {
    if (random.nextBoolean()) {
      settings.fairSharing();
    }
    if (random.nextBoolean()) {
      settings.admissionFairSharing(AdmissionFairSharing.of(Duration.ofMinutes(1))
          .withUsageSamplingInterval(Duration.ofSeconds(10)));
    }
    if (random.nextInt(3) == 0) {
      PodsReadyPolicy.Builder policy = PodsReadyPolicy.builder()
          .timeout(Duration.ofSeconds(20))
          .backoffBase(Duration.ofSeconds(5))
          .backoffLimitCount(2)
          .blockAdmission(random.nextBoolean());
      podsReady.accept(policy);
      settings.podsReady(policy.build());
    }
    for (FeatureGate gate : GATES) {
      if (random.nextInt(4) == 0) {
        settings.putFeatureGates(gate, !Settings.defaults().isEnabled(gate));
      }
    }
    if (random.nextInt(3) == 0) {
      Backfill backfill = Backfill.ofDepth(random.nextInt(4))
          .withFillerOrder(
              random.nextBoolean() ? FillerOrder.QUEUE_ORDER : FillerOrder.SHORTEST_FIRST);
      settings.backfill(
          random.nextBoolean() ? backfill : backfill.withPromiseAfter(Duration.ofSeconds(60)));
    }
    if (random.nextInt(3) == 0) {
      settings.preemptionLimits(limits(random));
    }
    return settings.build();
  }

  private static PreemptionLimits limits(Random random) {
    PreemptionLimits.Builder limits = PreemptionLimits.builder();
    if (random.nextBoolean()) {
      for (PreemptionReason reason : PreemptionReason.values()) {
        limits.putMinRunTimes(reason, Duration.ofSeconds(random.nextInt(60)));
      }
    }
    for (RateScope scope : RateScope.values()) {
      if (random.nextBoolean()) {
        limits.addRates(new Rate(scope, 1 + random.nextInt(4), Duration.ofMinutes(1)));
      }
    }
    if (random.nextBoolean()) {
      limits.reclaimBackoff(
          new ReclaimBackoff(Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofSeconds(10)));
    }
    return limits.build();
  }
}
