package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.Maps;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Engines that are wrong about nodes and places. */
final class NodeBugs {
  private NodeBugs() {}

  /** Reads nodes wrongly. */
  static EngineUnderTest.Factory ofNodes(UnaryOperator<Node> change) {
    return MisinformedEngine.ofConfiguration(
        object -> object instanceof Node node ? change.apply(node) : object);
  }

  /** Makes a node larger, or smaller, or unusable; keeps where it is. */
  static Node.Builder like(Node node) {
    return Node.builder()
        .name(node.name())
        .putAllLabels(node.labels())
        .addAllTaints(node.taints())
        .putAllUsedByOthers(node.usedByOthers());
  }

  static Node twiceAsLarge(Node node) {
    return like(node)
        .ready(node.ready())
        .unschedulable(node.unschedulable())
        .putAllAllocatable(Maps.transformValues(node.allocatable(), amount -> 2 * amount))
        .build();
  }

  static Node alwaysReady(Node node) {
    return like(node).putAllAllocatable(node.allocatable()).build();
  }

  /** Leaves out hosts whose name is long, as a buffer of three bytes would. */
  static Node unlessNameIsLong(Node node) {
    boolean isLong = node.labels().getOrDefault(Topology.HOSTNAME, "").length() > 2;
    return like(node)
        .putAllAllocatable(node.allocatable())
        .ready(node.ready() && !isLong)
        .unschedulable(node.unschedulable())
        .build();
  }

  /** Takes what is required for a wish. */
  static Workload preferringOnly(Workload workload) {
    return Workload.builder()
        .namespace(workload.namespace())
        .name(workload.name())
        .queueName(workload.queueName())
        .priority(workload.priority())
        .addAllPodSets(
            workload.podSets().stream().map(NodeBugs::preferringOnly).collect(toImmutableList()))
        .build();
  }

  private static PodSet preferringOnly(PodSet podSet) {
    TopologyRequest request = podSet.topologyRequest();
    return request
        .required()
        .map(level -> PodSet.builder()
            .from(podSet)
            .topologyRequest(TopologyRequest.preferred(level))
            .build())
        .orElse(podSet);
  }

  /** Loses the last place of each pod set on its way out. */
  static final class Losing extends ForwardingEngine {
    Losing(EngineUnderTest right) {
      super(right);
    }

    @Override
    public CycleDecisions runCycle() {
      CycleDecisions decisions = super.runCycle();
      return new CycleDecisions(
          decisions.admitted().stream().map(Losing::withoutPlaces).collect(toImmutableList()),
          decisions.evictions(),
          decisions.waiting(),
          decisions.replaced(),
          decisions.stopped());
    }

    private static Admission withoutPlaces(Admission admission) {
      return Admission.builder()
          .workload(admission.workload())
          .clusterQueue(admission.clusterQueue())
          .quotaReservedTime(admission.quotaReservedTime())
          .addAllPodSetAssignments(admission.podSetAssignments().stream()
              .map(podSet -> PodSetAssignment.builder()
                  .name(podSet.name())
                  .count(podSet.count())
                  .putAllFlavors(podSet.flavors())
                  .putAllResourceUsage(podSet.resourceUsage())
                  .build())
              .collect(toImmutableList()))
          .build();
    }
  }

  /** Forgets who is on a node that went, so that it comes back as if it were larger. */
  static final class Forgetting extends ForwardingEngine {
    private final Set<String> gone = new TreeSet<>();

    Forgetting(EngineUnderTest right) {
      super(right);
    }

    @Override
    public boolean remove(Class<? extends ConfigObject> kind, String name) {
      boolean known = super.remove(kind, name);
      if (known && kind == Node.class) {
        gone.add(name);
      }
      return known;
    }

    @Override
    public void apply(List<ConfigObject> objects) {
      super.apply(objects.stream()
          .map(object -> object instanceof Node node && gone.contains(node.name())
              ? twiceAsLarge(node)
              : object)
          .collect(toImmutableList()));
    }
  }
}
