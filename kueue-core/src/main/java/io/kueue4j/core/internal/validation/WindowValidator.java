package io.kueue4j.core.internal.validation;

import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.CapacityWindow.KeptAmount;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validates a capacity window.
 *
 * <p>Rules: PS-10.
 */
final class WindowValidator {
  private WindowValidator() {}

  /**
   * Adds all violations of {@code window}.
   *
   * @param backfills whether the settings let the engine plan ahead
   */
  static void validate(CapacityWindow window, boolean backfills, Violations violations) {
    violations.check(
        backfills,
        "",
        "not usable without backfill in the settings; set Settings.backfill (--backfill), 0 is enough");
    violations.checkName("name", window.name());
    violations.check(
        window.start().isBefore(window.end()),
        "end",
        "%s; expected a time after the start, %s",
        window.end(),
        window.start());
    boolean keepsAmounts = window.clusterQueue().isPresent();
    window.clusterQueue().ifPresent(queue -> violations.checkName("clusterQueue", queue));
    violations.check(
        keepsAmounts != !window.nodeLabels().isEmpty(),
        "clusterQueue",
        keepsAmounts
            ? "given with nodeLabels; expected one of both"
            : "missing; expected a ClusterQueue with amounts, or nodeLabels");
    violations.checkLabels("nodeLabels", window.nodeLabels());
    violations.check(
        keepsAmounts != window.amounts().isEmpty(),
        "amounts",
        keepsAmounts
            ? "empty; expected at least one amount of the ClusterQueue"
            : "given without a clusterQueue; expected none");
    validateAmounts(window.amounts(), violations);
    validateBeneficiaries(window, violations);
  }

  private static void validateAmounts(List<KeptAmount> amounts, Violations violations) {
    Set<String> pairs = new HashSet<>();
    for (int i = 0; i < amounts.size(); i++) {
      KeptAmount kept = amounts.get(i);
      String field = "amounts[" + i + "]";
      violations.check(
          kept.amount() > 0 && !Amount.isUnlimited(kept.amount()),
          field + ".amount",
          "%s; expected more than 0, and less than 2^63 - 1",
          kept.amount());
      violations.check(
          pairs.add(kept.flavor() + "/" + kept.resource()),
          field,
          "%s of %s a second time; keep one",
          kept.resource(),
          kept.flavor());
    }
  }

  private static void validateBeneficiaries(CapacityWindow window, Violations violations) {
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < window.workloads().size(); i++) {
      WorkloadId id = window.workloads().get(i);
      String field = "workloads[" + i + "]";
      violations.checkLabel(field + ".namespace", id.namespace());
      violations.checkName(field + ".name", id.name());
      checkOnce(seen.add(id), field, id, violations);
    }
    seen.clear();
    for (int i = 0; i < window.localQueues().size(); i++) {
      String queue = window.localQueues().get(i);
      String field = "localQueues[" + i + "]";
      int slash = queue.indexOf('/');
      violations.check(slash > 0, field, "\"%s\"; expected namespace/name", queue);
      if (slash > 0) {
        violations.checkLabel(field, queue.substring(0, slash));
        violations.checkName(field, queue.substring(slash + 1));
      }
      checkOnce(seen.add(queue), field, queue, violations);
    }
    seen.clear();
    for (int i = 0; i < window.namespaces().size(); i++) {
      String namespace = window.namespaces().get(i);
      String field = "namespaces[" + i + "]";
      violations.checkLabel(field, namespace);
      checkOnce(seen.add(namespace), field, namespace, violations);
    }
  }

  private static void checkOnce(
      boolean isNew, String field, Object beneficiary, Violations violations) {
    violations.check(isNew, field, "\"%s\" a second time; keep one", beneficiary);
  }
}
