package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The result of a search for a place: the leaves, or how many pods would fit.
 *
 * <p>Rules: T-50, T-63.
 */
public sealed interface Placement {
  /**
   * The pods fit.
   *
   * @param leaves the leaves of the pods, in ascending order
   * @param leaderLeaf the leaf of the leader, negative if there is none
   */
  record Fits(ImmutableList<LeafCount> leaves, int leaderLeaf) implements Placement {}

  /**
   * The pods do not fit.
   *
   * @param fitting the number of slices that would fit, or of pods if there are no slices
   * @param level the level where the search ended
   */
  record DoesNotFit(int fitting, int level) implements Placement {}

  /**
   * A number of pods on a leaf.
   *
   * @param leaf the leaf
   * @param count the number of pods, greater than 0
   */
  record LeafCount(int leaf, int count) {
    /** {@return the numbers of pods on each leaf together, in ascending order} */
    public static ImmutableList<LeafCount> sum(Stream<LeafCount> counts) {
      TreeMap<Integer, Integer> sums = new TreeMap<>();
      counts.forEach(each -> sums.merge(each.leaf, each.count, Integer::sum));
      return sums.entrySet().stream()
          .map(each -> new LeafCount(each.getKey(), each.getValue()))
          .collect(ImmutableList.toImmutableList());
    }
  }
}
