package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The leaves for a number of pods in a tree.
 *
 * <p>Rules: T-29, T-53.
 *
 * @param end the level where the search ended; without domains if the pods do not fit
 * @param leaves the leaves, each with its assigned pods
 */
record Search(LevelChoice.Result end, List<Domain> leaves) {
  static Search of(DomainTree tree, Wish wish, int pods, Placement.Options options) {
    if (options.mayBePartial() && wish.leavesRest(pods) && !wish.slices().haveSeveralLayers()) {
      return new PartialSearch(tree, wish, pods, options).find();
    }
    long slices = pods / wish.sliceSize();
    boolean isBalanced = options.isBalanced() && wish.isPreferred() && slices > 0;
    List<Domain> balanced = isBalanced ? new Balance(tree, wish, slices).leaves() : List.of();
    if (!balanced.isEmpty()) {
      return new Search(
          new LevelChoice.Result(wish.searchLevel(), ImmutableList.copyOf(balanced), slices),
          balanced);
    }
    Order order =
        wish.isUnconstrained() && options.isMixed() ? Order.LEAST_FREE_CAPACITY : Order.BEST_FIT;
    LevelChoice.Result choice =
        new LevelChoice(tree, wish, order, slices, tree.hasLeader()).choose();
    return new Search(
        choice,
        choice.domains().isEmpty()
            ? List.of()
            : new Descent(wish, order, slices * wish.sliceSize(), tree.hasLeader())
                .leaves(choice.domains()));
  }
}
