package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds leaves for pods of which the last fill no whole slice: they are a smaller slice.
 *
 * <p>Rules: T-19, T-93, with strict topology as section 17 of the rule index has them.
 */
final class RestSearch {
  /**
   * The leaves found.
   *
   * @param pods the pods of each leaf
   * @param ofLeader the leaf of the leader with 1, empty if there is no leader
   */
  record Found(Map<Leaf, Integer> pods, Map<Leaf, Integer> ofLeader) {
    static Found of(List<Domain> leaves) {
      Map<Leaf, Integer> pods = new LinkedHashMap<>();
      Map<Leaf, Integer> ofLeader = new LinkedHashMap<>();
      for (Domain domain : leaves) {
        Leaf leaf = Objects.requireNonNull(domain.leaf);
        if (domain.takenPods > 0) {
          pods.put(leaf, (int) domain.takenPods);
        }
        if (domain.takesLeader) {
          ofLeader.put(leaf, 1);
        }
      }
      return new Found(pods, ofLeader);
    }

    int count() {
      return pods.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** {@return the same with fewer pods, which the last leaves lose} */
    Found without(int tooMany) {
      List<Leaf> backwards = new ArrayList<>(pods.keySet());
      backwards.sort(BY_PATH.reversed());
      Map<Leaf, Integer> rest = new LinkedHashMap<>(pods);
      int left = tooMany;
      for (Leaf leaf : backwards) {
        int lost = Math.min(left, rest.getOrDefault(leaf, 0));
        rest.merge(leaf, -lost, Integer::sum);
        left -= lost;
      }
      rest.values().removeIf(count -> count == 0);
      return new Found(rest, ofLeader);
    }

    Found with(Found more) {
      Map<Leaf, Integer> all = new LinkedHashMap<>(pods);
      more.pods.forEach((leaf, count) -> all.merge(leaf, count, Integer::sum));
      return new Found(all, ofLeader);
    }
  }

  private static final Comparator<Leaf> BY_PATH =
      Comparator.comparing(leaf -> String.join("\t", leaf.path()));

  private final FlavorNodes nodes;
  private final Pods workers;
  private final @Nullable Pods leader;
  private final Placement.Options options;
  private final Predicate<Leaf> mayBeUsed;

  RestSearch(
      FlavorNodes nodes,
      Pods workers,
      @Nullable Pods leader,
      Placement.Options options,
      Predicate<Leaf> mayBeUsed) {
    this.nodes = nodes;
    this.workers = workers;
    this.leader = leader;
    this.options = options;
    this.mayBeUsed = mayBeUsed;
  }

  Optional<Found> find(Wish wish, int count) {
    if (wish.isPreferred()) {
      for (int level = wish.searchLevel(); level >= 0; level--) {
        Optional<Found> found = inOneDomain(wish.requiring(level), count);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return wish.isRequired()
        ? inOneDomain(wish, count)
        : rounded(wish, count).or(() -> inTwoSteps(wish, count, mayBeUsed));
  }

  private Optional<Found> inOneDomain(Wish wish, int count) {
    Optional<Found> rounded = rounded(wish, count);
    if (rounded.isPresent()) {
      return rounded;
    }
    int slices = count / wish.sliceSize();
    DomainTree tree = new DomainTree(nodes, workers, leader, wish, options, mayBeUsed);
    for (Domain domain : Order.byPath(tree.atLevel(wish.searchLevel()))) {
      if (domain.slices >= slices) {
        Optional<Found> found = inTwoSteps(
            wish,
            count,
            leaf -> mayBeUsed.test(leaf)
                && leaf.path().subList(0, domain.path.size()).equals(domain.path));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** The smaller slice is where a whole one has room. */
  private Optional<Found> rounded(Wish wish, int count) {
    int tooMany = wish.sliceSize() - count % wish.sliceSize();
    return whole(nodes, leader, wish, count + tooMany, mayBeUsed)
        .map(found -> found.without(tooMany));
  }

  /** The smaller slice is where the others leave room. */
  private Optional<Found> inTwoSteps(Wish wish, int count, Predicate<Leaf> usable) {
    int rest = count % wish.sliceSize();
    Optional<Found> first = whole(nodes, leader, wish, count - rest, usable);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    FlavorNodes left = nodes.copy();
    charge(left, workers, first.get().pods());
    if (leader != null) {
      charge(left, leader, first.get().ofLeader());
    }
    String level = wish.levels().get(wish.sliceLevel());
    Slices smaller = new Slices(ImmutableList.of(new SliceConstraint(level, rest)));
    return whole(left, null, wish.with(smaller), rest, usable).map(first.get()::with);
  }

  private static void charge(FlavorNodes nodes, Pods pods, Map<Leaf, Integer> counts) {
    ImmutableMap<String, Long> requests = PlacedPods.requests(pods.podSet());
    counts.forEach((leaf, count) ->
        nodes.charge(new PlacedPods(pods.flavor(), nodes.id(leaf), count, requests), count));
    nodes.take(counts, requests);
  }

  private Optional<Found> whole(
      FlavorNodes on, @Nullable Pods beside, Wish wish, int count, Predicate<Leaf> usable) {
    DomainTree tree = new DomainTree(on, workers, beside, wish, options, usable);
    if (tree.atLevel(wish.searchLevel()).isEmpty()) {
      return Optional.empty();
    }
    Search search = Search.of(tree, wish, count, options);
    Found found = Found.of(search.leaves());
    boolean isComplete = !search.end().domains().isEmpty()
        && found.count() == count
        && (beside == null || !found.ofLeader().isEmpty());
    return isComplete ? Optional.of(found) : Optional.empty();
  }
}
