package io.kueue4j.core.internal.validation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Validates a single configuration object.
 *
 * <p>The engine validates what depends on other objects, such as a cycle of cohorts.
 *
 * <p>Rules: M-1, M-2, M-7, M-9, M-10, CA-1, T-1, T-2.
 */
public final class ConfigValidator {
  private static final int MAX_FLAVOR_ENTRIES = 8;
  private static final int MAX_CHECKS = 64;
  private static final int MAX_LEVELS = 16;
  private static final String LAST_ACCEPTABLE_FLAVOR =
      "concurrentAdmissionPolicy.lastAcceptableFlavor";
  private static final double MIN_WEIGHT = 1e-9;

  private ConfigValidator() {}

  /**
   * {@return all violations of {@code object}, empty if it is valid}
   *
   * @param maxVariants the maximum number of flavors of a queue with concurrent admission
   * @param backfills whether queues may promise starts
   */
  public static List<Violation> validate(ConfigObject object, int maxVariants, boolean backfills) {
    Violations violations = new Violations("", object.key());
    if (object instanceof ResourceFlavor flavor) {
      validateFlavor(flavor, violations);
    } else if (object instanceof ClusterQueue queue) {
      validateQueue(queue, maxVariants, violations);
      validateBackfill(queue, backfills, violations);
    } else if (object instanceof Cohort cohort) {
      violations.checkName("name", cohort.name());
      cohort.parent().ifPresent(parent -> violations.checkName("parent", parent));
      boolean hasParent = cohort.parent().isPresent();
      new QuotaValidator(cohort.resourceGroups(), false, hasParent, violations).validate();
      validateWeight(cohort.fairSharingWeight(), violations);
    } else if (object instanceof Topology topology) {
      validateTopology(topology, violations);
    } else if (object instanceof TpuPoolSet pools) {
      SliceValidator.validate(pools, violations);
    } else if (object instanceof Node node) {
      validateNode(node, violations);
    } else if (object instanceof LocalQueue queue) {
      violations.checkLabel("namespace", queue.namespace());
      violations.checkName("name", queue.name());
      violations.checkName("clusterQueue", queue.clusterQueue());
      validateWeight(queue.fairSharingWeight(), violations);
    } else if (object instanceof Namespace namespace) {
      violations.checkLabel("name", namespace.name());
    } else if (object instanceof WorkloadPriorityClass priorityClass) {
      violations.checkName("name", priorityClass.name());
    } else if (object instanceof AdmissionCheck check) {
      violations.checkName("name", check.name());
      violations.check(
          !check.controllerName().isEmpty(), "controllerName", "empty; expected a name");
    } else if (object instanceof CapacityWindow window) {
      WindowValidator.validate(window, backfills, violations);
    }
    return violations.found();
  }

  private static void validateBackfill(
      ClusterQueue queue, boolean backfills, Violations violations) {
    int depth = queue.backfillDepth().orElse(0);
    violations.check(depth >= 0, "backfillDepth", "%s; expected 0 or more", depth);
    violations.check(
        backfills || queue.backfillDepth().isEmpty(),
        "backfillDepth",
        "%s without backfill in the settings; expected none, or set Settings.backfill (--backfill)",
        depth);
  }

