package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workloads that are preempted or replaced in a cycle. While entries are processed, the usage
 * of the quota trees either includes these victims or excludes them; each step of the rules
 * requires one or the other.
 *
 * <p>Excluding or including victims costs time proportional to their number, so it is done only
 * when a step requires it.
 *
 * <p>Rules: S-11, S-14, S-15, S-19, T-73, T-74.
 */
final class CycleVictims {
  private final Map<QuotaTree, TreeVictims> ofTree = new LinkedHashMap<>();

  /** {@return whether one of {@code holders} in the tree of {@code queue} is a victim} */
  boolean containsAny(QueueQuota queue, List<QuotaHolder> holders) {
    TreeVictims victims = ofTree.get(queue.tree());
    return victims != null && holders.stream().anyMatch(victims::contains);
  }

  boolean contains(QueueQuota queue, QuotaHolder holder) {
    TreeVictims victims = ofTree.get(queue.tree());
    return victims != null && victims.contains(holder);
  }

  /** Adds victims in the tree of {@code queue}; they are excluded if the others of it are. */
  void take(QueueQuota queue, List<QuotaHolder> holders) {
    for (QuotaHolder holder : holders) {
      ofTree(queue).take(holder);
    }
  }

  private TreeVictims ofTree(QueueQuota queue) {
    return ofTree.computeIfAbsent(queue.tree(), TreeVictims::new);
  }

  /**
   * Excludes the victims of {@code tree} from usage and candidates, and if {@code alsoNodes} the
   * victims of all trees from their nodes.
   */
  void exclude(QuotaTree tree, boolean alsoNodes) {
    TreeVictims victims = ofTree.get(tree);
    if (victims != null) {
      victims.exclude();
    }
    if (alsoNodes) {
      ofTree.values().forEach(TreeVictims::excludeFromNodes);
    }
  }

  /** Includes again what {@link #exclude} has excluded. */
  void include(QuotaTree tree, boolean alsoNodes) {
    TreeVictims victims = ofTree.get(tree);
    if (victims != null) {
      victims.include();
    }
    if (alsoNodes) {
      ofTree.values().forEach(TreeVictims::includeOnNodes);
    }
  }

  /** Adds to the usage of a queue, regardless of whether victims are included. */
  void add(QueueQuota queue, int column, long amount) {
    QuotaTree tree = queue.tree();
    TreeVictims victims = amount < 0 ? ofTree(queue) : ofTree.get(tree);
    if (victims == null) {
      tree.add(queue.node(), column, amount);
    } else {
      victims.add(queue.node(), column, amount);
    }
  }

  /** {@return the usage of a queue including all victims} */
  long usage(QueueQuota queue, int column) {
    TreeVictims victims = ofTree.get(queue.tree());
    return victims == null
        ? queue.tree().usage(queue.node(), column)
        : victims.usage(queue, column);
  }

  /** {@return a tree with the usage of {@code tree} including all victims} */
  QuotaTree withVictims(QuotaTree tree) {
    TreeVictims victims = ofTree.get(tree);
    return victims == null ? tree : victims.withVictims();
  }

  /** Makes the victims candidates again. The caller restores the usage. */
  void restore() {
    ofTree.values().forEach(TreeVictims::restore);
  }
}
