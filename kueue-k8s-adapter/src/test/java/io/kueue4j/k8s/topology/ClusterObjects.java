package io.kueue4j.k8s.topology;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.model.Topology;
import java.util.Map;

/** Nodes and pods that tests need. */
final class ClusterObjects {
  private ClusterObjects() {}

  /** A ready node with 8 cpus and 110 pods, its name as host name. */
  static NodeBuilder node(String name) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels(Topology.HOSTNAME, name)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .withNewStatus()
        .withAllocatable(Map.of("cpu", new Quantity("8"), "pods", new Quantity("110")))
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus();
  }

  /** A pod of namespace ns that requests cpu and runs on a node. */
  static PodBuilder pod(String name, String node, String cpu) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .addNewContainer()
        .withName("c")
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity(cpu)))
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .endStatus();
  }

  static Pod version(PodBuilder pod, String uid, long version) {
    return pod.editMetadata()
        .withUid(uid)
        .withResourceVersion(String.valueOf(version))
        .endMetadata()
        .build();
  }

  static Node version(NodeBuilder node, String uid, long version) {
    return node.editMetadata()
        .withUid(uid)
        .withResourceVersion(String.valueOf(version))
        .endMetadata()
        .build();
  }
}
