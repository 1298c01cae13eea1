package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import com.google.common.collect.Ordering;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Pod groups: one pod set per role, named by the role, in the order of the shapes of the pods, or
 * of the roles before Kueue 0.20. Rules: J-5, J-6.
 */
final class PodGroupKind implements JobKind<PodGroup> {
  private final PodKind pods = new PodKind();
  private final boolean orderedByShape;
  private final boolean succeededIsReady;

  PodGroupKind() {
    this(Settings.defaults());
  }

  private PodGroupKind(Settings settings) {
    orderedByShape = settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
        && settings.isEnabled(FeatureGate.POD_GROUP_SCHEDULING_SHAPE_ORDERING);
    succeededIsReady =
        settings.isEnabled(FeatureGate.POD_INTEGRATION_COUNT_SUCCEEDED_PODS_AS_READY);
  }

  @Override
  public JobKind<PodGroup> forSettings(Settings settings) {
    return new PodGroupKind(settings);
  }

  @Override
  public Class<PodGroup> type() {
    return PodGroup.class;
  }

  @Override
  public String apiGroup() {
    return "";
  }

  @Override
  public String kind() {
    return "PodGroup";
  }

  /** {@return the name of the group, which is also the name of its workload} */
  @Override
  public String workloadName(PodGroup group, String name, String uid) {
    return name;
  }

  @Override
  public boolean isSuspended(PodGroup group) {
    return group.pods().stream().anyMatch(pods::isSuspended);
  }

  /** Gates the pods that do not run yet, or starts the waiting ones. */
  @Override
  public PodGroup withSuspend(PodGroup group, boolean suspend) {
    List<Pod> edited = new ArrayList<>();
    for (Pod pod : group.pods()) {
      boolean gated = PodGates.isGated(pod.getSpec());
      edited.add(
          gated != suspend && !PodStates.hasEnded(pod) ? pods.withSuspend(pod, suspend) : pod);
    }
    return group.withPods(edited);
  }

  /**
   * {@return the pod sets} The template of a role is a waiting pod if there is one, since a start
   * has not changed it.
   */
  @Override
  public List<JobPodSet> podSets(PodGroup group) {
    List<Pod> members = group.members().stream()
        .sorted(Comparator.comparing(pod -> !PodGates.isGated(pod.getSpec())))
        .toList();
    if (group.isFast() && !members.isEmpty()) {
      Pod first = members.get(0);
      return ImmutableList.of(
          PodKind.podSet(PodRoles.of(first), first, group.totalCount().orElse(members.size())));
    }
    Map<String, JobPodSet> roles = new TreeMap<>();
    for (Pod pod : members) {
      roles.merge(
          PodRoles.of(pod),
          PodKind.podSet(PodRoles.of(pod), pod, 1),
          (present, one) -> present.withCount(present.count() + 1));
    }
    return orderedByShape
        ? ImmutableList.sortedCopyOf(byShape(members), roles.values())
        : ImmutableList.copyOf(roles.values());
  }

  /**
   * {@return the order of pod sets by the shapes of their pods, then by the first names of pods}
   */
  private static Comparator<JobPodSet> byShape(List<Pod> members) {
    Map<String, Pod> firsts = new HashMap<>();
    members.forEach(pod -> firsts.merge(
        PodRoles.of(pod), pod, BinaryOperator.minBy(Comparator.comparing(JobMetadata::name))));
    List<String> roles = firsts.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, Pod> first) -> PodRoles.shape(first.getValue()))
                .thenComparing(first -> JobMetadata.name(first.getValue())))
        .map(Map.Entry::getKey)
        .toList();
    return Ordering.explicit(roles).onResultOf(JobPodSet::name);
  }

  /**
   * {@return the group with started pods} Waiting pods get the additions of the first pod of their
   * role, each on top of its own labels and fields, and the role, which cannot be computed once the
   * pod has more fields.
   */
  @Override
  public PodGroup withPodSets(PodGroup group, List<JobPodSet> podSets) {
    ImmutableMap<String, JobPodSet> before = Maps.uniqueIndex(podSets(group), JobPodSet::name);
    ImmutableMap<String, JobPodSet> after = Maps.uniqueIndex(podSets, JobPodSet::name);
    List<Pod> edited = new ArrayList<>();
    for (Pod pod : group.pods()) {
      String role = PodRoles.of(pod);
      JobPodSet from = before.get(role);
      JobPodSet to = after.get(role);
      if (from == null || to == null || !PodGates.isGated(pod.getSpec())) {
        edited.add(pod);
      } else {
        edited.add(withRole(PodAdditions.between(from, to).addTo(pod, from), role));
      }
    }
    return group.withPods(edited);
  }

  @Override
  public Optional<JobConversion.NotManaged> notManaged(PodGroup group) {
    int total = group.totalCount().orElse(0);
    int runnable = group.runnable().size();
    return runnable < total && !(group.isFast() && runnable > 0)
        ? Optional.of(new JobConversion.NotManaged(
            JobConversion.Reason.INCOMPLETE_GROUP,
            "'" + JobMetadata.name(group) + "' group has fewer runnable pods than expected: "
                + runnable + " of " + total))
        : Optional.empty();
  }

  @Override
  public List<Violation> violations(PodGroup group) {
    return PodGroupChecks.violations(group, podSets(group).size());
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return true;
  }

  @Override
  public Optional<JobKind.Outcome> outcome(PodGroup group) {
    if (group.isServing() || group.totalCount().isEmpty()) {
      return Optional.empty();
    }
    int total = group.totalCount().getAsInt();
    long succeeded = group.pods().stream().filter(PodStates::hasSucceeded).count();
    boolean allEnded = group.pods().stream().allMatch(PodStates::hasEnded);
    boolean noReplacements = group.pods().stream()
        .anyMatch(pod -> PodStates.says(pod, MetadataKeys.RETRIABLE_IN_GROUP, "false"));
    return succeeded == total || (allEnded && noReplacements)
        ? Optional.of(new JobKind.Outcome(true, "Pods succeeded: " + succeeded + "/" + total + "."))
        : Optional.empty();
  }

  /**
   * {@return whether a pod runs} Without a clock, a running pod counts as active even if it is
   * being deleted.
   */
  @Override
  public boolean isActive(PodGroup group) {
    return group.isActive(Instant.MIN);
  }

  @Override
  public boolean podsReady(PodGroup group) {
    return group.pods().size() >= group.totalCount().orElse(Integer.MAX_VALUE)
        && group.pods().stream()
            .allMatch(pod -> PodStates.isReady(pod)
                || (succeededIsReady && !group.isServing() && PodStates.hasSucceeded(pod)));
  }

  @Override
  public ImmutableSortedMap<String, Integer> reclaimablePods(PodGroup group) {
    Map<String, Integer> reclaimable = new TreeMap<>();
    if (!group.isServing()) {
      group.pods().stream()
          .filter(PodStates::hasSucceeded)
          .forEach(pod -> reclaimable.merge(PodRoles.of(pod), 1, Integer::sum));
    }
    return ImmutableSortedMap.copyOf(reclaimable);
  }

  @Override
  public boolean isStoppable() {
    return false;
  }

  private static Pod withRole(Pod pod, String role) {
    return Strings.isNullOrEmpty(JobMetadata.annotations(pod).get(MetadataKeys.ROLE_HASH))
        ? new PodBuilder(pod)
            .withMetadata(new ObjectMetaBuilder(JobMetadata.metadata(pod))
                .addToAnnotations(MetadataKeys.ROLE_HASH, role)
                .build())
            .build()
        : pod;
  }
}
