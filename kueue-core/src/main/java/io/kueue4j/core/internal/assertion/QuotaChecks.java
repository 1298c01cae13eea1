package io.kueue4j.core.internal.assertion;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.EngineState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The usage of each node of a quota tree is the sum of what the holders below it hold. */
final class QuotaChecks {
  private QuotaChecks() {}

  static void check(EngineState state, List<String> violations) {
    Set<QuotaTree> seen = new HashSet<>();
    for (QueueState queue : state.queues()) {
      QuotaTree tree = queue.quota().tree();
      if (seen.add(tree)) {
        if (tree.isInTrial()) {
          violations.add("a trial is open in the tree of ClusterQueue " + queue.name());
        }
        compare(queue, tree, queue.quota().countedAnew(), violations);
      }
    }
  }

  private static void compare(
      QueueState queue, QuotaTree tree, QuotaTree counted, List<String> violations) {
    for (int node = 0; node < tree.nodeCount(); node++) {
      for (int column = 0; column < tree.columnCount(); column++) {
        long usage = tree.usage(node, column);
        if (usage != counted.usage(node, column)) {
          violations.add(
              "the usage of node %d, column %d in the tree of ClusterQueue %s is %d; its holders use %d"
                  .formatted(node, column, queue.name(), usage, counted.usage(node, column)));
        }
        if (tree.borrowers().next(node, column) != counted.borrowers().next(node, column)) {
          violations.add(
              "the borrowers from node %d on, column %d in the tree of ClusterQueue %s are wrong"
                  .formatted(node, column, queue.name()));
        }
      }
    }
  }
}
