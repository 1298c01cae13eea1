package io.kueue4j.examples.simulation;

import com.google.common.base.Strings;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multiset;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** What pods among manifests say of themselves, and the Deployments that they belong to. */
final class JobPods {
  private static final ImmutableSet<String> ENDED = ImmutableSet.of("Succeeded", "Failed");

  private JobPods() {}

  private static ObjectMeta metadata(Pod pod) {
    return Objects.requireNonNullElseGet(pod.getMetadata(), ObjectMeta::new);
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
    return Strings.isNullOrEmpty(metadata(pod).getDeletionTimestamp()) && !hasEnded(pod);
  }

  private static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null
        && ENDED.contains(Strings.nullToEmpty(pod.getStatus().getPhase()));
  }

  /** {@return whether a pod is bound to a node and has not ended} */
  static boolean isOnNode(Pod pod) {
    return pod.getSpec() != null
        && !Strings.isNullOrEmpty(pod.getSpec().getNodeName())
        && !hasEnded(pod);
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
        .filter(owner -> "ReplicaSet".equals(owner.getKind()))
        .map(OwnerReference::getName)
        .filter(name -> Strings.nullToEmpty(name).endsWith("-" + hash))
        .map(name -> name.substring(0, name.length() - hash.length() - 1))
        .findFirst();
  }
}
