package io.kueue4j.core.internal.topology;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;

/**
 * Finds a place for the pods of one pod set, and for their leader pod: chooses domains of one
 * level, then of each level below, down to the leaves.
 *
 * <p>Rules: T-29, T-31, T-32, T-33, T-34, T-35, T-36, T-37, T-38, T-53, T-54, T-61, T-63, A.20
 * number 6.
 */
final class Placer {
  private final FitCounts counts;
  private final DomainTree tree;
  private final LevelRequest request;
  private final PlacementRules rules;
  private final boolean bestFit;
  private final int sliceCount;
  private final boolean hasLeader;

  /**
   * Creates the search.
   *
   * @param counts the updated fit counts
   * @param request the request
   * @param count the number of pods; pods that do not fill a slice are omitted (T-19)
   * @param rules the settings
   */
  Placer(FitCounts counts, LevelRequest request, int count, PlacementRules rules) {
    this.counts = counts;
    this.tree = counts.tree();
    this.request = request;
    this.rules = rules;
    this.bestFit = !(rules.mixedProfile() && request.isUnconstrained());
    this.sliceCount = count / request.slices().size();
    this.hasLeader = counts.key().leader() != null;
  }

  /**
   * {@return whether {@link #place} would find a place; does not descend below the chosen domains,
   * which always take what they were chosen for}
   */
  boolean fits() {
    for (int level = request.level(); ; level--) {
      LevelCapacity capacity = LevelCapacity.inSlices(counts, level);
      if (singleDomain(capacity) >= 0) {
        return true;
      }
      if (request.isRequired()) {
        return false;
      }
      if (request.isUnconstrained() || level == 0) {
        return severalDomains(capacity).suffice;
      }
    }
  }

  Placement place() {
    if (rules.balanced() && request.mode() == LevelRequest.Mode.PREFERRED && sliceCount > 0) {
      Placement.Fits balanced = new BalancedPlacement(counts, request, sliceCount).place();
      if (balanced != null) {
        return balanced;
      }
    }
    int level = request.level();
    while (true) {
      LevelCapacity capacity = LevelCapacity.inSlices(counts, level);
      int single = singleDomain(capacity);
      if (single >= 0) {
        return descend(capacity, new int[] {single});
      }
      if (request.isRequired()) {
        int most = firstWithLeader(level);
        int fitting = capacity.units(most);
        if (rules.strict() && hasLeader) {
          // Kueue reports how many fit without the leader, although it may be the leader that does
          // not fit.
          fitting = capacity.hostsLeader(most) ? capacity.unitsBesideLeader(most) : 0;
        }
        return new Placement.DoesNotFit(fitting, level);
      }
      if (request.isUnconstrained() || level == 0) {
        Several several = severalDomains(capacity);
        return several.suffice
            ? descend(capacity, several.domains.toArray())
            : new Placement.DoesNotFit(several.fitting, level);
      }
      level--;
    }
  }

  /** {@return a domain of the level that takes all pods, negative if there is none} */
  private int singleDomain(LevelCapacity capacity) {
    int level = capacity.level();
    DomainOrder order = DomainOrder.withLeader(counts, level, bestFit);
    if (bestFit
        && !request.isRequired()
        && capacity.unitsBesideLeader(firstWithLeader(level)) < sliceCount) {
      // A domain with a lower score is not taken before a coarser level was tried (T-35).
      return -1;
    }
    int best = -1;
    int bestUnits = 0;
    for (int domain = 0; domain < tree.size(level); domain++) {
      int units = capacity.unitsBesideLeader(domain);
      if (units < sliceCount || (hasLeader && !capacity.hostsLeader(domain))) {
        continue;
      }
      long scoreDifference = best < 0 ? 0 : counts.score(level, domain) - counts.score(level, best);
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
    DomainOrder order = DomainOrder.withLeader(counts, level, bestFit);
    int first = 0;
    for (int domain = 1; domain < tree.size(level); domain++) {
      if (order.isBefore(domain, first)) {
        first = domain;
      }
    }
    return first;
  }

  /**
   * Several domains of a level.
   *
   * @param domains the domains
   * @param suffice whether they take all pods
   * @param fitting the number of slices they take if not
   */
  private record Several(ImmutableIntArray domains, boolean suffice, int fitting) {}

  private Several severalDomains(LevelCapacity capacity) {
    int level = capacity.level();
    int remaining = sliceCount;
    ImmutableIntArray.Builder chosen = ImmutableIntArray.builder();
    int[] rest = new int[tree.size(level)];
    Arrays.setAll(rest, domain -> domain);
    if (hasLeader) {
      DomainQueue queue =
          DomainQueue.ordered(rest, capacity, DomainOrder.withLeader(counts, level, bestFit));
      queue.putLeaderFirst(remaining);
      if (!capacity.hostsLeader(queue.first())) {
        return new Several(ImmutableIntArray.of(), false, 0);
      }
      int host = bestFit && capacity.unitsBesideLeader(queue.first()) >= remaining
          ? queue.takeBestFit(remaining, true)
          : queue.takeFirst();
      chosen.add(host);
      remaining -= capacity.unitsBesideLeader(host);
      rest = queue.rest();
    }
    DomainQueue queue = DomainQueue.ordered(
        hasLeader ? rest : capacity.useful(rest),
        capacity,
        DomainOrder.plain(counts, level, bestFit));
    while (remaining > 0 && !queue.isEmpty()) {
      int domain = bestFit && capacity.units(queue.first()) >= remaining
          ? queue.takeBestFit(remaining, false)
          : queue.takeFirst();
      chosen.add(domain);
      remaining -= capacity.units(domain);
    }
    return new Several(chosen.build(), remaining <= 0, sliceCount - remaining);
  }

  private Placement descend(LevelCapacity top, int[] chosen) {
    return new Descent(counts, request.slices(), bestFit)
        .fromDomains(top.level(), chosen, sliceCount, hasLeader);
  }
}
