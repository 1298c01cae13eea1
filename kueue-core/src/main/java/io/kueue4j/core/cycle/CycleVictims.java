package io.kueue4j.core.cycle;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workloads that are preempted or replaced in a cycle, on the trees of quota while its entries
 * are processed: there with all that they hold, or gone. Which of both, the rules say step by step.
 *
 * <p>To let them go, and to bring them back, costs as much as there are; to leave them as they are
 * costs nothing, so nothing is done before it is asked for.
 *
 * <p>Rules: S-11, S-14, S-15, S-19, T-73, T-74.
 */
final class CycleVictims {
  private final Map<QuotaTree, TreeVictims> ofTree = new LinkedHashMap<>();

  /** {@return whether one of {@code holders} has been taken} */
  boolean containsAny(List<QuotaHolder> holders) {
    if (ofTree.isEmpty()) {
      return false;
    }
    for (QuotaHolder holder : holders) {
      if (contains(holder)) {
        return true;
      }
    }
    return false;
  }

  boolean contains(QuotaHolder holder) {
    TreeVictims victims = ofTree.get(holder.queue().tree());
    return victims != null && victims.contains(holder);
  }

  /** Takes more of one tree, which go if those taken before have gone. */
  void take(List<QuotaHolder> holders) {
    for (QuotaHolder holder : holders) {
      ofTree.computeIfAbsent(holder.queue().tree(), TreeVictims::new).take(holder);
    }
  }

  /**
   * Lets all go: those of {@code tree} with their quota, no candidates any more, and if
   * {@code alsoNodes} those of all trees from their nodes.
   */
  void letGo(QuotaTree tree, boolean alsoNodes) {
    TreeVictims victims = ofTree.get(tree);
    if (victims != null) {
      victims.letGo();
    }
    if (alsoNodes) {
      ofTree.values().forEach(TreeVictims::letGoFromNodes);
    }
  }

  /** Brings back all that {@link #letGo} let go. */
  void bringBack(QuotaTree tree, boolean alsoNodes) {
    TreeVictims victims = ofTree.get(tree);
    if (victims != null) {
      victims.bringBack();
    }
    if (alsoNodes) {
      ofTree.values().forEach(TreeVictims::bringBackToNodes);
    }
  }

  /** Adds to the usage of a queue, which stays when they are let go or brought back. */
  void add(QueueQuota queue, int column, long amount) {
    QuotaTree tree = queue.tree();
    TreeVictims victims =
        amount < 0 ? ofTree.computeIfAbsent(tree, TreeVictims::new) : ofTree.get(tree);
    if (victims == null) {
      tree.add(queue.node(), column, amount);
    } else {
      victims.add(queue.node(), column, amount);
    }
  }

  /** {@return the usage of a queue as it is with all of them there} */
  long usage(QueueQuota queue, int column) {
    TreeVictims victims = ofTree.get(queue.tree());
    return victims == null
        ? queue.tree().usage(queue.node(), column)
        : victims.usage(queue, column);
  }

  /** {@return a tree with the usage of {@code tree} as it is with all of them there} */
  QuotaTree withThem(QuotaTree tree) {
    TreeVictims victims = ofTree.get(tree);
    return victims == null ? tree : victims.withThem();
  }

  /** They may be candidates again. The caller undoes what was done to usage. */
  void restore() {
    ofTree.values().forEach(TreeVictims::restore);
  }
}
