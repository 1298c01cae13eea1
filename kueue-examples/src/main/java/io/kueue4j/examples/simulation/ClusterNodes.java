package io.kueue4j.examples.simulation;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.job.ManifestJob;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.topology.NodeTracker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The nodes among manifests, with what the pods among them take of the nodes they are bound to. */
final class ClusterNodes {
  private ClusterNodes() {}

  /** {@return the nodes by name; of what is given several times the last counts} */
  static List<io.kueue4j.core.model.Node> of(List<Manifests> given) {
    NodeTracker tracker = NodeTracker.create();
    for (Manifests manifests : given) {
      manifests.items("", "Node").forEach(node -> tracker.update(node.as(Node.class)));
      manifests.items("", "Pod").stream()
          .filter(pod -> pod.name().isPresent())
          .forEach(pod -> tracker.update(pod.as(Pod.class)));
    }
    return tracker.nodes();
  }

  /**
   * {@return which pods take nothing of a node, though one might think so, and why}
   *
   * @param isOfJob whether a pod is known to be part of a job
   */
  static List<ManifestIssue> warnings(Manifests manifests, Predicate<Pod> isOfJob) {
    Set<String> nodes = new HashSet<>();
    manifests.items("", "Node").forEach(node -> node.name().ifPresent(nodes::add));
    Set<String> owners = new HashSet<>();
    manifests
        .items()
        .forEach(item -> item.name()
            .ifPresent(name -> owners.add(key(item.kind(), item.namespace().orElse(""), name))));
    ImmutableList.Builder<ManifestIssue> warnings = ImmutableList.builder();
    for (Manifest manifest : manifests.items("", "Pod")) {
      Pod pod = manifest.as(Pod.class);
      String node =
          pod.getSpec() == null ? "" : Strings.nullToEmpty(pod.getSpec().getNodeName());
      if (ManifestJob.isJob(pod)) {
        continue;
      }
      boolean isOfKnownJob = isOfJob.test(pod)
          || (pod.getMetadata() != null
              && pod.getMetadata().getOwnerReferences().stream()
                  .anyMatch(owner -> owners.contains(
                      key(owner.getKind(), manifest.namespace().orElse(""), owner.getName()))));
      boolean isPlaced = TopologyAnnotations.isPlaced(pod.getMetadata());
      if (isOfKnownJob && (node.isEmpty() || isPlaced)) {
        continue;
      }
      if (node.isEmpty()) {
        warnings.add(manifest.issue(
            "kind",
            "not taken into account: Pod of v1 that neither is bound to a node nor names a queue"));
      } else if (manifest.name().isEmpty()) {
        warnings.add(manifest.issue("metadata.name", "missing; what the pod takes does not count"));
      } else if (isPlaced) {
        warnings.add(manifest.issue(
            "metadata.annotations",
            "passed over: a pod that admission places counts with the job that it belongs to"));
      } else if (!nodes.contains(node)) {
        warnings.add(manifest.issue(
            "spec.nodeName", "there is no Node " + node + "; what the pod takes does not count"));
      }
    }
    return warnings.build();
  }

  private static String key(String kind, String namespace, String name) {
    return kind + " " + namespace + "/" + name;
  }
}
