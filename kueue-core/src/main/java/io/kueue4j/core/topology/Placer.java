package io.kueue4j.core.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.kueue4j.core.topology.Placement.LeafCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds a place for the pods of one pod set, and for the leader pod that goes with them: chooses
 * domains of one level, then of each level below, down to the leaves.
 *
 * <p>Rules: T-32 … T-49.
 */
final class Placer {
  private final FitCounts counts;
  private final DomainTree tree;
  private final NodeScores scores;
  private final LevelRequest request;
  private final boolean bestFit;
  private final int sliceCount;
  private final boolean hasLeader;

  /** Whether the domains chosen have taken all that they were chosen for; rule T-44. */
  private boolean complete = true;

  /** What a domain is given: pods, and maybe the leader. */
  private record Share(int domain, int pods, boolean leader) {}

  /**
   * Creates the search.
   *
   * @param counts what fits where, up to date
   * @param scores how the pods like the domains
   * @param request what they ask for
   * @param count the number of pods; what does not fill a slice is left out (T-19)
   * @param mixedProfile whether unconstrained pods take the smallest domains first
   */
  Placer(
      FitCounts counts, NodeScores scores, LevelRequest request, int count, boolean mixedProfile) {
    this.counts = counts;
    this.tree = counts.tree();
    this.scores = scores;
    this.request = request;
    this.bestFit = !(mixedProfile && request.isUnconstrained());
    this.sliceCount = count / request.slices().size();
    this.hasLeader = counts.key().leader() != null;
  }

  Placement place() {
    int level = request.level();
    while (true) {
      LevelCapacity capacity = LevelCapacity.inSlices(counts, level);
      int single = singleDomain(capacity);
      if (single >= 0) {
        return descend(capacity, new int[] {single});
      }
      if (request.isRequired()) {
        return new Placement.DoesNotFit(counts.slices(level, firstWithLeader(level)), level);
      }
      if (request.isUnconstrained() || level == 0) {
        return severalDomains(capacity);
      }
      level--;
    }
  }

  /** {@return the domain of a level that takes all pods, negative if none does} */
  private int singleDomain(LevelCapacity capacity) {
    int level = capacity.level();
    DomainOrder order = DomainOrder.withLeader(counts, scores, level, bestFit);
    if (request.mode() == LevelRequest.Mode.PREFERRED
        && capacity.unitsBesideLeader(firstWithLeader(level)) < sliceCount) {
      // A domain that the pods like less is not taken before a coarser level was tried (T-35).
      return -1;
    }
    int best = -1;
    int bestUnits = 0;
    for (int domain = 0; domain < tree.size(level); domain++) {
      int units = capacity.unitsBesideLeader(domain);
      if (units < sliceCount || (hasLeader && !capacity.hostsLeader(domain))) {
        continue;
      }
      long scoreDifference = best < 0 ? 0 : scores.score(level, domain) - scores.score(level, best);
      if (best < 0
          || scoreDifference > 0
          || (scoreDifference == 0
              && (units < bestUnits || (units == bestUnits && order.isBefore(domain, best))))) {
        best = domain;
        bestUnits = units;
      }
    }
    return best;
  }

  private int firstWithLeader(int level) {
    DomainOrder order = DomainOrder.withLeader(counts, scores, level, bestFit);
    int first = 0;
    for (int domain = 1; domain < tree.size(level); domain++) {
      if (order.isBefore(domain, first)) {
        first = domain;
      }
    }
    return first;
  }

  private Placement severalDomains(LevelCapacity capacity) {
    int level = capacity.level();
    int remaining = sliceCount;
    List<Integer> chosen = new ArrayList<>();
    int[] rest = IntStream.range(0, tree.size(level)).toArray();
    if (hasLeader) {
      DomainQueue queue = DomainQueue.ordered(
          rest, capacity, scores, DomainOrder.withLeader(counts, scores, level, bestFit));
      queue.putLeaderFirst(remaining);
      if (!capacity.hostsLeader(queue.first())) {
        return new Placement.DoesNotFit(0, level);
      }
      int host = bestFit && capacity.unitsBesideLeader(queue.first()) >= remaining
          ? queue.takeBestFit(remaining, true)
          : queue.takeFirst();
      chosen.add(host);
      remaining -= capacity.unitsBesideLeader(host);
      rest = queue.rest();
    }
    DomainQueue queue = DomainQueue.ordered(
        hasLeader ? rest : withCapacity(capacity, rest),
        capacity,
        scores,
        DomainOrder.plain(counts, scores, level, bestFit));
    while (remaining > 0 && !queue.isEmpty()) {
      int domain = bestFit && capacity.units(queue.first()) >= remaining
          ? queue.takeBestFit(remaining, false)
          : queue.takeFirst();
      chosen.add(domain);
      remaining -= capacity.units(domain);
    }
    return remaining > 0
        ? new Placement.DoesNotFit(sliceCount - remaining, level)
        : descend(capacity, Ints.toArray(chosen));
  }

