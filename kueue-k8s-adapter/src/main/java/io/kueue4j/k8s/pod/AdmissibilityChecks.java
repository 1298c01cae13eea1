package io.kueue4j.k8s.pod;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import io.kueue4j.core.resource.Quantity;
import java.util.stream.Stream;

/**
 * Finds the reasons why the API server would reject a pod: requests above limits, violated
 * LimitRanges.
 *
 * <p>Amounts are compared in the engine's units, and only where both sides specify one. Rules: R-9.
 */
final class AdmissibilityChecks {
  private final ImmutableList.Builder<String> problems = ImmutableList.builder();

  private AdmissibilityChecks() {}

  /** {@return the problems of the adjusted {@code pod}, as sentences; {@code total} is of R-2} */
  static ImmutableList<String> problems(
      EffectivePod pod, ResourceList total, String path, LimitRangeSummary limits) {
    AdmissibilityChecks checks = new AdmissibilityChecks();
    pod.parts()
        .forEach(part -> checks.checkMaximum(
            part.path(), "requests must not exceed limits", part.requests(), part.limits()));
    Stream.concat(pod.initContainers().stream(), pod.containers().stream())
        .forEach(container -> checks.checkRange(
            container.path(),
            container.requests().min(container.limits()),
            container.requests().max(container.limits()),
            limits.container()));
    checks.checkRange(path, total, total, limits.pod());
    return checks.problems.build();
  }

  private void checkRange(
      String path, ResourceList lowest, ResourceList highest, LimitRangeSummary.Limits limits) {
    checkMaximum(
        path, "requests must not be above the maximum of the LimitRange", highest, limits.max());
    check(
        path,
        "requests must not be below the minimum of the LimitRange",
        lowest.toAmounts(),
        limits.min().toAmounts(),
        -1);
  }

  private void checkMaximum(String path, String rule, ResourceList given, ResourceList maximum) {
    check(path, rule, given.toAmounts(), maximum.toAmounts(), 1);
  }

  private void check(
      String path,
      String rule,
      ImmutableSortedMap<String, Long> given,
      ImmutableSortedMap<String, Long> bounds,
      int brokenSign) {
    ImmutableList.Builder<String> broken = ImmutableList.builder();
    for (String resource : Sets.intersection(given.keySet(), bounds.keySet())) {
      long amount = given.getOrDefault(resource, 0L);
      long bound = bounds.getOrDefault(resource, 0L);
      if (Long.compare(amount, bound) == brokenSign) {
        broken.add(resource + " " + Quantity.format(resource, amount)
            + (brokenSign > 0 ? " > " : " < ") + Quantity.format(resource, bound));
      }
    }
    ImmutableList<String> resources = broken.build();
    if (!resources.isEmpty()) {
      problems.add(path + ": " + rule + ": " + Joiner.on(", ").join(resources));
    }
  }
}
