package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.internal.tpu.SliceNodeLabels;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What a start adds to the pods of one pod set. Rules: T-8, T-89, TPU-F-22. */
record PodSetInfo(
    ImmutableMap<String, String> labels,
    ImmutableMap<String, String> annotations,
    ImmutableList<ResourceFlavor> flavors,
    ImmutableList<String> schedulingGates,
    Map<String, Set<String>> nodes,
    ImmutableList<PodSetUpdate> updates) {

  static PodSetInfo of(
      Workload workload,
      Admission admission,
      PodSetAssignment assignment,
      Map<String, ResourceFlavor> flavors,
      List<PodSetUpdate> updates,
      boolean gatesSlices) {
    ImmutableMap.Builder<String, String> labels = ImmutableMap.builder();
    labels.put(PodPlacer.POD_SET, assignment.name());
    labels.put(MetadataKeys.LOCAL_QUEUE_NAME, workload.queueName());
    // The name of a ClusterQueue may be longer than a label value, and may contain dots.
    if (DnsNames.isLabel(admission.clusterQueue())) {
      labels.put(MetadataKeys.CLUSTER_QUEUE_NAME, admission.clusterQueue());
    }
    ImmutableMap.Builder<String, String> annotations = ImmutableMap.builder();
    annotations.put(PodPlacer.WORKLOAD, workload.name());
    boolean placed = assignment.topologyAssignment().isPresent();
    if (placed && !saysHowClose(workload, assignment.name())) {
      // Marks the pods as placed by admission: rule T-8.
      annotations.put(TopologyAnnotations.UNCONSTRAINED, "true");
    }
    Map<String, Set<String>> nodes = SliceNodeLabels.labels(assignment.slices());
    boolean gated = gatesSlices && nodes.values().stream().anyMatch(values -> values.size() > 1);
    ImmutableList.Builder<String> gates = ImmutableList.builder();
    if (placed) {
      gates.add(PodPlacer.SCHEDULING_GATE);
    }
    if (gated) {
      gates.add(SlicePods.SCHEDULING_GATE);
    }
    return new PodSetInfo(
        labels.buildOrThrow(),
        annotations.buildOrThrow(),
        assigned(assignment, flavors),
        gates.build(),
        gated ? ImmutableMap.of() : nodes,
        updates.stream()
            .filter(update -> update.name().equals(assignment.name()))
            .collect(ImmutableList.toImmutableList()));
  }

  private static boolean saysHowClose(Workload workload, String podSet) {
    return workload.podSets().stream()
        .filter(candidate -> candidate.name().equals(podSet))
        .map(PodSet::topologyRequest)
        .anyMatch(request -> request.required().isPresent()
            || request.preferred().isPresent()
            || request.unconstrained().isPresent());
  }

  /** {@return the node labels that all TPU slices share} */
  ImmutableMap<String, String> nodeSelector() {
    return nodeSelector(nodes);
  }

  static ImmutableMap<String, String> nodeSelector(Map<String, Set<String>> nodes) {
    ImmutableMap.Builder<String, String> selector = ImmutableMap.builder();
    nodes.forEach((label, values) -> {
      if (values.size() == 1) {
        selector.put(label, values.iterator().next());
      }
    });
    return selector.buildOrThrow();
  }

  /** {@return the node labels of which the TPU slices have different values} */
  ImmutableList<NodeSelectorRequirement> nodeAffinity() {
    return nodeAffinity(nodes);
  }

  static ImmutableList<NodeSelectorRequirement> nodeAffinity(Map<String, Set<String>> nodes) {
    return nodes.entrySet().stream()
        .filter(label -> label.getValue().size() > 1)
        .map(label -> new NodeSelectorRequirement(
            label.getKey(), "In", ImmutableList.copyOf(label.getValue())))
        .collect(ImmutableList.toImmutableList());
  }

  ImmutableList<Toleration> tolerations() {
    return Stream.concat(
            tolerations(flavors).stream(),
            updates.stream().flatMap(update -> update.tolerations().stream()))
        .distinct()
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the tolerations of the flavors of an assignment} */
  static ImmutableList<Toleration> tolerations(
      PodSetAssignment assignment, Map<String, ResourceFlavor> flavors) {
    return tolerations(assigned(assignment, flavors));
  }

  private static ImmutableList<Toleration> tolerations(ImmutableList<ResourceFlavor> flavors) {
    return flavors.stream()
        .flatMap(flavor -> flavor.tolerations().stream())
        .distinct()
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the assigned flavors without duplicates, in the order of their resources} */
  private static ImmutableList<ResourceFlavor> assigned(
      PodSetAssignment assignment, Map<String, ResourceFlavor> flavors) {
    ImmutableList.Builder<ResourceFlavor> assigned = ImmutableList.builder();
    for (String name : ImmutableSet.copyOf(assignment.flavors().values())) {
      ResourceFlavor flavor = flavors.get(name);
      if (flavor == null) {
        throw new IllegalArgumentException(
            "pod set " + assignment.name() + " was given the ResourceFlavor " + name
                + ", which is not among the flavors " + flavors.keySet());
      }
      assigned.add(flavor);
    }
    return assigned.build();
  }
}
