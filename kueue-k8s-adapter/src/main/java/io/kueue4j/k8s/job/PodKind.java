package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.kueue4j.core.model.Violation;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Pods that are admitted separately: one pod set {@code main}. They wait with a scheduling gate. A
 * gate cannot be added again, so a pod is stopped by deletion. Rules: J-4.
 */
final class PodKind implements JobKind<Pod> {
  @Override
  public Class<Pod> type() {
    return Pod.class;
  }

  @Override
  public String apiGroup() {
    return "";
  }

  @Override
  public String kind() {
    return "Pod";
  }

  @Override
  public boolean isSuspended(Pod pod) {
    return PodGates.isGated(pod.getSpec()) || PodStates.hasEnded(pod);
  }

  @Override
  public Pod withSuspend(Pod pod, boolean suspend) {
    PodSpec spec = spec(pod);
    return suspend
        ? new PodBuilder(pod)
            .withMetadata(new ObjectMetaBuilder(JobMetadata.metadata(pod))
                .addToLabels(MetadataKeys.MANAGED, "true")
                .build())
            .withSpec(PodGates.with(spec))
            .build()
        : new PodBuilder(pod).withSpec(PodGates.without(spec)).build();
  }

  @Override
  public List<JobPodSet> podSets(Pod pod) {
    return ImmutableList.of(podSet("main", pod, 1));
  }

  @Override
  public Pod withPodSets(Pod pod, List<JobPodSet> podSets) {
    return with(pod, podSets.get(0).template());
  }

  @Override
  public Optional<JobConversion.NotManaged> notManaged(Pod pod) {
    String group = PodStates.groupName(pod);
    return group.isEmpty() || !PodGroupChecks.violations(pod).isEmpty()
        ? Optional.empty()
        : Optional.of(new JobConversion.NotManaged(
            JobConversion.Reason.PART_OF_GROUP,
            JobMetadata.describe(pod) + " is one of the pod group " + group
                + ", which is admitted as a whole"));
  }

  @Override
  public List<Violation> violations(Pod pod) {
    return PodGroupChecks.violations(pod);
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return true;
  }

  @Override
  public Optional<JobKind.Outcome> outcome(Pod pod) {
    return PodStates.hasEnded(pod)
        ? Optional.of(new JobKind.Outcome(
            PodStates.hasSucceeded(pod), Strings.nullToEmpty(pod.getStatus().getMessage())))
        : Optional.empty();
  }

  /** {@return false, as upstream: the quota of a deleted pod is released at once} */
  @Override
  public boolean isActive(Pod pod) {
    return false;
  }

  @Override
  public boolean podsReady(Pod pod) {
    return PodStates.isReady(pod);
  }

  @Override
  public boolean isStoppable() {
    return false;
  }

  /** {@return a pod set of {@code count} pods like {@code pod}} */
  static JobPodSet podSet(String name, Pod pod, int count) {
    return JobPodSet.of(name, "", template(pod), count)
        .withIndex(JobPodSet.Index.of(MetadataKeys.POD_GROUP_POD_INDEX));
  }

  static PodTemplateSpec template(Pod pod) {
    ObjectMeta metadata = JobMetadata.metadata(pod);
    return new PodTemplateSpecBuilder()
        .withMetadata(new ObjectMetaBuilder()
            .withLabels(metadata.getLabels())
            .withAnnotations(metadata.getAnnotations())
            .build())
        .withSpec(pod.getSpec())
        .build();
  }

  /** {@return a copy of {@code pod} with labels, annotations and spec of {@code template}} */
  static Pod with(Pod pod, PodTemplateSpec template) {
    ObjectMeta given = Objects.requireNonNullElseGet(template.getMetadata(), ObjectMeta::new);
    return new PodBuilder(pod)
        .withMetadata(new ObjectMetaBuilder(JobMetadata.metadata(pod))
            .withLabels(given.getLabels())
            .withAnnotations(given.getAnnotations())
            .build())
        .withSpec(template.getSpec())
        .build();
  }

  private static PodSpec spec(Pod pod) {
    return Objects.requireNonNullElseGet(pod.getSpec(), PodSpec::new);
  }
}
