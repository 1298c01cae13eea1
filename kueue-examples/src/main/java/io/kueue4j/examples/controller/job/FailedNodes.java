package io.kueue4j.examples.controller.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.WatchedNodes;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reports failed nodes to the engine, and deletes pods that are bound to wait for such a node. The
 * engine assigns another place to the pods, or evicts the job.
 *
 * <p>Rules: T-79, T-80, T-87.
 */
record FailedNodes(JobContext context, WatchedNodes nodes) implements JobStep {
  private static ImmutableSet<String> hosts(PodSetAssignment assignment) {
    Optional<TopologyAssignment> topology = assignment
        .topologyAssignment()
        .filter(given -> Topology.HOSTNAME.equals(Iterables.getLast(given.levels(), "")));
    return topology.isEmpty()
        ? ImmutableSet.of()
        : topology.get().domains().stream()
            .map(domain -> Iterables.getLast(domain.values()))
            .collect(ImmutableSet.toImmutableSet());
  }

  /** Reports the failed hosts of a running job to the engine, and deletes pods. */
  void report(JobRecord record, Workload workload, Admission admission) {
    if (admission.podSetAssignments().stream()
        .allMatch(each -> hosts(each).isEmpty() && each.slices().isEmpty())) {
      return;
    }
    ImmutableSet<String> failed = of(workload, admission);
    book().setFailedNodes(workload.id(), failed);
    letGo(record, pods().of(workload.id()), admission, failed);
  }

  /** {@return the hosts of an admission that can no longer run pods} */
  ImmutableSet<String> of(Workload workload, Admission admission) {
    ImmutableList<Pod> present = pods().of(workload.id());
    ImmutableSet.Builder<String> failed = ImmutableSet.builder();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      ImmutableList<Toleration> tolerations = tolerations(workload, assignment);
      hosts(assignment).stream()
          .filter(host -> hasFailed(nodes.of(host), present, tolerations))
          .forEach(failed::add);
      assignment.slices().stream()
          .flatMap(slice -> slice.hosts().stream())
          .filter(node -> hasFailed(nodes.ofNode(node), present, tolerations))
          .forEach(failed::add);
    }
    return failed.build();
  }

  private ImmutableList<Toleration> tolerations(Workload workload, PodSetAssignment assignment) {
    ImmutableList.Builder<Toleration> tolerations = ImmutableList.builder();
    workload.podSets().stream()
        .filter(podSet -> podSet.name().equals(assignment.name()))
        .map(PodSet::tolerations)
        .forEach(tolerations::addAll);
    assignment.flavors().values().stream()
        .map(name -> Optional.ofNullable(configuration().flavors().get(name)))
        .flatMap(Optional::stream)
        .map(ResourceFlavor::tolerations)
        .forEach(tolerations::addAll);
    return tolerations.build();
  }

  private boolean hasFailed(
      Optional<WatchedNodes.Health> health,
      ImmutableList<Pod> present,
      ImmutableList<Toleration> tolerations) {
    if (health.isEmpty() || !health.get().saysReady()) {
      return true;
    }
    if (health.get().isReady() && !excludes(health.get(), tolerations)) {
      return false;
    }
    return present.stream()
        .noneMatch(pod -> node(pod).equals(health.get().node()) && !JobParts.isDeleted(pod));
  }

  private static boolean excludes(
      WatchedNodes.Health health, ImmutableList<Toleration> tolerations) {
    return health.taints().stream()
        .filter(taint -> taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE)
        .anyMatch(taint -> !isTolerated(taint, tolerations));
  }

  private static boolean isTolerated(Taint taint, ImmutableList<Toleration> tolerations) {
    return tolerations.stream().anyMatch(toleration -> toleration.tolerates(taint));
  }

  /**
   * Deletes pods that wait for a failed host, or for a place that is no longer theirs, and would
   * wait forever: their controller creates new ones.
   */
  private void letGo(
      JobRecord record,
      ImmutableList<Pod> present,
      Admission admission,
      ImmutableSet<String> failed) {
    Map<String, PodSetAssignment> assignments =
        Maps.uniqueIndex(admission.podSetAssignments(), PodSetAssignment::name);
    for (Pod pod : present) {
      PodSetAssignment assignment = assignments.get(JobParts.label(pod, PodPlacer.POD_SET));
      ImmutableSet<String> hosts = assignment == null ? ImmutableSet.of() : hosts(assignment);
      String host = selectedHost(pod);
      if (hosts.isEmpty()
          || host.isEmpty()
          || (hosts.contains(host) && !failed.contains(host))
          || !node(pod).isEmpty()
          || LivePod.hasGate(pod.getSpec(), PodPlacer.SCHEDULING_GATE)
          || JobParts.isDeleted(pod)) {
        continue;
      }
      writes().replacePodStatus(record, failed(pod, host));
    }
  }

  private Pod failed(Pod pod, String host) {
    return new PodBuilder(PodGroup.terminationTarget(
            pod,
            "UnschedulableOnAssignedNode",
            "The pod was to go to node " + host + ", which has failed",
            context.now()))
        .editStatus()
        .withPhase("Failed")
        .endStatus()
        .build();
  }

  private static String selectedHost(Pod pod) {
    Map<String, String> selector = pod.getSpec() == null
        ? Map.of()
        : Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.of());
    return selector.getOrDefault(Topology.HOSTNAME, "");
  }

  private static String node(Pod pod) {
    return pod.getSpec() == null ? "" : Strings.nullToEmpty(pod.getSpec().getNodeName());
  }
}
