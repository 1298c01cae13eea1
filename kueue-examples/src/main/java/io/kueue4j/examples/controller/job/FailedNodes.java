package io.kueue4j.examples.controller.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.WatchedNodes;
import io.kueue4j.examples.controller.object.WatchedNodes.Health;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reports failed nodes to the engine, and deletes pods that are bound to wait for such a node. The
 * engine assigns another place to the pods, or evicts the job.
 *
 * <p>Rules: T-79, T-80, T-87.
 */
record FailedNodes(JobContext context, WatchedNodes nodes) implements JobStep {
  private static ImmutableSet<String> hosts(PodSetAssignment assignment) {
    return assignment.topologyAssignment().stream()
        .filter(topology -> Topology.HOSTNAME.equals(Iterables.getLast(topology.levels(), "")))
        .flatMap(topology -> topology.domains().stream())
        .map(domain -> Iterables.getLast(domain.values()))
        .collect(ImmutableSet.toImmutableSet());
  }

  /**
   * Reports the failed hosts of a running job to the engine, and deletes pods. A single pod keeps
   * its place, since its controller has to create another one.
   */
  void report(JobRecord record) {
    Optional<Admission> admission = context.admission(record);
    if (admission.isPresent() && (context.isStoppable(record) || JobParts.isGroup(record.job()))) {
      Workload workload = record.workload().orElseThrow();
      ImmutableSet<String> failed = of(workload, admission.get());
      book().setFailedNodes(workload.id(), failed);
      admission.get().podSetAssignments().forEach(assigned -> letGo(record, assigned, failed));
    }
  }

  /** {@return the hosts of an admission that can no longer run pods} */
  ImmutableSet<String> of(Workload workload, Admission admission) {
    List<Pod> present = pods().of(workload.id());
    ImmutableSet.Builder<String> failed = ImmutableSet.builder();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      List<Toleration> tolerations = tolerations(workload, assignment);
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

  private List<Toleration> tolerations(Workload workload, PodSetAssignment assignment) {
    return Stream.concat(
            workload.podSets().stream()
                .filter(podSet -> podSet.name().equals(assignment.name()))
                .flatMap(podSet -> podSet.tolerations().stream()),
            assignment.flavors().values().stream()
                .map(configuration().flavors()::get)
                .filter(Objects::nonNull)
                .flatMap(flavor -> flavor.tolerations().stream()))
        .toList();
  }

  private static boolean hasFailed(
      Optional<Health> health, List<Pod> present, List<Toleration> tolerations) {
    if (health.isEmpty() || !health.get().saysReady()) {
      return true;
    }
    boolean isUsable = health.get().isReady() && !excludes(health.get(), tolerations);
    return !isUsable
        && present.stream()
            .noneMatch(pod -> node(pod).equals(health.get().node()) && !JobParts.isDeleted(pod));
  }

  private static boolean excludes(Health health, List<Toleration> tolerations) {
    return health.taints().stream()
        .filter(taint -> taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE)
        .anyMatch(taint -> tolerations.stream().noneMatch(each -> each.tolerates(taint)));
  }

  /**
   * Deletes pods that wait for a failed host, or for a place that is no longer theirs, and would
   * wait forever: their controller creates new ones.
   */
  private void letGo(JobRecord record, PodSetAssignment assignment, ImmutableSet<String> failed) {
    ImmutableSet<String> hosts = hosts(assignment);
    if (!hosts.isEmpty()) {
      pods().of(record.id().orElseThrow()).stream()
          .filter(pod -> JobParts.label(pod, PodPlacer.POD_SET).equals(assignment.name()))
          .filter(pod -> !LivePod.hasGate(pod.getSpec(), PodPlacer.SCHEDULING_GATE))
          .filter(pod -> node(pod).isEmpty() && !JobParts.isDeleted(pod))
          .filter(pod -> !Sets.difference(hosts, failed).contains(selectedHost(pod)))
          .filter(pod -> !selectedHost(pod).isEmpty())
          .forEach(pod -> writes().replacePodStatus(record, failed(pod)));
    }
  }

  private Pod failed(Pod pod) {
    String why = "The pod was to go to node " + selectedHost(pod) + ", which has failed";
    Pod target = PodGroup.terminationTarget(pod, "UnschedulableOnAssignedNode", why, context.now());
    return new PodBuilder(target).editStatus().withPhase("Failed").endStatus().build();
  }

  private static String selectedHost(Pod pod) {
    return Optional.ofNullable(pod.getSpec())
        .map(PodSpec::getNodeSelector)
        .map(selector -> selector.get(Topology.HOSTNAME))
        .orElse("");
  }

  private static String node(Pod pod) {
    return pod.getSpec() == null ? "" : Strings.nullToEmpty(pod.getSpec().getNodeName());
  }
}
