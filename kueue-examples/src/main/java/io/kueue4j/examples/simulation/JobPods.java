package io.kueue4j.examples.simulation;

import com.google.common.base.Strings;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multiset;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.ManifestJob;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.yaml.Manifest;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The pods among manifests that are jobs: those that wait for admission, and those that run by an
 * admission that is recorded on them, with all other pods of their groups.
 */
final class JobPods {
  private static final ImmutableSet<String> ENDED = ImmutableSet.of("Succeeded", "Failed");

  private final RecordedStates recorded;
  private final ImmutableSet<String> recordedGroups;

  private JobPods(RecordedStates recorded, Set<String> recordedGroups) {
    this.recorded = recorded;
    this.recordedGroups = ImmutableSet.copyOf(recordedGroups);
  }

  /**
   * {@return the pods among manifests that are jobs}
   *
   * @param recorded reads what is recorded on pods
   */
  static JobPods of(Manifests manifests, RecordedStates recorded) {
    Set<String> groups = new HashSet<>();
    for (Manifest manifest : manifests.items("", "Pod")) {
      Pod pod = manifest.as(Pod.class);
      if (!PodGroup.nameOf(pod).isEmpty() && recorded.holdsQuota(pod)) {
        groups.add(group(pod));
      }
    }
    return new JobPods(recorded, groups);
  }

  private static String group(Pod pod) {
    return namespace(pod) + "/" + PodGroup.nameOf(pod);
  }

  private static String namespace(Pod pod) {
    return Strings.nullToEmpty(metadata(pod).getNamespace());
  }

  private static ObjectMeta metadata(Pod pod) {
    return Objects.requireNonNullElseGet(pod.getMetadata(), ObjectMeta::new);
  }

  /** {@return whether a pod is a job, or one of the pods of a group that is one} */
  boolean isJob(Pod pod) {
    return ManifestJob.isJob(pod) || holdsQuota(pod);
  }

  /** {@return whether a pod, or its group, holds quota by what is recorded} */
  boolean holdsQuota(Pod pod) {
    return PodGroup.nameOf(pod).isEmpty()
        ? recorded.holdsQuota(pod)
        : recordedGroups.contains(group(pod));
  }

  /**
   * {@return the number of pods by the Deployment that they belong to, {@code namespace/name};
   * without those that have ended or are being deleted}
   *
   * @param isJob whether a pod is admitted, or waits for it
   */
  static Multiset<String> byDeployment(Manifests manifests, Predicate<Pod> isJob) {
    Multiset<String> counts = HashMultiset.create();
    for (Manifest manifest : manifests.items("", "Pod")) {
      Pod pod = manifest.as(Pod.class);
      if (isJob.test(pod) && lasts(pod)) {
        deployment(pod).ifPresent(name -> counts.add(manifest.namespace().orElse("") + "/" + name));
      }
    }
    return counts;
  }

  private static boolean lasts(Pod pod) {
    return Strings.isNullOrEmpty(metadata(pod).getDeletionTimestamp())
        && (pod.getStatus() == null
            || !ENDED.contains(Strings.nullToEmpty(pod.getStatus().getPhase())));
  }

  /**
   * {@return the Deployment of a pod, which has created the ReplicaSet that owns it: that is named
   * after the Deployment and a hash of the template, and a label has the hash}
   */
  private static Optional<String> deployment(Pod pod) {
    ObjectMeta metadata = metadata(pod);
    String hash = metadata.getLabels() == null
        ? ""
        : Strings.nullToEmpty(metadata.getLabels().get("pod-template-hash"));
    return metadata.getOwnerReferences().stream()
        .filter(owner -> "ReplicaSet".equals(owner.getKind()) && !hash.isEmpty())
        .map(OwnerReference::getName)
        .filter(name -> Strings.nullToEmpty(name).endsWith("-" + hash))
        .map(name -> name.substring(0, name.length() - hash.length() - 1))
        .findFirst();
  }
}
