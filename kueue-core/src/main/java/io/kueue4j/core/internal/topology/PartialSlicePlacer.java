package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places pods whose number is no multiple of the slice size: the last slice is smaller. It is in
 * one domain like the others, and preferably in one that has whole slices, too.
 *
 * <p>Follows {@link Placer} and {@link Descent}, with the room besides the last slice where that
 * has no domain yet.
 *
 * <p>Rules: T-93.
 */
final class PartialSlicePlacer {
  private final FitCounts counts;
  private final DomainTree tree;
  private final LevelRequest request;
  private final PlacementRules rules;
  private final boolean bestFit;
  private final int sliceCount;
  private final int lastSlice;
  private final boolean hasLeader;
  private final LastSliceRoom room;

  /** The whole slices of a domain, and whether it hosts the leader and the last slice. */
  private record Share(int domain, int slices, boolean leader, boolean last) {}

  PartialSlicePlacer(FitCounts counts, LevelRequest request, int count, PlacementRules rules) {
    this.counts = counts;
    this.tree = counts.tree();
    this.request = request;
    this.rules = rules;
    this.bestFit = !(rules.mixedProfile() && request.isUnconstrained());
    this.sliceCount = count / request.slices().size();
    this.lastSlice = count % request.slices().size();
    this.hasLeader = counts.key().leader() != null;
    this.room = new LastSliceRoom(counts, lastSlice);
  }

  Placement place() {
    for (int level = request.level(); ; level--) {
      List<Integer> ordered = ordered(level, all(level), hasLeader);
      int single = singleDomain(level, ordered);
      if (single >= 0) {
        return descend(level, List.of(single));
      }
      if (request.isRequired()) {
        return new Placement.DoesNotFit(fitting(level, ordered.get(0)), level);
      }
      if (request.isUnconstrained() || level == 0) {
        return placeInSeveral(level, ordered);
      }
    }
  }

  private List<Integer> all(int level) {
    return IntStream.range(0, tree.size(level)).boxed().toList();
  }

  private List<Integer> ordered(int level, List<Integer> domains, boolean withLeader) {
    DomainOrder order = withLeader
        ? DomainOrder.withLeader(counts, level, bestFit)
        : DomainOrder.plain(counts, level, bestFit);
    return domains.stream()
        .sorted((a, b) -> order.isBefore(a, b) ? -1 : order.isBefore(b, a) ? 1 : 0)
        .toList();
  }

  private int capacity(int level, int domain, boolean withLeader) {
    return withLeader ? counts.slicesBesideLeader(level, domain) : counts.slices(level, domain);
  }

  private boolean mayHost(int level, int domain, boolean withLeader) {
    return !withLeader || counts.hostsLeader(level, domain);
  }

  private int fitting(int level, int domain) {
    if (rules.strict() && hasLeader) {
      return counts.hostsLeader(level, domain) ? counts.slicesBesideLeader(level, domain) : 0;
    }
    return counts.slices(level, domain);
  }

  // ----- the domains to start from

  private int singleDomain(int level, List<Integer> ordered) {
    for (int i = 0; i < ordered.size(); i++) {
      if (mayHost(level, ordered.get(i), hasLeader)
          && room.slices(level, ordered.get(i), hasLeader) >= sliceCount) {
        return bestFit
            ? bestFit(level, ordered.subList(i, ordered.size()), sliceCount, hasLeader, true)
            : ordered.get(i);
      }
      if (bestFit && !request.isRequired() && endsTier(level, ordered, i)) {
        // A domain with a lower score is not taken before a coarser level was tried (T-35).
        return -1;
      }
    }
    return -1;
  }

  private boolean endsTier(int level, List<Integer> domains, int i) {
    return i + 1 < domains.size()
        && counts.score(level, domains.get(i + 1)) != counts.score(level, domains.get(0));
  }

  /** {@return the leading domains with equal score} */
  private List<Integer> firstTier(int level, List<Integer> domains) {
    for (int i = 0; i < domains.size(); i++) {
      if (endsTier(level, domains, i)) {
        return domains.subList(0, i + 1);
      }
    }
    return domains;
  }

