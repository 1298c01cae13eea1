package io.kueue4j.core.internal.validation;

import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Validates a workload.
 *
 * <p>Rules: M-25, M-26, M-27, M-28, M-30, A-8, E-9, TPU-F-22.
 */
public final class WorkloadValidator {
  private static final int MAX_POD_SETS = 18;
  private static final Duration SHORTEST_EXECUTION_TIME = Duration.ofSeconds(1);

  private WorkloadValidator() {}

  /**
   * {@return all violations of {@code workload}, empty if it is valid}
   *
   * @param leastMinCount the least {@code minCount} of a pod set that is valid
   */
  public static List<Violation> validate(Workload workload, int leastMinCount) {
    Violations violations = new Violations("Workload ", workload.id());
    List<PodSet> podSets = workload.podSets();
    violations.checkLabel("namespace", workload.namespace());
    violations.checkName("name", workload.name());
    violations.checkName("queueName", workload.queueName());
    if (workload.priorityClass().isPresent()) {
      violations.checkName("priorityClass", workload.priorityClass().get());
    }
    violations.check(!podSets.isEmpty(), "podSets", "empty; expected at least one pod set");
    violations.checkSize("podSets", podSets.size(), MAX_POD_SETS);
    Duration time = workload.maximumExecutionTime().orElse(SHORTEST_EXECUTION_TIME);
    if (time.compareTo(SHORTEST_EXECUTION_TIME) < 0) {
      violations.add("maximumExecutionTime", time + "; expected a second or more");
    }
    Optional<Duration> expected = workload.expectedDuration();
    violations.check(
        expected.isEmpty() || expected.get().compareTo(Duration.ZERO) > 0,
        "expectedDuration",
        "%s; expected more than 0",
        expected.orElse(Duration.ZERO));
    workload
        .checkpointInterval()
        .filter(interval -> interval.isNegative() || interval.isZero())
        .ifPresent(
            interval -> violations.add("checkpointInterval", interval + "; expected more than 0"));
    int shrinkable = 0;
    for (int i = 0; i < podSets.size(); i++) {
      PodSet podSet = podSets.get(i);
      Violations ofPodSet = violations.at("podSets", i);
      if (podSet(workload, podSet.name(), i) != null) {
        ofPodSet.add(".name", "\"" + podSet.name() + "\" is used twice");
      }
      validatePodSet(podSet, leastMinCount, ofPodSet);
      shrinkable += podSet.minCount().isPresent() ? 1 : 0;
    }
    if (shrinkable > 1) {
      violations.add("podSets", shrinkable + " pod sets with minCount; expected at most one");
    }
    validateSlice(workload, shrinkable > 0, violations);
    return violations.found();
  }

  /** {@return all violations of the numbers of reclaimable pods of a workload, by pod set} */
  public static List<Violation> validateReclaimable(
      Workload workload, Map<String, Integer> reclaimable) {
    Violations violations = new Violations("Workload ", workload.id());
    reclaimable.forEach((podSet, count) -> validate(workload, podSet, count, violations));
    return violations.found();
  }

  /**
   * {@return the first pod set with this name among the first {@code count}, null if there is none}
   */
  private static @Nullable PodSet podSet(Workload workload, String name, int count) {
    for (int i = 0; i < count; i++) {
      if (workload.podSets().get(i).name().equals(name)) {
        return workload.podSets().get(i);
      }
    }
    return null;
  }

  private static void validatePodSet(PodSet podSet, int leastMinCount, Violations violations) {
    violations.checkLabel(".name", podSet.name());
    if (podSet.count() < 0) {
      violations.add(".count", podSet.count() + "; expected 0 or more");
    }
    int minCount = podSet.minCount().orElse(leastMinCount);
    if (podSet.minCount().isPresent() && (minCount < leastMinCount || minCount > podSet.count())) {
      violations.add(
          ".minCount",
          minCount + "; expected " + leastMinCount + " to the count of " + podSet.count());
    }
    if (podSet.sliceRequest().isPresent()) {
      SliceValidator.validate(podSet, podSet.sliceRequest().get(), violations);
    }
    for (Map.Entry<String, Long> request : podSet.requests().entrySet()) {
      validateRequest(request.getKey(), request.getValue(), violations);
    }
  }

  private static void validateRequest(String resource, long amount, Violations ofPodSet) {
    boolean named = ResourceNames.isQualifiedName(resource);
    boolean reserved = resource.equals(ResourceNames.PODS);
    if (named && !reserved && amount >= 0) {
      return;
    }
    Violations violations = ofPodSet.at(".requests", resource);
    violations.check(named, "", "\"%s\" is not a resource name", resource);
    violations.check(
        amount >= 0, "", "%s is negative; expected 0 or more", Quantity.format(resource, amount));
    violations.check(!reserved, "", "reserved: the number of pods is counted, not requested");
  }

  private static void validateSlice(
      Workload workload, boolean isShrinkable, Violations violations) {
    boolean isSlice = workload.elastic() || workload.replaces().isPresent();
    if (isShrinkable && isSlice) {
      violations.add(
          "podSets",
          "minCount in an elastic workload; partial admission and elastic slices cannot be used"
              + " together");
    }
    if (isSlice
        && workload.podSets().stream().anyMatch(podSet -> podSet.sliceRequest().isPresent())) {
      violations.add(
          "podSets",
          "sliceRequest in an elastic workload; slices of TPU chips do not change their size, so"
              + " submit a workload that is not elastic");
    }
    if (workload.replaces().equals(Optional.of(workload.id()))) {
      violations.add("replaces", "the workload itself; expected another slice of its job");
    }
  }

  private static void validate(Workload workload, String name, int count, Violations ofWorkload) {
    Violations violations = ofWorkload.at("reclaimablePods", name);
    PodSet podSet = podSet(workload, name, workload.podSets().size());
    if (podSet == null) {
      violations.add("", "there is no pod set of that name");
    } else if (count < 0 || (count > podSet.count() && !workload.elastic())) {
      // Scaling an elastic workload down leaves the count behind for a while.
      violations.add("", count + "; expected 0 to the pod set's count of " + podSet.count());
    }
  }
}
