package io.kueue4j.core.internal.topology;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Spreads topology slices evenly over few domains of the preferred level. Of all groups of sibling
 * domains it chooses the one whose least used domain gets the most slices.
 *
 * <p>Rules: T-53, T-54, T-55, T-56, T-57, T-59, T-60.
 */
final class BalancedPlacement {
  private final FitCounts counts;
  private final DomainTree tree;
  private final LevelRequest request;
  private final int sliceCount;
  private final boolean hasLeader;

  /** The fit counts, without the capacity given up to keep the balance. */
  private final FitCounts trial;

  /**
   * Sibling domains to spread over.
   *
   * @param first the first of them
   * @param end the domain after the last
   * @param threshold the minimum number of slices of each used domain
   * @param domainCount the number of domains used if the largest are taken first
   */
  private record Group(int first, int end, int threshold, int domainCount) {
    boolean isBetterThan(@Nullable Group other) {
      return other == null
          || threshold > other.threshold
          || (threshold == other.threshold && domainCount < other.domainCount);
    }
  }

  BalancedPlacement(FitCounts counts, LevelRequest request, int sliceCount) {
    this.counts = counts;
    this.tree = counts.tree();
    this.request = request;
    this.sliceCount = sliceCount;
    this.hasLeader = counts.key().leader() != null;
    this.trial = counts.copy();
  }

  /** {@return the place of the pods, null if they cannot be balanced} */
  Placement.@Nullable Fits place() {
    Group group = bestGroup();
    if (group == null) {
      return null;
    }
    prune(group.first, group.end, group.threshold);
    int level = request.level();
    int[] domains = IntStream.range(group.first, group.end).toArray();
    if (isAboveSlices()) {
      int[] parents = new DomainSubset(trial, level, sliceCount).find(domains, true);
      if (parents == null) {
        return null;
      }
      domains = tree.children(level, parents);
      level++;
    }
    Shares shares = spread(level, domains, group.threshold);
    if (shares == null) {
      return null;
    }
    Placement placement = new Descent(trial, true, null).fromShares(level, shares);
    return placement instanceof Placement.Fits fits ? fits : null;
  }

  private boolean isAboveSlices() {
    return request.level() < request.slices().level();
  }

  private @Nullable Group bestGroup() {
    int level = request.level();
    if (level == 0) {
      return evaluate(0, tree.size(0), null);
    }
    Group best = null;
    for (int parent = 0; parent < tree.size(level - 1); parent++) {
      Group group =
          evaluate(tree.firstChild(level - 1, parent), tree.endOfChildren(level - 1, parent), best);
      if (group != null && group.isBetterThan(best)) {
        best = group;
      }
    }
    return best;
  }

  /**
   * {@return the group of the domains from {@code first} to {@code end}, null if it is not better
   * than {@code best}}
   */
  private @Nullable Group evaluate(int first, int end, @Nullable Group best) {
    int[] domains = IntStream.range(first, end).toArray();
    int least = best == null ? 1 : best.threshold;
    int level = isAboveSlices() ? request.level() + 1 : request.level();
    Greedy greedy = Greedy.of(
        counts,
        level,
        isAboveSlices() ? tree.children(request.level(), domains) : domains,
        sliceCount);
    if (greedy == null) {
      return null;
    }
    int threshold = greedy.threshold(counts, level, sliceCount);
    if (threshold < least) {
      return null;
    }
    int domainCount = domainsAfterPruning(first, end, threshold);
    if (domainCount == 0 && hasLeader && greedy.lastDomain() >= 0) {
      int reserving = Math.min(threshold, counts.slicesBesideLeader(level, greedy.lastDomain()));
      if (reserving < threshold && reserving >= least) {
        threshold = reserving;
        domainCount = domainsAfterPruning(first, end, threshold);
      }
    }
    return domainCount == 0 ? null : new Group(first, end, threshold, domainCount);
  }

  private int domainsAfterPruning(int first, int end, int threshold) {
    prune(first, end, threshold);
    int[] domains = IntStream.range(first, end).toArray();
    Greedy greedy = Greedy.of(trial, request.level(), domains, sliceCount);
    trial.restore(counts, request.level(), first, end);
    return greedy == null ? 0 : greedy.domainCount();
  }

  /**
   * Clears, among the domains and their children, those that take fewer slices than the threshold.
   */
  private void prune(int first, int end, int threshold) {
    int level = request.level();
    for (int domain = first; domain < end; domain++) {
      if (level < tree.lowestLevel()) {
        for (int child = tree.firstChild(level, domain);
            child < tree.endOfChildren(level, domain);
            child++) {
          pruneOne(level + 1, child, threshold);
        }
        trial.recount(level, domain);
      }
      pruneOne(level, domain, threshold);
    }
  }

  private void pruneOne(int level, int domain, int threshold) {
    if (trial.slices(level, domain) < threshold) {
      trial.clear(level, domain);
    } else if (hasLeader
        && trial.hostsLeader(level, domain)
        && trial.slicesBesideLeader(level, domain) < threshold) {
      trial.clearLeader(level, domain);
    }
  }

  /**
   * {@return shares of the threshold for each of as few domains as suffice, with the rest where it
   * fits}
   */
  private @Nullable Shares spread(int level, int[] domains, int threshold) {
    int[] chosen = new DomainSubset(trial, level, sliceCount).find(domains, false);
    if (chosen == null || sliceCount < chosen.length * threshold) {
      return null;
    }
    LevelCapacity capacity = LevelCapacity.inSlices(trial, level, null);
    DomainQueue queue = DomainQueue.ordered(chosen, capacity, true, true);
    Shares shares = new Shares(chosen.length);
    int extra = sliceCount - chosen.length * threshold;
    boolean leader = hasLeader;
    while (!queue.isEmpty()) {
      int domain = queue.takeFirst();
      int units = leader ? capacity.unitsBesideLeader(domain) : capacity.units(domain);
      int more = leader || extra > 0 ? Math.min(units - threshold, extra) : 0;
      shares.add(domain, (threshold + more) * capacity.unit(), leader);
      extra -= more;
      leader = false;
    }
    return extra > 0 ? null : shares;
  }
}
