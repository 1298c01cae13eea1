package io.kueue4j.k8s.topology;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The workload ns/w with domains for its pod sets, and its pods, for tests of pod placement. */
final class PlacedWorkload {
  static final String INDEX = "batch.kubernetes.io/job-completion-index";
  static final String JOB_INDEX = "jobset.sigs.k8s.io/job-index";

  private final Workload.Builder workload =
      Workload.builder().namespace("ns").name("w").queueName("q");
  private final Admission.Builder admission =
      Admission.builder().clusterQueue("cq").quotaReservedTime(Instant.EPOCH);

  static TopologyRequest indexed() {
    return TopologyRequest.builder().required("rack").podIndexLabel(INDEX).build();
  }

  /** Adds a pod set with the given hosts, as {@code name=2}. */
  PlacedWorkload podSet(PodSet.Builder podSet, String... hosts) {
    TopologyAssignment assignment = new TopologyAssignment(
        ImmutableList.of(Topology.HOSTNAME),
        Arrays.stream(hosts)
            .map(host -> host.split("=", -1))
            .map(parts -> new Domain(ImmutableList.of(parts[0]), Integer.parseInt(parts[1])))
            .collect(ImmutableList.toImmutableList()));
    return podSet(podSet, assignment);
  }

  PlacedWorkload podSet(PodSet.Builder builder, TopologyAssignment assignment) {
    PodSet podSet = builder.build();
    workload.addPodSets(podSet);
    admission.addPodSetAssignments(PodSetAssignment.builder()
        .name(podSet.name())
        .count(podSet.count())
        .topologyAssignment(assignment)
        .build());
    return this;
  }

  Workload workload() {
    return workload.build();
  }

  Admission admission() {
    return admission.workload(workload().id()).build();
  }

  List<PodPlacer.Placement> place(Pod... pods) {
    return PodPlacer.place(workload(), admission(), List.of(pods));
  }

  /** The placements of pods, as {@code pod->host}. */
  List<String> hosts(Pod... pods) {
    return place(pods).stream()
        .map(placement -> placement.pod().getMetadata().getName() + "->"
            + String.join("/", placement.domain().values()))
        .toList();
  }

  /** A gated pod of the pod set main. */
  static PodBuilder pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName(name)
        .addToAnnotations(PodPlacer.WORKLOAD, "w")
        .addToLabels(PodPlacer.POD_SET, "main")
        .endMetadata()
        .withNewSpec()
        .addNewSchedulingGate(PodPlacer.SCHEDULING_GATE)
        .endSpec();
  }

  static Pod pod(String name, int index) {
    return labelled(pod(name), INDEX, String.valueOf(index));
  }

  static Pod labelled(PodBuilder pod, String... keysAndValues) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      pod.editMetadata().addToLabels(keysAndValues[i], keysAndValues[i + 1]).endMetadata();
    }
    return pod.build();
  }

  /** The pod on a host, without its gate. */
  static Pod on(String host, Pod pod) {
    return pod.toBuilder()
        .editSpec()
        .withSchedulingGates()
        .addToNodeSelector(Topology.HOSTNAME, host)
        .endSpec()
        .build();
  }
}
