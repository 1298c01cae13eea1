package io.kueue4j.core.topology;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;

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
    ImmutableIntArray.Builder chosen = ImmutableIntArray.builder();
    int[] rest = new int[tree.size(level)];
    Arrays.setAll(rest, domain -> domain);
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
        : descend(capacity, chosen.build().toArray());
  }

  /** Leaves out what cannot take anything: taking it would change nothing. */
  private static int[] withCapacity(LevelCapacity capacity, int[] domains) {
    int[] useful = new int[domains.length];
    int size = 0;
    for (int domain : domains) {
      if (capacity.units(domain) > 0) {
        useful[size] = domain;
        size++;
      }
    }
    return Arrays.copyOf(useful, size);
  }

  private Placement descend(LevelCapacity top, int[] chosen) {
    int slicedPods = sliceCount * request.slices().size();
    Shares shares = new Shares(chosen.length);
    take(DomainQueue.asGiven(chosen, top, scores), top, slicedPods, hasLeader, shares);
    for (int level = top.level(); level < tree.lowestLevel(); level++) {
      shares = level < request.slices().level()
          ? takeFromAll(shares, level, slicedPods)
          : takeFromEach(shares, level);
    }
    return complete ? shares.toPlacement() : new Placement.DoesNotFit(0, top.level());
  }

  /** Above the slices only the set of domains counts, not what each was given (T-46). */
  private Shares takeFromAll(Shares shares, int level, int slicedPods) {
    int count = 0;
    for (int i = 0; i < shares.size(); i++) {
      count += tree.childCount(level, shares.domain(i));
    }
    int[] children = new int[count];
    int size = 0;
    for (int i = 0; i < shares.size(); i++) {
      int end = tree.endOfChildren(level, shares.domain(i));
      for (int child = tree.firstChild(level, shares.domain(i)); child < end; child++) {
        children[size] = child;
        size++;
      }
    }
    LevelCapacity capacity = LevelCapacity.inSlices(counts, level + 1);
    Shares below = new Shares(shares.size());
    take(ordered(children, capacity, hasLeader), capacity, slicedPods, hasLeader, below);
    return below;
  }

  private Shares takeFromEach(Shares shares, int level) {
    LevelCapacity capacity = LevelCapacity.belowSlices(counts, level + 1);
    Shares below = new Shares(shares.size());
    for (int i = 0; i < shares.size(); i++) {
      if (!shares.isEmpty(i)) {
        int[] children = new int[tree.childCount(level, shares.domain(i))];
        int first = tree.firstChild(level, shares.domain(i));
        Arrays.setAll(children, child -> first + child);
        boolean withLeader = shares.hasLeader(i);
        DomainQueue queue = ordered(children, capacity, withLeader);
        take(queue, capacity, shares.pods(i), withLeader, below);
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
  private void take(
      DomainQueue queue, LevelCapacity capacity, int pods, boolean withLeader, Shares shares) {
    int remaining = pods / capacity.unit();
    boolean leader = withLeader;
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
      shares.add(domain, units * capacity.unit(), hosts);
      remaining -= units;
      leader = !hosts;
    }
    while (remaining > 0 && !queue.isEmpty()) {
      int domain = bestFit && capacity.units(queue.first()) >= remaining
          ? queue.takeBestFit(remaining, false)
          : queue.takeFirst();
      int units = Math.min(capacity.units(domain), remaining);
      shares.add(domain, units * capacity.unit(), false);
      remaining -= units;
    }
    complete &= !leader && remaining == 0;
  }
}