  private static void validateTopology(Topology topology, Violations violations) {
    violations.checkName("name", topology.name());
    violations.check(
        !topology.levels().isEmpty() && topology.levels().size() <= MAX_LEVELS,
        "levels",
        "%s levels; expected 1 to %s",
        topology.levels().size(),
        MAX_LEVELS);
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < topology.levels().size(); i++) {
      String level = topology.levels().get(i);
      Violations at = violations.at("levels", i);
      at.checkKey("", level);
      at.checkNew(seen, level);
      at.check(
          !level.equals(Topology.HOSTNAME) || i == topology.levels().size() - 1,
          "",
          "%s is allowed as the last level only",
          Topology.HOSTNAME);
    }
  }

  private static void validateNode(Node node, Violations violations) {
    violations.checkName("name", node.name());
    checkAmounts("allocatable", node.allocatable(), violations);
    checkAmounts("usedByOthers", node.usedByOthers(), violations);
  }

  private static void checkAmounts(String field, Map<String, Long> amounts, Violations violations) {
    amounts.forEach((resource, amount) -> violations.check(
        amount >= 0, field + "[" + resource + "]", "%s; expected 0 or more", amount));
  }

  private static void validateFlavor(ResourceFlavor flavor, Violations violations) {
    violations.checkName("name", flavor.name());
    flavor.topologyName().ifPresent(name -> violations.checkName("topologyName", name));
    flavor.tpuPoolSet().ifPresent(name -> violations.checkName("tpuPoolSet", name));
    violations.check(
        flavor.topologyName().isEmpty() || flavor.tpuPoolSet().isEmpty(),
        "tpuPoolSet",
        "given together with a topologyName; slices place their pods themselves, keep one");
    violations.checkSize("nodeLabels", flavor.nodeLabels().size(), MAX_FLAVOR_ENTRIES);
    violations.checkSize("nodeTaints", flavor.nodeTaints().size(), MAX_FLAVOR_ENTRIES);
    violations.checkSize("tolerations", flavor.tolerations().size(), MAX_FLAVOR_ENTRIES);
    violations.checkLabels("nodeLabels", flavor.nodeLabels());
    Set<String> keysAndEffects = new HashSet<>();
    violations.forEach("nodeTaints", flavor.nodeTaints(), (at, taint) -> {
      at.check(
          ResourceNames.isQualifiedName(taint.key()),
          ".key",
          "\"%s\" is not a taint key",
          taint.key());
      at.check(
          ResourceNames.isLabelValue(taint.value()),
          ".value",
          "\"%s\" is not a taint value",
          taint.value());
      at.check(
          keysAndEffects.add(taint.key() + ":" + taint.effect()),
          "",
          "a second taint with key \"%s\" and effect %s; keep one",
          taint.key(),
          taint.effect());
    });
    violations.forEach("tolerations", flavor.tolerations(), ConfigValidator::validateToleration);
    violations.check(
        flavor.topologyName().isEmpty() || !flavor.nodeLabels().isEmpty(),
        "nodeLabels",
        "empty, but a flavor with a topologyName needs at least one to find its nodes");
  }

  private static void validateToleration(Violations at, Toleration toleration) {
    at.check(
        !toleration.key().isEmpty() || toleration.operator() == Toleration.Operator.EXISTS,
        ".operator",
        "%s without a key; expected Exists, or a key",
        toleration.operator());
    at.check(
        toleration.operator() != Toleration.Operator.EXISTS
            || toleration.value().isEmpty(),
        ".value",
        "\"%s\" with operator Exists; expected none",
        toleration.value());
    at.check(
        toleration.tolerationSeconds().isEmpty()
            || toleration.effect().equals(Optional.of(Taint.Effect.NO_EXECUTE)),
        ".tolerationSeconds",
        "given without effect NoExecute");
  }

  private static void validateQueue(ClusterQueue queue, int maxVariants, Violations violations) {
    violations.checkName("name", queue.name());
    queue.cohort().ifPresent(cohort -> violations.checkName("cohort", cohort));
    boolean hasParent = queue.cohort().isPresent();
    new QuotaValidator(queue.resourceGroups(), true, hasParent, violations).validate();
    validateWeight(queue.fairSharingWeight(), violations);
    validatePreemption(queue.preemption(), violations);
    queue
        .preemptionLimits()
        .ifPresent(limits -> violations.check(
            limits.rates().stream().noneMatch(rate -> rate.scope() == RateScope.GLOBAL),
            "preemptionLimits.rates",
            "one of scope %s; expected that only in the settings of the engine",
            RateScope.GLOBAL));
    queue.namespaceSelector().ifPresent(selector -> validateSelector(selector, violations));
    validateChecks(queue, violations);
    queue
        .concurrentAdmissionPolicy()
        .ifPresent(policy -> validateConcurrentAdmission(queue, policy, maxVariants, violations));
  }

  private static void validateSelector(LabelSelector selector, Violations violations) {
    violations.checkLabels("namespaceSelector.matchLabels", selector.matchLabels());
    violations.forEach(
        "namespaceSelector.matchExpressions", selector.matchExpressions(), (at, requirement) -> {
          requirement.problem().ifPresent(problem -> at.add("", problem));
          at.checkKey(".key", requirement.key());
          at.forEach(".values", requirement.values(), (value, text) -> value.checkValue("", text));
        });
  }

  private static void validateConcurrentAdmission(
      ClusterQueue queue,
      ConcurrentAdmissionPolicy policy,
      int maxVariants,
      Violations violations) {
    violations.check(
        queue.resourceGroups().size() == 1,
        "resourceGroups",
        "%s; expected one with a concurrentAdmissionPolicy",
        queue.resourceGroups().size());
    ImmutableSet<String> flavors = ImmutableSet.copyOf(queue.flavors());
    violations.check(
        flavors.size() <= maxVariants,
        "resourceGroups[0].flavors",
        "%s flavors; expected at most %s with a concurrentAdmissionPolicy",
        flavors.size(),
        maxVariants);
    violations.check(
        queue.queueingStrategy() != QueueingStrategy.STRICT_FIFO,
        "queueingStrategy",
        "%s; expected %s with a concurrentAdmissionPolicy",
        QueueingStrategy.STRICT_FIFO,
        QueueingStrategy.BEST_EFFORT_FIFO);
    policy.lastAcceptableFlavor().ifPresent(last -> {
      violations.check(
          policy.mode() == ConcurrentAdmissionPolicy.Mode.TRY_PREFERRED_FLAVORS,
          LAST_ACCEPTABLE_FLAVOR,
          "given with mode %s; expected only with %s",
          policy.mode(),
          ConcurrentAdmissionPolicy.Mode.TRY_PREFERRED_FLAVORS);
      violations.check(
          flavors.contains(last),
          LAST_ACCEPTABLE_FLAVOR,
          "\"%s\" is not a flavor of the queue; expected one of %s",
          last,
          flavors);
    });
  }

  private static void validatePreemption(Preemption preemption, Violations violations) {
    ImmutableMap.of(
            "withinClusterQueue",
            ImmutableList.of(
                preemption.withinClusterQueue(),
                Preemption.Policy.NEVER,
                Preemption.Policy.LOWER_PRIORITY,
                Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY),
            "reclaimWithinCohort",
            ImmutableList.of(
                preemption.reclaimWithinCohort(),
                Preemption.Policy.NEVER,
                Preemption.Policy.LOWER_PRIORITY,
                Preemption.Policy.ANY),
            "borrowWithinCohort.policy",
            ImmutableList.of(
                preemption.borrowWithinCohort(),
                Preemption.Policy.NEVER,
                Preemption.Policy.LOWER_PRIORITY))
        .forEach((field, values) -> {
          ImmutableList<Preemption.Policy> allowed = values.subList(1, values.size());
          violations.check(
              allowed.contains(values.get(0)),
              "preemption." + field,
              "%s; expected one of %s",
              values.get(0),
              allowed);
        });
    violations.check(
        preemption.reclaimWithinCohort() != Preemption.Policy.NEVER
            || preemption.borrowWithinCohort() == Preemption.Policy.NEVER,
        "preemption",
        "borrowWithinCohort.policy is %s while reclaimWithinCohort is Never; expected Never, or let it reclaim",
        preemption.borrowWithinCohort());
  }

  private static void validateChecks(ClusterQueue queue, Violations violations) {
    ImmutableSet<String> flavors = ImmutableSet.copyOf(queue.flavors());
    violations.checkSize("admissionChecks", queue.admissionChecks().size(), MAX_CHECKS);
    violations.forEach("admissionChecks", queue.admissionChecks(), (at, rule) -> {
      at.checkSize(".onFlavors", rule.onFlavors().size(), MAX_CHECKS);
      for (String flavor : rule.onFlavors()) {
        at.check(
            flavors.contains(flavor),
            ".onFlavors",
            "\"%s\" is not a flavor of the queue; expected one of %s",
            flavor,
            flavors);
      }
    });
  }

  private static void validateWeight(double weight, Violations violations) {
    violations.check(
        weight == 0 || (weight > MIN_WEIGHT && weight < Amount.UNLIMITED),
        "fairSharing.weight",
        "%s; expected 0, or more than 1e-9",
        weight);
  }
}
