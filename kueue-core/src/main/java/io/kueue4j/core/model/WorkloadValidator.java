package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds every rule that a workload breaks.
 *
 * <p>Rules: M-25 … M-27, M-30.
 */
public final class WorkloadValidator {
  private static final int MAX_POD_SETS = 18;

  private WorkloadValidator() {}

  /** {@return what is wrong with {@code workload}, empty if nothing is} */
  public static ImmutableList<Violation> validate(Workload workload) {
    Violations violations = new Violations("Workload " + workload.id());
    violations.checkName("namespace", workload.namespace());
    violations.checkName("name", workload.name());
    violations.checkName("queueName", workload.queueName());
    violations.check(
        !workload.podSets().isEmpty(), "podSets", "empty; expected at least one pod set");
    violations.checkSize("podSets", workload.podSets().size(), MAX_POD_SETS);
    Map<String, Integer> counts = new HashMap<>();
    int shrinkable = 0;
    for (int i = 0; i < workload.podSets().size(); i++) {
      PodSet podSet = workload.podSets().get(i);
      String field = "podSets[" + i + "]";
      violations.check(
          counts.put(podSet.name(), podSet.count()) == null,
          field + ".name",
          "\"%s\" is used twice",
          podSet.name());
      validatePodSet(podSet, field, violations);
      if (podSet.minCount().isPresent()) {
        shrinkable++;
      }
    }
    violations.check(
        shrinkable <= 1, "podSets", "%d pod sets with minCount; expected at most one", shrinkable);
    workload.reclaimablePods().forEach((podSet, count) -> {
      int limit = counts.getOrDefault(podSet, -1);
      String field = "reclaimablePods[" + podSet + "]";
      violations.check(limit >= 0, field, "there is no pod set of that name");
      violations.check(
          limit < 0 || (count >= 0 && count <= limit),
          field,
          "%d; expected 0 to the pod set's count of %d",
          count,
          limit);
    });
    return violations.found();
  }

  private static void validatePodSet(PodSet podSet, String field, Violations violations) {
    violations.checkName(field + ".name", podSet.name());
    violations.check(
        podSet.count() >= 0, field + ".count", "%d; expected 0 or more", podSet.count());
    podSet
        .minCount()
        .ifPresent(minCount -> violations.check(
            minCount >= 1 && minCount <= podSet.count(),
            field + ".minCount",
            "%d; expected 1 to the count of %d",
            minCount,
            podSet.count()));
    podSet.requests().forEach((resource, amount) -> {
      String at = field + ".requests[" + resource + "]";
      violations.check(
          ResourceNames.isQualifiedName(resource), at, "\"%s\" is not a resource name", resource);
      violations.check(
          amount >= 0, at, "%s is negative; expected 0 or more", Quantity.format(resource, amount));
      violations.check(
          !resource.equals(ResourceNames.PODS),
          at,
          "reserved: the number of pods is counted, not requested");
    });
  }
}
