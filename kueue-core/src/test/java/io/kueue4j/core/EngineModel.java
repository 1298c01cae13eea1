package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What usage and availability must be, computed from nothing but queues, cohorts and what runs; the
 * slow and obvious way, with integers without bounds.
 *
 * <p>Rules.
 */
final class EngineModel {
  private final Map<String, ClusterQueue> queues = new TreeMap<>();
  private final Map<String, Cohort> cohorts = new TreeMap<>();
  private final Map<WorkloadId, Workload> workloads;
  private final List<Admission> running;

  EngineModel(
      Collection<ClusterQueue> queues,
      Collection<Cohort> cohorts,
      Map<WorkloadId, Workload> workloads,
      List<Admission> running) {
    queues.forEach(queue -> this.queues.put(queue.name(), queue));
    cohorts.forEach(cohort -> this.cohorts.put(cohort.name(), cohort));
    this.workloads = workloads;
    this.running = running;
  }

  /** {@return every flavor and resource that anything declares or uses} */
  Set<String> pairs() {
    TreeSet<String> pairs = new TreeSet<>();
    queues.values().forEach(queue -> pairs.addAll(quotas(queue.resourceGroups()).keySet()));
    cohorts
        .values()
        .forEach(cohort -> pairs.addAll(quotas(cohort.resourceGroups()).keySet()));
    running.forEach(admission -> admission
        .podSetAssignments()
        .forEach(podSet ->
            podSet.flavors().forEach((resource, flavor) -> pairs.add(pair(flavor, resource)))));
    return pairs;
  }

  static String pair(String flavor, String resource) {
    return flavor + "/" + resource;
  }

  /** {@return what the running workloads hold of the queue; R-7} */
  BigInteger queueUsage(String queue, String pair) {
    return running.stream()
        .filter(admission -> admission.clusterQueue().equals(queue))
        .map(admission -> charge(admission, pair))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private BigInteger charge(Admission admission, String pair) {
    Workload workload = workloads.get(admission.workload());
    if (workload == null) {
      throw new AssertionError("nothing is known of " + admission.workload());
    }
    return admission.podSetAssignments().stream()
        .flatMap(podSet -> podSet.flavors().entrySet().stream()
            .filter(entry -> pair(entry.getValue(), entry.getKey()).equals(pair))
            .map(entry -> {
              int reclaimable = workload.reclaimablePods().getOrDefault(podSet.name(), 0);
              int specCount = workload.podSets().stream()
                  .filter(spec -> spec.name().equals(podSet.name()))
                  .findFirst()
                  .orElseThrow()
                  .count();
              int count = Math.min(podSet.count(), specCount - reclaimable);
              long charged = podSet.resourceUsage().getOrDefault(entry.getKey(), 0L);
              return count == podSet.count()
                  ? BigInteger.valueOf(charged)
                  : BigInteger.valueOf(charged / podSet.count())
                      .multiply(BigInteger.valueOf(count));
            }))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /**
   * {@return the usage of every node and pair whose usage is above what the node has and may
   * borrow, by {@code node flavor/resource}}
   */
  Map<String, BigInteger> overcommitment() {
    Map<String, BigInteger> over = new TreeMap<>();
    Stream.concat(
            queues.keySet().stream().map(this::queueNode),
            allCohorts().stream().map(this::cohortNode))
        .forEach(node -> pairs().forEach(pair -> {
          if (balance(node, pair).signum() < 0) {
            over.put(node.name() + " " + pair, usage(node, pair));
          }
        }));
    return over;
  }

  private Set<String> allCohorts() {
    TreeSet<String> names = new TreeSet<>(cohorts.keySet());
    cohorts.values().forEach(cohort -> cohort.parent().ifPresent(names::add));
    queues.values().forEach(queue -> queue.cohort().ifPresent(names::add));
    return names;
  }

  /** {@return what one more workload could have; Q-8} */
  BigInteger available(String queue, String pair) {
    return balance(queueNode(queue), pair).max(BigInteger.ZERO);
  }

  /** A queue or a cohort. */
  private record Node(
      String name, boolean isQueue, Optional<Node> parent, Map<String, ResourceQuota> quotas) {}

  private Node queueNode(String name) {
    ClusterQueue queue = queues.get(name);
    if (queue == null) {
      throw new AssertionError("no queue " + name);
    }
    return new Node(
        name, true, queue.cohort().map(this::cohortNode), quotas(queue.resourceGroups()));
  }

  private Node cohortNode(String name) {
    Cohort cohort = cohorts.get(name);
    return cohort == null
        ? new Node(name, false, Optional.empty(), Map.of())
        : new Node(
            name, false, cohort.parent().map(this::cohortNode), quotas(cohort.resourceGroups()));
  }

  private Stream<Node> children(Node node) {
    if (node.isQueue()) {
      return Stream.empty();
    }
    return Stream.concat(
        queues.values().stream()
            .filter(queue -> queue.cohort().equals(Optional.of(node.name())))
            .map(queue -> queueNode(queue.name())),
        allCohorts().stream()
            .map(this::cohortNode)
            .filter(cohort -> cohort.parent().map(Node::name).equals(Optional.of(node.name()))));
  }

  private static Map<String, ResourceQuota> quotas(ImmutableList<ResourceGroup> groups) {
    Map<String, ResourceQuota> quotas = new TreeMap<>();
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        flavor
            .resources()
            .forEach(quota -> quotas.put(pair(flavor.flavor(), quota.resource()), quota));
      }
    }
    return quotas;
  }

  private BigInteger subtree(Node node, String pair) {
    ResourceQuota quota = node.quotas().get(pair);
    BigInteger nominal = BigInteger.valueOf(quota == null ? 0 : quota.nominalQuota());
    return children(node)
        .map(child -> subtree(child, pair).subtract(local(child, pair)))
        .reduce(nominal, BigInteger::add);
  }

  private BigInteger local(Node node, String pair) {
    ResourceQuota quota = node.quotas().get(pair);
    if (quota == null || quota.lendingLimit().isEmpty()) {
      return BigInteger.ZERO;
    }
    return atLeastZero(
        subtree(node, pair).subtract(BigInteger.valueOf(quota.lendingLimit().getAsLong())));
  }

  private BigInteger usage(Node node, String pair) {
    if (node.isQueue()) {
      return queueUsage(node.name(), pair);
    }
    return children(node)
        .map(child -> atLeastZero(usage(child, pair).subtract(local(child, pair))))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private BigInteger balance(Node node, String pair) {
    BigInteger subtree = subtree(node, pair);
    BigInteger usage = usage(node, pair);
    if (node.parent().isEmpty()) {
      return subtree.subtract(usage);
    }
    BigInteger local = local(node, pair);
    BigInteger fromParent = balance(node.parent().get(), pair);
    ResourceQuota quota = node.quotas().get(pair);
    if (quota != null && quota.borrowingLimit().isPresent()) {
      BigInteger own = subtree.subtract(local).subtract(atLeastZero(usage.subtract(local)));
      fromParent =
          fromParent.min(own.add(BigInteger.valueOf(quota.borrowingLimit().getAsLong())));
    }
    return atLeastZero(local.subtract(usage)).add(fromParent);
  }

  private static BigInteger atLeastZero(BigInteger value) {
    return value.max(BigInteger.ZERO);
  }
}
