package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.WorkloadId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The quota that a {@link Ledger} leaves, computed only from specs and usage; in a slow and obvious
 * way, with unbounded integers. Quotas of {@link Long#MAX_VALUE} or more are infinite; usage of a
 * queue beyond it counts as {@link Long#MAX_VALUE}.
 *
 * <p>Rules: N-3, Q-1, Q-2, Q-3, Q-4, Q-5, Q-6, Q-7, Q-8, Q-9.
 */
final class QuotaBooks {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger INFINITE = BigInteger.TWO.pow(200);

  /** A ClusterQueue or cohort. */
  private record Node(
      String name, boolean isQueue, Optional<String> parent, Map<Pair, ResourceQuota> quotas) {}

  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, List<Node>> children = new HashMap<>();
  private final Map<String, Map<Pair, BigInteger>> usages = new TreeMap<>();
  private final Map<String, BigInteger> subtrees = new HashMap<>();

  /** Whether a part of an infinite quota may be lent, as if it were {@link Long#MAX_VALUE}. */
  private final boolean exact;

  /** Creates the books without the usage of {@code except}. */
  QuotaBooks(Ledger ledger, Set<WorkloadId> except) {
    exact = ledger.settings().includes(KueueFix.EXACT_LARGE_AMOUNTS);
    for (ClusterQueue queue : ledger.queues()) {
      add(new Node("q:" + queue.name(), true, queue.cohort(), quotas(queue.resourceGroups())));
      Map<Pair, BigInteger> usage = ledger.usage(queue.name(), except);
      usage.replaceAll((pair, amount) -> amount.min(MAX));
      usages.put("q:" + queue.name(), usage);
    }
    for (Cohort cohort : ledger.cohorts()) {
      add(new Node("c:" + cohort.name(), false, cohort.parent(), quotas(cohort.resourceGroups())));
    }
    for (Node node : List.copyOf(nodes.values())) {
      node.parent()
          .ifPresent(parent -> nodes.computeIfAbsent(
              "c:" + parent, name -> new Node(name, false, Optional.empty(), Map.of())));
    }
    nodes
        .values()
        .forEach(node -> node.parent()
            .ifPresent(parent -> children
                .computeIfAbsent("c:" + parent, unused -> new ArrayList<>())
                .add(node)));
  }

  private void add(Node node) {
    nodes.put(node.name(), node);
  }

  static Map<Pair, ResourceQuota> quotas(List<ResourceGroup> groups) {
    Map<Pair, ResourceQuota> quotas = new TreeMap<>();
    groups.forEach(group -> group
        .flavors()
        .forEach(flavor -> flavor
            .resources()
            .forEach(quota -> quotas.put(new Pair(flavor.flavor(), quota.resource()), quota))));
    return quotas;
  }

  private Set<Pair> pairs() {
    Set<Pair> pairs = new TreeSet<>();
    nodes.values().forEach(node -> pairs.addAll(node.quotas().keySet()));
    usages.values().forEach(usage -> pairs.addAll(usage.keySet()));
    return pairs;
  }

  /** {@return the amounts by which nodes exceed their quota; nodes that do not are absent} */
  Map<String, BigInteger> excess() {
    Map<String, BigInteger> excess = new TreeMap<>();
    for (Pair pair : pairs()) {
      for (Node node : nodes.values()) {
        BigInteger above = usage(node, pair).subtract(capacity(node, pair));
        if (above.signum() > 0) {
          excess.put(
              (node.isQueue() ? "ClusterQueue " : "Cohort ") + node.name().substring(2) + " in "
                  + pair,
              above);
        }
      }
    }
    return excess;
  }

  private BigInteger capacity(Node node, Pair pair) {
    if (node.parent().isEmpty()) {
      return subtree(node, pair);
    }
    ResourceQuota quota = node.quotas().get(pair);
    return quota == null || quota.borrowingLimit().isEmpty()
        ? INFINITE
        : bounded(subtree(node, pair).add(amount(quota.borrowingLimit().getAsLong())));
  }

  /** {@return the usage of {@code pair} in {@code queue}} */
  BigInteger usage(String queue, Pair pair) {
    return usage(queue(queue), pair);
  }

  /** {@return the amount of {@code pair} available to {@code queue} now, at least 0 } */
  BigInteger available(String queue, Pair pair) {
    return atLeastZero(balance(queue(queue), pair));
  }

  /** {@return whether {@code queue} exceeds its nominal quota with {@code more} } */
  boolean borrows(String queue, Pair pair, BigInteger more) {
    Node node = queue(queue);
    return subtree(node, pair).compareTo(usage(node, pair).add(more)) < 0;
  }

  private Node queue(String name) {
    Node node = nodes.get("q:" + name);
    if (node == null) {
      throw new IllegalArgumentException("there is no ClusterQueue " + name);
    }
    return node;
  }

  // ----- the rules

  private BigInteger subtree(Node node, Pair pair) {
    String key = node.name() + " " + pair;
    BigInteger known = subtrees.get(key);
    if (known != null) {
      return known;
    }
    ResourceQuota quota = node.quotas().get(pair);
    BigInteger sum = quota == null ? BigInteger.ZERO : amount(quota.nominalQuota());
    for (Node child : childrenOf(node)) {
      sum = bounded(sum.add(lent(child, pair)));
    }
    subtrees.put(key, sum);
    return sum;
  }

  private List<Node> childrenOf(Node node) {
    return node.isQueue() ? List.of() : children.getOrDefault(node.name(), List.of());
  }

  private BigInteger local(Node node, Pair pair) {
    ResourceQuota quota = node.quotas().get(pair);
    if (quota == null || quota.lendingLimit().isEmpty()) {
      return BigInteger.ZERO;
    }
    long limit = quota.lendingLimit().getAsLong();
    return atLeastZero(
        exact
            ? subtree(node, pair).min(MAX).subtract(BigInteger.valueOf(limit))
            : bounded(subtree(node, pair).subtract(amount(limit))));
  }

  private BigInteger lent(Node node, Pair pair) {
    return bounded(subtree(node, pair).min(MAX).subtract(local(node, pair).min(MAX)));
  }

  private BigInteger usage(Node node, Pair pair) {
    if (node.isQueue()) {
      return usages.getOrDefault(node.name(), Map.of()).getOrDefault(pair, BigInteger.ZERO);
    }
    return childrenOf(node).stream()
        .map(child -> atLeastZero(usage(child, pair).subtract(local(child, pair))))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private BigInteger balance(Node node, Pair pair) {
    BigInteger subtree = subtree(node, pair);
    BigInteger usage = usage(node, pair);
    if (node.parent().isEmpty()) {
      return subtree.subtract(usage);
    }
    BigInteger local = local(node, pair);
    BigInteger fromParent = balance(node("c:" + node.parent().get()), pair);
    ResourceQuota quota = node.quotas().get(pair);
    if (quota != null && quota.borrowingLimit().isPresent()) {
      BigInteger own = lent(node, pair).subtract(atLeastZero(usage.subtract(local)));
      fromParent = fromParent.min(own.add(amount(quota.borrowingLimit().getAsLong())));
    }
    return atLeastZero(local.subtract(usage)).add(fromParent);
  }

  private Node node(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("there is no node " + name);
    }
    return node;
  }

  private static BigInteger amount(long amount) {
    return bounded(BigInteger.valueOf(amount));
  }

  private static BigInteger bounded(BigInteger amount) {
    return amount.compareTo(MAX) >= 0 ? INFINITE : amount;
  }

  private static BigInteger atLeastZero(BigInteger value) {
    return value.max(BigInteger.ZERO);
  }
}
