package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FairSharing;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds trees of queues and their cohorts, and moves the queues with their usage into them.
 *
 * <p>Rules: Q-20.
 */
final class TreeBuilder {
  private final Catalog catalog;
  private final TrialParticipant participant;
  private final boolean exact;
  private final Journal journal;

  /**
   * Creates a builder.
   *
   * @param catalog interns flavors and resources
   * @param participant what takes part in the trials of the trees
   * @param exact whether an unlimited amount is the greatest amount, of which a part may be lent
   * @param journal records what the trees were
   */
  TreeBuilder(Catalog catalog, TrialParticipant participant, boolean exact, Journal journal) {
    this.catalog = catalog;
    this.participant = participant;
    this.exact = exact;
    this.journal = journal;
  }

  /** {@return the node of a cohort, which was applied unless {@code spec} is null} */
  TreeNode cohort(int parent, String name, @Nullable Cohort spec) {
    return spec == null
        ? new TreeNode(parent, name, List.of(), FairSharing.DEFAULT.weight(), null)
        : new TreeNode(
            parent,
            name,
            DeclaredQuota.of(spec.resourceGroups(), catalog),
            spec.fairSharing().weight(),
            null);
  }

  /** {@return the node of a ClusterQueue} */
  TreeNode queue(int parent, QueueQuota queue) {
    return new TreeNode(
        parent,
        queue.name(),
        DeclaredQuota.of(queue.spec().resourceGroups(), catalog),
        queue.spec().fairSharing().weight(),
        queue);
  }

  /**
   * Builds a tree.
   *
   * @param nodes its cohorts and queues
   * @param more pairs that get a column even if no node declares them and no workload holds them
   * @param advancesGenerations whether quota may have become available
   */
  void build(List<TreeNode> nodes, List<FlavorResource> more, boolean advancesGenerations) {
    if (nodes.get(nodes.size() - 1).queue() == null) {
      // Cohorts without queues need no tree.
      return;
    }
    // In the order of declaration in the tree.
    Set<FlavorResource> pairs = new LinkedHashSet<>();
    nodes.forEach(node -> node.quotas().forEach(quota -> pairs.add(quota.pair())));
    // Also pairs with amount 0, or of a flavor that is not declared any more.
    for (TreeNode node : nodes) {
      if (node.queue() != null) {
        node.queue().holders().forEach(holder -> pairs.addAll(Arrays.asList(holder.pairs())));
      }
    }
    pairs.addAll(more);
    QuotaTree tree = new QuotaTree(nodes, pairs.toArray(new FlavorResource[0]), exact, journal);
    tree.setParticipant(participant);
    tree.resetUsage(queue -> queue.usageIn(tree));
    for (int node = 0; node < nodes.size(); node++) {
      QueueQuota queue = nodes.get(node).queue();
      if (queue != null) {
        queue.place(tree, node);
        if (advancesGenerations) {
          queue.advanceGeneration();
        }
      }
    }
    tree.computeHeights();
  }
}
