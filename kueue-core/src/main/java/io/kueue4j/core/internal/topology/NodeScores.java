package io.kueue4j.core.internal.topology;

/**
 * The scores of domains by the preferred node affinity of pods: the sum, over the leaves of a
 * domain, of the weights of the matching terms.
 *
 * <p>Rules: T-26, T-61, T-62.
 */
final class NodeScores {
  /** Equal scores for all domains. */
  static final NodeScores NONE = new NodeScores(new long[0][]);

  private final long[][] scores;

  private NodeScores(long[][] scores) {
    this.scores = scores;
  }

  /** {@return the scores of all domains, computed from the scores of the leaves} */
  static NodeScores of(DomainTree tree, long[] ofLeaves) {
    long[][] scores = new long[tree.levelCount()][];
    scores[tree.lowestLevel()] = ofLeaves;
    for (int level = tree.lowestLevel(); level > 0; level--) {
      scores[level - 1] = new long[tree.size(level - 1)];
      for (int domain = 0; domain < tree.size(level); domain++) {
        scores[level - 1][tree.parent(level, domain)] += scores[level][domain];
      }
    }
    return new NodeScores(scores);
  }

  long score(int level, int domain) {
    return scores.length == 0 ? 0 : scores[level][domain];
  }
}
