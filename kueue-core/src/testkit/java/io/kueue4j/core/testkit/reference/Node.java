package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue or cohort of a {@link Snapshot}, with its quota and its usage.
 *
 * <p>Rules, N-4,
 * N-7.
 */
final class Node {
  /** The height of borrowing, and whether lent quota could be reclaimed for the request. */
  record BorrowLevel(int height, boolean mayReclaim) {}

  final String name;
  final boolean isQueue;
  final @Nullable Node parent;
  final double weight;
  final List<Node> children = new ArrayList<>();

  /** The workloads with quota; only for a queue. */
  final List<Holder> holders = new ArrayList<>();

  /** Whether an unlimited amount is the greatest amount, of which a part may be lent. */
  private final boolean exact;

  private final Map<FlavorResource, ResourceQuota> quotas;
  private final Map<FlavorResource, Long> subtree;
  private final Map<FlavorResource, Long> usage = new LinkedHashMap<>();

  private Node(
      String name,
      boolean isQueue,
      @Nullable Node parent,
      double weight,
      boolean exact,
      Map<FlavorResource, ResourceQuota> quotas,
      Map<FlavorResource, Long> subtree) {
    this.name = name;
    this.isQueue = isQueue;
    this.parent = parent;
    this.weight = weight;
    this.exact = exact;
    this.quotas = quotas;
    this.subtree = subtree;
    if (parent != null) {
      parent.children.add(this);
    }
  }

  static Node of(
      String name,
      boolean isQueue,
      @Nullable Node parent,
      double weight,
      boolean exact,
      List<ResourceGroup> groups) {
    return new Node(name, isQueue, parent, weight, exact, quotas(groups), new LinkedHashMap<>());
  }

