package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.Inactivity;
import java.util.Optional;
import java.util.function.Function;

/**
 * The admission checks that a ClusterQueue requires, resolved by name.
 *
 * <p>Rules: M-12, T-76, T-77, T-78.
 *
 * @param queue the queue
 * @param checks finds the checks by name
 */
record AdmissionCheckRules(ClusterQueue queue, Function<String, Optional<AdmissionCheck>> checks) {
  /** {@return the reasons why the checks of the queue make it inactive, in the order of M-12} */
  ImmutableList<Inactivity> inactivities() {
    if (queue.admissionChecks().isEmpty()) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<Inactivity> found = ImmutableList.builder();
    String subject = "ClusterQueue " + queue.name();
    for (AdmissionCheckRule rule : queue.admissionChecks()) {
      if (checks.apply(rule.name()).isEmpty()) {
        found.add(new Inactivity(
            "AdmissionCheckNotFound",
            subject + " names the AdmissionCheck " + rule.name() + ", which does not exist"));
      }
    }
    for (AdmissionCheckRule rule : queue.admissionChecks()) {
      if (!checks.apply(rule.name()).map(AdmissionCheck::active).orElse(true)) {
        found.add(new Inactivity(
            "AdmissionCheckInactive",
            subject + " names the AdmissionCheck " + rule.name() + ", which is not active"));
      }
    }
    ImmutableList<AdmissionCheckRule> multiKueue = of(AdmissionCheck.MULTI_KUEUE);
    if (multiKueue.size() > 1) {
      found.add(new Inactivity(
          "MultipleMultiKueueAdmissionChecks",
          subject + " names several AdmissionChecks of MultiKueue; keep one"));
    }
    if (multiKueue.stream().anyMatch(rule -> !isForAllFlavors(rule))) {
      found.add(new Inactivity(
          "MultiKueueAdmissionCheckAppliedPerFlavor",
          subject + " asks for an AdmissionCheck of MultiKueue on some flavors only"));
    }
    if (!multiKueue.isEmpty() && !of(AdmissionCheck.PROVISIONING_REQUEST).isEmpty()) {
      found.add(new Inactivity(
          "MultiKueueWithProvisioningRequest",
          subject + " names AdmissionChecks of MultiKueue and of ProvisioningRequests; keep one"
              + " kind"));
    }
    return found.build();
  }

  private ImmutableList<AdmissionCheckRule> of(String controller) {
    return queue.admissionChecks().stream()
        .filter(rule -> checks
            .apply(rule.name())
            .filter(check -> check.controllerName().equals(controller))
            .isPresent())
        .collect(toImmutableList());
  }

  private boolean isForAllFlavors(AdmissionCheckRule rule) {
    return rule.onFlavors().isEmpty() || rule.onFlavors().containsAll(queue.flavors());
  }

  /** {@return whether workloads of the queue are dispatched to other clusters} */
  boolean hasMultiKueue() {
    return !of(AdmissionCheck.MULTI_KUEUE).isEmpty();
  }

  /**
   * {@return whether pods on a flavor are placed only after quota was reserved for their workload,
   * because a check determines their nodes; rule T-76}
   */
  boolean delaysPlacement(String flavor) {
    return hasMultiKueue()
        || of(AdmissionCheck.PROVISIONING_REQUEST).stream()
            .anyMatch(rule -> rule.onFlavors().isEmpty() || rule.onFlavors().contains(flavor));
  }
}