  /**
   * {@return the domain of the first tier that fits {@code need} slices most tightly, and of equal
   * ones the smallest; the first domain if none suffices}
   *
   * @param withLast whether it must have room for the last slice as well
   */
  private int bestFit(
      int level, List<Integer> domains, int need, boolean withLeader, boolean withLast) {
    int best = -1;
    int bestUnits = 0;
    for (int domain : firstTier(level, domains)) {
      int capacity = capacity(level, domain, withLeader);
      int units = withLast ? room.slices(level, domain, withLeader) : capacity;
      if (mayHost(level, domain, withLeader)
          && units >= need
          && (best < 0
              || units < bestUnits
              || (units == bestUnits && capacity < capacity(level, best, withLeader)))) {
        best = domain;
        bestUnits = units;
      }
    }
    return best < 0 ? domains.get(0) : best;
  }

  private Placement placeInSeveral(int level, List<Integer> ordered) {
    List<Share> chosen = new ArrayList<>();
    List<Integer> left = leaderFirst(level, ordered, hasLeader);
    int remaining = sliceCount;
    if (hasLeader) {
      if (!counts.hostsLeader(level, left.get(0))) {
        return new Placement.DoesNotFit(0, level);
      }
      int host = bestFit && capacity(level, left.get(0), true) >= remaining
          ? bestFit(level, left, remaining, true, false)
          : left.get(0);
      chosen.add(new Share(host, Math.min(capacity(level, host, true), remaining), true, false));
      remaining -= capacity(level, host, true);
      left = left.subList(1, left.size());
    }
    left = ordered(level, left, false);
    for (int i = 0; remaining > 0 && i < left.size(); i++) {
      int domain = bestFit && counts.slices(level, left.get(i)) >= remaining
          ? bestFit(level, left.subList(i, left.size()), remaining, false, false)
          : left.get(i);
      chosen.add(
          new Share(domain, Math.min(counts.slices(level, domain), remaining), false, false));
      remaining -= counts.slices(level, domain);
    }
    if (remaining > 0) {
      return new Placement.DoesNotFit(sliceCount - remaining, level);
    }
    if (chosen.stream().noneMatch(share -> hasRoomForLast(level, share))) {
      Integer more = firstForLast(level, left, chosen);
      if (more == null) {
        return new Placement.DoesNotFit(sliceCount, level);
      }
      chosen.add(new Share(more, 0, false, false));
    }
    return descend(level, chosen.stream().map(Share::domain).toList());
  }

  private boolean hasRoomForLast(int level, Share share) {
    return share.slices <= room.slices(level, share.domain, share.leader);
  }

  private @Nullable Integer firstForLast(int level, List<Integer> domains, List<Share> except) {
    return domains.stream()
        .filter(domain -> room.slices(level, domain, false) != LastSliceRoom.NONE)
        .filter(domain -> except.stream().noneMatch(share -> share.domain == domain))
        .findFirst()
        .orElse(null);
  }

  /**
   * Moves the first domain that can host the leader and leaves room for all slices to the front.
   */
  private List<Integer> leaderFirst(int level, List<Integer> domains, boolean withLeader) {
    if (!withLeader || domains.size() < 2) {
      return domains;
    }
    long total =
        domains.stream().mapToLong(domain -> counts.slices(level, domain)).sum();
    CheapestDomains last = new CheapestDomains();
    for (int domain : domains) {
      if (room.slices(level, domain, false) != LastSliceRoom.NONE) {
        last.add(domain, counts.slices(level, domain) - room.slices(level, domain, false));
      }
    }
    for (int i = 0; i < domains.size(); i++) {
      int domain = domains.get(i);
      if (counts.hostsLeader(level, domain)
          && total - costsOfLeader(level, domain, last) >= sliceCount) {
        List<Integer> result = new ArrayList<>(domains);
        Collections.rotate(result.subList(0, i + 1), 1);
        return result;
      }
    }
    return domains;
  }

  /** {@return the slices given up for the leader in a domain and the last slice anywhere} */
  private long costsOfLeader(int level, int domain, CheapestDomains last) {
    int slices = counts.slices(level, domain);
    int besideBoth = room.slices(level, domain, true);
    long together =
        besideBoth == LastSliceRoom.NONE ? CheapestDomains.IMPOSSIBLE : slices - besideBoth;
    long apart = slices - counts.slicesBesideLeader(level, domain) + last.bestExcept(domain);
    return Math.min(together, apart);
  }

  // ----- down to the leaves