  static Map<FlavorResource, ResourceQuota> quotas(List<ResourceGroup> groups) {
    Map<FlavorResource, ResourceQuota> quotas = new LinkedHashMap<>();
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          quotas.put(new FlavorResource(flavor.flavor(), quota.resource()), quota);
        }
      }
    }
    return quotas;
  }

  /** {@return a copy of this node and all below it} */
  Node copy(@Nullable Node newParent) {
    Node copy = new Node(name, isQueue, newParent, weight, exact, quotas, subtree);
    copy.usage.putAll(usage);
    copy.holders.addAll(holders);
    children.forEach(child -> child.copy(copy));
    return copy;
  }

  /** Counts quota and usage of this node and all below it. */
  void count() {
    quotas.forEach((pair, quota) -> subtree.put(pair, quota.nominalQuota()));
    holders.forEach(
        holder -> holder.usage().forEach((pair, amount) -> usage.merge(pair, amount, Amount::add)));
    for (Node child : children) {
      child.count();
      child.subtree.forEach(
          (pair, amount) -> subtree.merge(pair, amount - child.local(pair), Amount::add));
      child.usage.forEach((pair, amount) ->
          usage.merge(pair, Math.max(0, Amount.subtract(amount, child.local(pair))), Amount::add));
    }
  }

  Set<FlavorResource> knownPairs() {
    return subtree.keySet();
  }

  long subtree(FlavorResource pair) {
    return subtree.getOrDefault(pair, 0L);
  }

  long usage(FlavorResource pair) {
    return usage.getOrDefault(pair, 0L);
  }

  OptionalLong borrowingLimit(FlavorResource pair) {
    ResourceQuota quota = quotas.get(pair);
    return quota == null ? OptionalLong.empty() : quota.borrowingLimit();
  }

  /** the part that is never lent. */
  long local(FlavorResource pair) {
    ResourceQuota quota = quotas.get(pair);
    if (quota == null || quota.lendingLimit().isEmpty()) {
      return 0;
    }
    long limit = quota.lendingLimit().getAsLong();
    return Math.max(0, exact ? subtree(pair) - limit : Amount.subtract(subtree(pair), limit));
  }

  /** */
  long localAvailable(FlavorResource pair) {
    return Math.max(0, Amount.subtract(local(pair), usage(pair)));
  }

  /** the part that exceeds the local quota is added at the parent. */
  void add(FlavorResource pair, long amount) {
    long localAvailable = localAvailable(pair);
    usage.merge(pair, amount, Amount::add);
    if (parent != null && amount > localAvailable) {
      parent.add(pair, Amount.subtract(amount, localAvailable));
    }
  }

  /** the part above the local quota is removed at the parent. */
  void remove(FlavorResource pair, long amount) {
    long aboveLocal = Amount.subtract(usage(pair), local(pair));
    usage.put(pair, Amount.subtract(usage(pair), amount));
    if (parent != null && aboveLocal > 0) {
      parent.remove(pair, Math.min(amount, aboveLocal));
    }
  }

  /** may be negative. */
  private long availableWithDebt(FlavorResource pair) {
    if (parent == null) {
      return Amount.subtract(subtree(pair), usage(pair));
    }
    long fromParent = parent.availableWithDebt(pair);
    OptionalLong limit = borrowingLimit(pair);
    if (limit.isPresent()) {
      long lent = subtree(pair) - local(pair);
      long usedOfLent = Math.max(0, Amount.subtract(usage(pair), local(pair)));
      fromParent =
          Math.min(fromParent, Amount.add(Amount.subtract(lent, usedOfLent), limit.getAsLong()));
    }
    return Amount.add(localAvailable(pair), fromParent);
  }

  /** what a queue may use now. */
  long available(FlavorResource pair) {
    return Math.max(0, availableWithDebt(pair));
  }

  /** the maximum that could ever be available. */
  long potential(FlavorResource pair) {
    if (parent == null) {
      return subtree(pair);
    }
    long potential = Amount.add(local(pair), parent.potential(pair));
    OptionalLong limit = borrowingLimit(pair);
    return limit.isPresent()
        ? Math.min(Amount.add(subtree(pair), limit.getAsLong()), potential)
        : potential;
  }

  /** equality is not borrowing. */
  boolean isBorrowingWith(FlavorResource pair, long amount) {
    return subtree(pair) < Amount.add(usage(pair), amount);
  }

  /** */
  boolean isWithinNominal(Collection<FlavorResource> pairs) {
    return pairs.stream().allMatch(pair -> usage(pair) <= subtree(pair));
  }

  /** whether all amounts fit in the quota of this subtree alone. */
  boolean fitsInQuota(Map<FlavorResource, Long> amounts) {
    return amounts.entrySet().stream()
        .noneMatch(amount -> isBorrowingWith(amount.getKey(), amount.getValue()));
  }

  /** the part of the amounts that the parent has to provide. */
  Map<FlavorResource, Long> beyondLocal(Map<FlavorResource, Long> amounts) {
    Map<FlavorResource, Long> rest = new LinkedHashMap<>();
    amounts.forEach((pair, amount) ->
        rest.put(pair, Math.max(0, Amount.subtract(amount, localAvailable(pair)))));
    return rest;
  }

  /** */
  BorrowLevel borrowLevel(FlavorResource pair, long amount) {
    if (parent == null || !isBorrowingWith(pair, amount)) {
      return new BorrowLevel(0, parent != null);
    }
    long rest = Amount.subtract(amount, localAvailable(pair));
    for (Node ancestor : ancestors()) {
      if (!ancestor.isBorrowingWith(pair, rest)) {
        return new BorrowLevel(ancestor.height(), ancestor.parent != null);
      }
      rest = Amount.subtract(rest, ancestor.localAvailable(pair));
    }
    return new BorrowLevel(root().height(), false);
  }

  /** Q-17, U-24: counts only active nodes. */
  int height() {
    int height = 0;
    for (Node child : children) {
      height = Math.max(height, 1 + child.height());
    }
    return height;
  }

  /** {@return the cohorts above, from the parent to the root} */
  ImmutableList<Node> ancestors() {
    ImmutableList.Builder<Node> ancestors = ImmutableList.builder();
    for (Node node = parent; node != null; node = node.parent) {
      ancestors.add(node);
    }
    return ancestors.build();
  }

  Node root() {
    Node root = this;
    while (root.parent != null) {
      root = root.parent;
    }
    return root;
  }

  @Override
  public String toString() {
    return (isQueue ? "ClusterQueue " : "Cohort ") + name + " " + usage;
  }
}
