package io.kueue4j.core.internal.quota;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Quota arithmetic written down as the rules state it: every number is computed anew from what was
 * declared and what the queues use. For bounded amounts only.
 */
final class ReferenceForest {
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, Long> usageOfQueues = new TreeMap<>();

  /** What a queue or cohort declares; cohorts that are only named declare nothing. */
  record Node(
      boolean queue,
      Optional<String> parent,
      long nominal,
      OptionalLong borrowingLimit,
      OptionalLong lendingLimit) {
    private static final Node IMPLICIT =
        new Node(false, Optional.empty(), 0, OptionalLong.empty(), OptionalLong.empty());
  }

  void put(String name, Node node) {
    nodes.put(name, node);
  }

  void remove(String name) {
    nodes.remove(name);
    usageOfQueues.remove(name);
  }

  void add(String queue, long amount) {
    usageOfQueues.merge(queue, amount, Long::sum);
  }

  private Node node(String name) {
    return nodes.getOrDefault(name, Node.IMPLICIT);
  }

  Optional<String> parent(String name) {
    return node(name).parent();
  }

  private Set<String> children(String name) {
    Set<String> children = new TreeSet<>();
    nodes.forEach((child, node) -> {
      if (node.parent().equals(Optional.of(name))) {
        children.add(child);
      }
    });
    return children;
  }

  /** Rule Q-1. */
  long subtree(String name) {
    long sum = node(name).nominal();
    for (String child : children(name)) {
      sum += subtree(child) - local(child);
    }
    return sum;
  }

  /** Rule Q-2. */
  private long local(String name) {
    OptionalLong limit = node(name).lendingLimit();
    return limit.isPresent() ? Math.max(0, subtree(name) - limit.getAsLong()) : 0;
  }

  /** Rule Q-3. */
  private long localAvailable(String name) {
    return Math.max(0, local(name) - usage(name));
  }

  /** Rule Q-4. */
  long usage(String name) {
    if (node(name).queue()) {
      return usageOfQueues.getOrDefault(name, 0L);
    }
    long sum = 0;
    for (String child : children(name)) {
      sum += Math.max(0, usage(child) - local(child));
    }
    return sum;
  }

  /** Rule Q-7. */
  private long balance(String name) {
    Optional<String> parent = parent(name);
    if (parent.isEmpty()) {
      return subtree(name) - usage(name);
    }
    long fromParent = balance(parent.get());
    OptionalLong limit = node(name).borrowingLimit();
    if (limit.isPresent()) {
      long lent = subtree(name) - local(name);
      long taken = Math.max(0, usage(name) - local(name));
      fromParent = Math.min(fromParent, lent - taken + limit.getAsLong());
    }
    return localAvailable(name) + fromParent;
  }

  /** Rule Q-8. */
  long available(String queue) {
    return Math.max(0, balance(queue));
  }

  /** Rule Q-9. */
  long potential(String name) {
    Optional<String> parent = parent(name);
    if (parent.isEmpty()) {
      return subtree(name);
    }
    long unbound = local(name) + potential(parent.get());
    OptionalLong limit = node(name).borrowingLimit();
    return limit.isPresent() ? Math.min(subtree(name) + limit.getAsLong(), unbound) : unbound;
  }

  /** Rule Q-10. */
  boolean borrowsWith(String name, long amount) {
    return subtree(name) < usage(name) + amount;
  }

  private int height(String name) {
    int height = 0;
    for (String child : children(name)) {
      height = Math.max(height, node(child).queue() ? 1 : 1 + height(child));
    }
    return height;
  }

  /** Rule Q-17: the level. */
  int level(String queue, long amount) {
    Optional<String> ancestor = lowestThatTakes(queue, amount);
    return ancestor.map(this::height).orElse(0);
  }

  /** Rule Q-17: whether there is anything around the subtree found. */
  boolean mayReclaim(String queue, long amount) {
    if (!borrowsWith(queue, amount)) {
      return parent(queue).isPresent();
    }
    Optional<String> ancestor = lowestThatTakes(queue, amount);
    return ancestor.isPresent() && parent(ancestor.get()).isPresent();
  }

  /**
   * The ancestor whose quota takes the amount, the root if none does, nothing if none is needed.
   */
  private Optional<String> lowestThatTakes(String queue, long amount) {
    Optional<String> ancestor = parent(queue);
    if (ancestor.isEmpty() || !borrowsWith(queue, amount)) {
      return Optional.empty();
    }
    long rest = amount - localAvailable(queue);
    while (borrowsWith(ancestor.get(), rest) && parent(ancestor.get()).isPresent()) {
      rest -= localAvailable(ancestor.get());
      ancestor = parent(ancestor.get());
    }
    return ancestor;
  }
}
