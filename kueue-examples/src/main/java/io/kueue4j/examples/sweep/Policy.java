package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.examples.simulation.BackfillChoice;
import io.kueue4j.examples.simulation.InputFile;
import java.time.Duration;
import java.util.Optional;

/**
 * How a configuration is to decide; what is absent stays as configured.
 *
 * @param name the name
 * @param files manifests that replace or add objects
 * @param fairSharing whether quota is shared fairly
 * @param usageHalfLife the half-life of the usage of LocalQueues
 * @param backfill how starts are promised
 * @param preemptionLimits the limits of preemption, for ClusterQueues without limits of their own
 * @param featureGates feature gates
 * @param mayPreempt whether ClusterQueues may preempt; only to turn it off
 */
public record Policy(
    String name,
    ImmutableList<InputFile> files,
    Optional<Boolean> fairSharing,
    Optional<Duration> usageHalfLife,
    BackfillChoice backfill,
    Optional<PreemptionLimits> preemptionLimits,
    ImmutableMap<FeatureGate, Boolean> featureGates,
    boolean mayPreempt) {
  /** {@return the policy that changes nothing} */
  static Policy asConfigured() {
    return new Policy(
        "as configured",
        ImmutableList.of(),
        Optional.empty(),
        Optional.empty(),
        BackfillChoice.none(),
        Optional.empty(),
        ImmutableMap.of(),
        true);
  }
}
