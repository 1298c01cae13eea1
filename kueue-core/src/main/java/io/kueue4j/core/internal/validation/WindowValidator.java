package io.kueue4j.core.internal.validation;

import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.CapacityWindow.KeptAmount;
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
    violations.forEach("amounts", amounts, (at, kept) -> {
      at.check(
          kept.amount() > 0 && !Amount.isUnlimited(kept.amount()),
          ".amount",
          "%s; expected more than 0, and less than 2^63 - 1",
          kept.amount());
      at.check(
          pairs.add(kept.flavor() + "/" + kept.resource()),
          "",
          "%s of %s a second time; keep one",
          kept.resource(),
          kept.flavor());
    });
  }

  private static void validateBeneficiaries(CapacityWindow window, Violations violations) {
    Set<Object> seen = new HashSet<>();
    violations.forEach("workloads", window.workloads(), (at, id) -> {
      at.checkLabel(".namespace", id.namespace());
      at.checkName(".name", id.name());
      at.checkNew(seen, id);
    });
    seen.clear();
    violations.forEach("localQueues", window.localQueues(), (at, queue) -> {
      int slash = queue.indexOf('/');
      at.check(slash > 0, "", "\"%s\"; expected namespace/name", queue);
      if (slash > 0) {
        at.checkLabel("", queue.substring(0, slash));
        at.checkName("", queue.substring(slash + 1));
      }
      at.checkNew(seen, queue);
    });
    seen.clear();
    violations.forEach("namespaces", window.namespaces(), (at, namespace) -> {
      at.checkLabel("", namespace);
      at.checkNew(seen, namespace);
    });
  }
}
