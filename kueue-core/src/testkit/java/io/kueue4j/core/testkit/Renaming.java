package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import java.util.Set;

/** Gives nodes and the domains of topologies other names, in the same order. */
final class Renaming {
  private static final String PREFIX = "k";

  private final Set<String> levels;

  /** Creates a renaming for all names in {@code scenario}. */
  Renaming(Scenario scenario) {
    levels = scenario.steps().stream()
        .filter(Step.Apply.class::isInstance)
        .flatMap(step -> ((Step.Apply) step).objects().stream())
        .filter(Topology.class::isInstance)
        .flatMap(object -> ((Topology) object).levels().stream())
        .collect(ImmutableSet.toImmutableSet());
  }

  Step step(Step step) {
    if (step instanceof Step.Apply apply) {
      return new Step.Apply(apply.objects().stream().map(this::object).collect(toImmutableList()));
    }
    if (step instanceof Step.Remove remove && remove.kind() == Step.Kind.NODE) {
      return new Step.Remove(remove.kind(), remove.namespace(), PREFIX + remove.name());
    }
    if (step instanceof Step.TellOfNode tell) {
      return new Step.TellOfNode(tell.workload(), PREFIX + tell.host(), tell.failed());
    }
    return step instanceof Step.Restore restore
        ? new Step.Restore(restore.workload(), admission(restore.admission()), restore.preempted())
        : step;
  }

  private ConfigObject object(ConfigObject object) {
    if (!(object instanceof Node node)) {
      return object;
    }
    Node.Builder renamed = Node.builder()
        .name(PREFIX + node.name())
        .addAllTaints(node.taints())
        .ready(node.ready())
        .unschedulable(node.unschedulable())
        .putAllAllocatable(node.allocatable())
        .putAllUsedByOthers(node.usedByOthers());
    node.labels()
        .forEach(
            (key, value) -> renamed.putLabels(key, levels.contains(key) ? PREFIX + value : value));
    return renamed.build();
  }

  StepOutcome outcome(StepOutcome outcome) {
    if (outcome instanceof StepOutcome.Decided decided) {
      WorkloadDecision decision = decided.decision();
      return new StepOutcome.Decided(new WorkloadDecision(
          decision.workload(),
          decision.outcome(),
          decision.admission().map(Renaming::admission),
          decision.victims()));
    }
    if (outcome instanceof StepOutcome.Cycled cycled) {
      CycleDecisions decisions = cycled.decisions();
      return new StepOutcome.Cycled(new CycleDecisions(
          decisions.admitted().stream().map(Renaming::admission).collect(toImmutableList()),
          decisions.evictions(),
          decisions.waiting(),
          decisions.replaced().stream().map(Renaming::admission).collect(toImmutableList()),
          decisions.stopped()));
    }
    return outcome;
  }

  private static Admission admission(Admission admission) {
    return Admission.builder()
        .workload(admission.workload())
        .clusterQueue(admission.clusterQueue())
        .quotaReservedTime(admission.quotaReservedTime())
        .addAllPodSetAssignments(admission.podSetAssignments().stream()
            .map(Renaming::assignment)
            .collect(toImmutableList()))
        .build();
  }

  private static PodSetAssignment assignment(PodSetAssignment assignment) {
    return PodSetAssignment.builder()
        .name(assignment.name())
        .count(assignment.count())
        .putAllFlavors(assignment.flavors())
        .putAllResourceUsage(assignment.resourceUsage())
        .topologyAssignment(assignment.topologyAssignment().map(Renaming::place))
        .build();
  }

  private static TopologyAssignment place(TopologyAssignment place) {
    return new TopologyAssignment(
        place.levels(),
        place.domains().stream()
            .map(domain -> new TopologyAssignment.Domain(
                domain.values().stream()
                    .map(value -> PREFIX + value)
                    .collect(ImmutableList.toImmutableList()),
                domain.count()))
            .collect(toImmutableList()));
  }
}
