package io.kueue4j.core.internal.topology;

import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.Toleration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which leaves of the tree of an inventory pods may use, and how much they prefer them, according
 * to the labels and taints of the nodes. Keeps the answers.
 *
 * <p>Rules: T-13, T-15, T-61.
 */
final class LeafFilter {
  private static final int KEPT = 256;

  private final DomainTree tree;
  private final List<Toleration> tolerations;
  private final Node @Nullable [] nodes;
  private final LeafMatches everything = new LeafMatches.Builder().build();
  private final Map<PodConstraints, LeafMatches> matches = new HashMap<>();
  private final Map<Liking, NodeScores> scores = new HashMap<>();

  /** The usable leaves and the preferred node affinity of pods. */
  private record Liking(LeafMatches usable, List<PreferredNodeTerm> preferred) {}

  /**
   * Creates a filter.
   *
   * @param tolerations the tolerations of the flavor, which apply to all pods
   * @param nodes the node of each leaf, null if the leaves are no single nodes
   */
  LeafFilter(DomainTree tree, List<Toleration> tolerations, Node @Nullable [] nodes) {
    this.tree = tree;
    this.tolerations = tolerations;
    this.nodes = nodes;
  }

  /** {@return the leaves that pods may use; all if they are no single nodes (T-13)} */
  LeafMatches matches(PodConstraints constraints) {
    return remembered(matches, constraints, this::findMatches);
  }

  private static <K, V> V remembered(Map<K, V> known, K asked, Function<K, V> find) {
    if (known.size() >= KEPT && !known.containsKey(asked)) {
      known.clear();
    }
    return known.computeIfAbsent(asked, find);
  }

  private LeafMatches findMatches(PodConstraints constraints) {
    LeafMatches.Builder found = new LeafMatches.Builder();
    for (int leaf = 0; nodes != null && leaf < nodes.length; leaf++) {
      String obstacle = constraints.obstacle(nodes[leaf], tolerations);
      if (obstacle != null) {
        found.exclude(leaf, obstacle);
      }
    }
    LeafMatches built = found.build();
    // The same instance for all pods without constraints, so that they share fit counts.
    return built.exclusions().isEmpty() ? everything : built;
  }

  /**
   * {@return the scores of the leaves that pods may use; {@link NodeScores#NONE} if they are no
   * single nodes (T-61)}
   */
  NodeScores scores(PodConstraints constraints, List<PreferredNodeTerm> preferred) {
    if (preferred.isEmpty() || nodes == null) {
      return NodeScores.NONE;
    }
    LeafMatches usable = matches(constraints);
    return remembered(scores, new Liking(usable, preferred), liking -> findScores(liking, nodes));
  }

  private NodeScores findScores(Liking liking, Node[] leaves) {
    long[] ofLeaves = new long[leaves.length];
    for (int leaf = 0; leaf < leaves.length; leaf++) {
      Node node = leaves[leaf];
      ofLeaves[leaf] = liking.usable.passes(leaf)
          ? liking.preferred.stream()
              .filter(term -> PodConstraints.matches(term.preference(), node))
              .mapToLong(PreferredNodeTerm::weight)
              .sum()
          : 0;
    }
    return NodeScores.of(tree, ofLeaves);
  }
}
