package io.kueue4j.core.topology;

/**
 * Where pods go, or how far from fitting they are.
 *
 * <p>Rules: T-50, T-63.
 */
public sealed interface Placement {
  /**
   * The pods fit.
   *
   * @param leaves where the pods go, in ascending order
   * @param leaderLeaf where the leader goes, negative if there is none
   */
  record Fits(com.google.common.collect.ImmutableList<LeafCount> leaves, int leaderLeaf)
      implements Placement {}

  /**
   * The pods do not fit.
   *
   * @param fitting how many slices would fit, or pods if they are placed one by one
   * @param level the level where the search ended
   */
  record DoesNotFit(int fitting, int level) implements Placement {}

  /**
   * A number of pods on a leaf.
   *
   * @param leaf the leaf
   * @param count the number of pods, above 0
   */
  record LeafCount(int leaf, int count) {}
}