  /** Leaves out what cannot take anything: taking it would change nothing. */
  private static int[] withCapacity(LevelCapacity capacity, int[] domains) {
    return IntStream.of(domains).filter(domain -> capacity.units(domain) > 0).toArray();
  }

  private Placement descend(LevelCapacity top, int[] chosen) {
    int slicedPods = sliceCount * request.slices().size();
    List<Share> shares = take(DomainQueue.asGiven(chosen, top, scores), top, slicedPods, hasLeader);
    for (int level = top.level(); level < tree.lowestLevel(); level++) {
      shares = level < request.slices().level()
          ? takeFromAll(shares, level, slicedPods)
          : takeFromEach(shares, level);
    }
    return complete ? toPlacement(shares) : new Placement.DoesNotFit(0, top.level());
  }

  /** Above the slices only the set of domains counts, not what each was given (T-46). */
  private List<Share> takeFromAll(List<Share> shares, int level, int slicedPods) {
    LevelCapacity capacity = LevelCapacity.inSlices(counts, level + 1);
    int[] children = shares.stream()
        .flatMapToInt(share -> IntStream.range(
            tree.firstChild(level, share.domain), tree.endOfChildren(level, share.domain)))
        .toArray();
    return take(ordered(children, capacity, hasLeader), capacity, slicedPods, hasLeader);
  }

  private List<Share> takeFromEach(List<Share> shares, int level) {
    LevelCapacity capacity = LevelCapacity.belowSlices(counts, level + 1);
    List<Share> below = new ArrayList<>();
    for (Share share : shares) {
      if (share.pods > 0 || share.leader) {
        int[] children = IntStream.range(
                tree.firstChild(level, share.domain), tree.endOfChildren(level, share.domain))
            .toArray();
        below.addAll(
            take(ordered(children, capacity, share.leader), capacity, share.pods, share.leader));
      }
    }
    return below;
  }

  private DomainQueue ordered(int[] domains, LevelCapacity capacity, boolean withLeader) {
    DomainOrder order = DomainOrder.plain(counts, scores, capacity.level(), bestFit);
    int[] useful = withLeader ? domains : withCapacity(capacity, domains);
    return DomainQueue.ordered(useful, capacity, scores, order);
  }

  /** Distributes pods, and maybe the leader, over domains, the first ones first. */
  private List<Share> take(
      DomainQueue queue, LevelCapacity capacity, int pods, boolean withLeader) {
    int remaining = pods / capacity.unit();
    boolean leader = withLeader;
    List<Share> shares = new ArrayList<>();
    if (leader) {
      queue.putLeaderFirst(remaining);
    }
    while (leader && !queue.isEmpty()) {
      int first = queue.first();
      boolean suffices =
          capacity.hostsLeader(first) && capacity.unitsBesideLeader(first) >= remaining;
      int domain = bestFit && suffices ? queue.takeBestFit(remaining, true) : queue.takeFirst();
      boolean hosts = capacity.hostsLeader(domain);
      int units = Math.min(capacity.unitsBesideLeader(domain), remaining);
      shares.add(new Share(domain, units * capacity.unit(), hosts));
      remaining -= units;
      leader = !hosts;
    }
    while (remaining > 0 && !queue.isEmpty()) {
      int domain = bestFit && capacity.units(queue.first()) >= remaining
          ? queue.takeBestFit(remaining, false)
          : queue.takeFirst();
      int units = Math.min(capacity.units(domain), remaining);
      shares.add(new Share(domain, units * capacity.unit(), false));
      remaining -= units;
    }
    complete &= !leader && remaining == 0;
    return shares;
  }

  private static Placement toPlacement(List<Share> shares) {
    ImmutableList<LeafCount> leaves = shares.stream()
        .filter(share -> share.pods > 0)
        .sorted(Comparator.comparingInt(Share::domain))
        .map(share -> new LeafCount(share.domain, share.pods))
        .collect(ImmutableList.toImmutableList());
    int leaderLeaf = shares.stream()
        .filter(Share::leader)
        .mapToInt(Share::domain)
        .findFirst()
        .orElse(-1);
    return new Placement.Fits(leaves, leaderLeaf);
  }
}