  private Placement descend(int top, List<Integer> chosen) {
    int level = top;
    List<Share> shares = take(level, chosen);
    while (shares != null && level < request.slices().level()) {
      int above = level;
      List<Integer> children = shares.stream()
          .flatMap(share -> IntStream.range(
                  tree.firstChild(above, share.domain), tree.endOfChildren(above, share.domain))
              .boxed())
          .toList();
      level++;
      shares = take(level, ordered(level, children, false));
    }
    if (shares == null) {
      return new Placement.DoesNotFit(0, top);
    }
    Shares pods = new Shares(shares.size());
    for (Share share : shares) {
      int whole = share.slices * request.slices().size();
      pods.add(share.domain, share.last ? whole + lastSlice : whole, share.leader);
    }
    return new Descent(counts, request.slices(), bestFit).fromShares(level, pods);
  }

  /** {@return the shares of domains that take all pods, null if they do not} */
  private @Nullable List<Share> take(int level, List<Integer> domains) {
    List<Integer> ordered = leaderFirst(level, domains, hasLeader);
    List<Share> shares = new ArrayList<>();
    int remaining = sliceCount;
    boolean leader = hasLeader;
    boolean hasRoom = false;
    for (int i = 0; i < ordered.size(); i++) {
      List<Integer> left = ordered.subList(i, ordered.size());
      int closing = hasRoom ? -1 : closingDomain(level, left, remaining, leader);
      if (closing >= 0) {
        shares.add(new Share(closing, remaining, leader, true));
        return shares;
      }
      boolean suffices =
          capacity(level, left.get(0), leader) >= remaining && mayHost(level, left.get(0), leader);
      int domain =
          bestFit && suffices ? bestFit(level, left, remaining, leader, false) : left.get(0);
      boolean hosts = leader && counts.hostsLeader(level, domain);
      int slices = Math.min(capacity(level, domain, leader), remaining);
      Share share = new Share(domain, slices, hosts, false);
      shares.add(share);
      if (suffices) {
        return withLast(level, shares, ordered);
      }
      remaining -= slices;
      leader &= !hosts;
      hasRoom |= hasRoomForLast(level, share);
    }
    return null;
  }

  /**
   * {@return a domain that takes all that is left and the last slice, negative if there is none
   * that is as small as one for the whole slices}
   */
  private int closingDomain(int level, List<Integer> left, int remaining, boolean leader) {
    int first = left.get(0);
    if (capacity(level, first, leader) < remaining || !mayHost(level, first, leader)) {
      return -1;
    }
    int domain = bestFit ? bestFit(level, left, remaining, leader, true) : first;
    int whole = bestFit ? bestFit(level, left, remaining, leader, false) : first;
    return room.slices(level, domain, leader) >= remaining
            && mayHost(level, domain, leader)
            && capacity(level, domain, leader) <= capacity(level, whole, leader)
        ? domain
        : -1;
  }

  private @Nullable List<Share> withLast(int level, List<Share> shares, List<Integer> ordered) {
    for (int i = 0; i < shares.size(); i++) {
      Share share = shares.get(i);
      if (hasRoomForLast(level, share)) {
        shares.set(i, new Share(share.domain, share.slices, share.leader, true));
        return shares;
      }
    }
    Integer more = firstForLast(level, ordered, shares);
    if (more == null) {
      return null;
    }
    shares.add(new Share(more, 0, false, true));
    return shares;
  }

  /**
   * {@return the leaves, with the leaves of the domain with the smaller slice last}
   *
   * @param domains the domain of each of the leaves that holds slices
   */
  static ImmutableList<LeafCount> lastSliceLast(
      List<LeafCount> leaves, IntUnaryOperator domains, int sliceSize) {
    TreeMap<Integer, Integer> podsByDomain = new TreeMap<>();
    leaves.forEach(
        leaf -> podsByDomain.merge(domains.applyAsInt(leaf.leaf()), leaf.count(), Integer::sum));
    ImmutableList.Builder<LeafCount> whole = ImmutableList.builder();
    ImmutableList.Builder<LeafCount> last = ImmutableList.builder();
    for (LeafCount leaf : leaves) {
      int pods = podsByDomain.getOrDefault(domains.applyAsInt(leaf.leaf()), 0);
      (pods % sliceSize == 0 ? whole : last).add(leaf);
    }
    return whole.addAll(last.build()).build();
  }
}
