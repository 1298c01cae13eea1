package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.testkit.reference.placement.Nodes;
import io.kueue4j.core.testkit.reference.placement.PlacedPods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All active queues, and the cohorts above them, computed from scratch; copies are independent.
 *
 * <p>Rules: S-1, S-2, U-24, M-15, Q-13, T-12, T-73.
 */
public final class Snapshot {
  private final List<Node> roots;
  private final Map<String, Node> queues = new TreeMap<>();

  /** The nodes that pods are placed on. */
  final Nodes nodes;

  private Snapshot(List<Node> roots, Nodes nodes) {
    this.roots = roots;
    this.nodes = nodes;
    roots.forEach(this::index);
  }

  private void index(Node node) {
    if (node.isQueue) {
      queues.put(node.name, node);
    }
    node.children.forEach(this::index);
  }

  static Snapshot of(Specs specs, Collection<Job> jobs, UsageHistories usage) {
    Map<String, Node> cohorts = new TreeMap<>();
    Map<String, Node> queues = new TreeMap<>();
    specs.cohortNames().forEach(name -> cohort(name, specs, cohorts));
    for (ClusterQueue queue : specs.queues()) {
      Node parent = queue.cohort().map(name -> cohort(name, specs, cohorts)).orElse(null);
      queues.put(
          queue.name(),
          Node.of(
              queue.name(),
              true,
              parent,
              queue.fairSharingWeight(),
              specs.settings().includes(KueueFix.EXACT_LARGE_AMOUNTS),
              queue.resourceGroups()));
    }
    Nodes nodes = specs.emptyNodes();
    for (Job job : jobs) {
      job.holder()
          .map(holder -> usage.areUsedBy(holder.queue())
              ? holder.withLocalQueueUsage(usage.usage(Specs.localQueueKey(job.workload())))
              : holder)
          .ifPresent(holder -> {
            Objects.requireNonNull(queues.get(holder.queue())).holders.add(holder);
            nodes.charge(holder.pods());
          });
    }
    List<Node> roots = new ArrayList<>();
    cohorts.values().stream().filter(node -> node.parent == null).forEach(roots::add);
    queues.values().stream().filter(node -> node.parent == null).forEach(roots::add);
    roots.forEach(Node::count);
    leaveOutInactive(specs, queues.values(), roots);
    return new Snapshot(roots, nodes);
  }

  private static Node cohort(String name, Specs specs, Map<String, Node> cohorts) {
    Node known = cohorts.get(name);
    if (known != null) {
      return known;
    }
    Node parent = specs
        .cohort(name)
        .flatMap(Cohort::parent)
        .map(above -> cohort(above, specs, cohorts))
        .orElse(null);
    Node node = Node.of(
        name,
        false,
        parent,
        specs.cohort(name).map(Cohort::fairSharingWeight).orElse(1.0),
        specs.settings().includes(KueueFix.EXACT_LARGE_AMOUNTS),
        specs.cohort(name).map(Cohort::resourceGroups).orElse(ImmutableList.of()));
    cohorts.put(name, node);
    return node;
  }

  /** U-24: removed after the computation, so that their quota and usage count above them. */
  private static void leaveOutInactive(Specs specs, Collection<Node> queues, List<Node> roots) {
    for (Node queue : queues) {
      if (!specs.isActive(queue.name)) {
        (queue.parent == null ? roots : queue.parent.children).remove(queue);
      }
    }
  }

  Snapshot copy() {
    List<Node> copies = new ArrayList<>();
    roots.forEach(root -> copies.add(root.copy(null)));
    return new Snapshot(copies, nodes.copy());
  }

  /** {@return the node of a queue that takes part} */
  Node queue(String name) {
    return Objects.requireNonNull(queues.get(name), name);
  }

  Collection<Node> queues() {
    return queues.values();
  }

  /** Adds usage without a workload, which cannot be preempted (S-2). */
  void addUsage(String queue, Map<FlavorResource, Long> usage) {
    usage.forEach(queue(queue)::add);
  }

  /** T-12: only for their own flavors. */
  void addPods(Collection<PlacedPods> pods) {
    nodes.chargeOwn(pods);
  }

  void removeUsage(String queue, Map<FlavorResource, Long> usage) {
    usage.forEach(queue(queue)::remove);
  }

  void add(Holder holder) {
    queue(holder.queue()).holders.add(holder);
    addUsage(holder.queue(), holder.usage());
    nodes.chargeOwn(holder.pods());
  }

  void remove(Holder holder) {
    queue(holder.queue()).holders.remove(holder);
    removeUsage(holder.queue(), holder.usage());
    nodes.dischargeOwn(holder.pods());
  }

  void removeAll(Collection<Holder> holders) {
    holders.forEach(this::remove);
  }

  /** {@return a copy without {@code holders}} */
  Snapshot without(Collection<Holder> holders) {
    Snapshot copy = copy();
    copy.removeAll(holders);
    return copy;
  }

  /** an amount of 0 fits even where there is debt. */
  boolean fits(String queue, Map<FlavorResource, Long> amounts) {
    Node node = queue(queue);
    return amounts.entrySet().stream()
        .allMatch(amount -> amount.getValue() <= node.available(amount.getKey()));
  }
}
