package io.kueue4j.core.internal.topology;

import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds a place for the pods of one pod set, and for their leader pod: chooses domains of one
 * level, then of each level below, down to the leaves.
 *
 * <p>If the pods do not fill the last slice, it is in one domain like the others, and preferably in
 * one that has whole slices, too.
 *
 * <p>Rules: T-29, T-31, T-32, T-33, T-34, T-35, T-36, T-37, T-38, T-53, T-54, T-61, T-63, T-93,
 * A.20 number 6.
 */
final class Placer {
  private static final int NONE = -1;

  private final FitCounts counts;
  private final DomainTree tree;
  private final LevelRequest request;
  private final Settings settings;
  private final boolean bestFit;
  private final int sliceCount;
  private final boolean hasLeader;

  /** The room besides a smaller last slice, null if there is no such slice. */
  private final @Nullable LastSliceRoom room;

  /**
   * The domains of a level that were chosen last.
   *
   * @param suffice whether they take all pods
   * @param fitting the number of slices they take if not
   */
  private record Choice(int level, ImmutableIntArray domains, boolean suffice, int fitting) {}

  /**
   * Creates the search.
   *
   * @param counts the updated fit counts
   * @param request the request
   * @param count the number of pods; pods that do not fill a slice are omitted (T-19) unless slices
   *     may be partial
   * @param settings the settings
   */
  Placer(FitCounts counts, LevelRequest request, int count, Settings settings) {
    this.counts = counts;
    this.tree = counts.tree();
    this.request = request;
    this.settings = settings;
    this.bestFit =
        !(settings.isEnabled(FeatureGate.TAS_PROFILE_MIXED) && request.isUnconstrained());
    this.sliceCount = count / request.slices().size();
    this.hasLeader = counts.key().leader() != null;
    this.room = hasPartialSlice(request, count, settings)
        ? new LastSliceRoom(counts, count % request.slices().size())
        : null;
  }

  /** {@return whether the last slice of a number of pods is smaller than the others} */
  static boolean hasPartialSlice(LevelRequest request, int count, Settings settings) {
    return settings.isEnabled(FeatureGate.TAS_PARTIAL_SLICES)
        && request.slices().layers().size() == 1
        && count % request.slices().size() != 0;
  }

  /** {@return whether {@link #place} would find a place} */
  boolean fits() {
    if (settings.isEnabled(FeatureGate.TAS_BALANCED_PLACEMENT) || room != null) {
      return place() instanceof Placement.Fits;
    }
    // Otherwise the chosen domains always take what they were chosen for.
    return choose().suffice;
  }

  Placement place() {
    if (settings.isEnabled(FeatureGate.TAS_BALANCED_PLACEMENT)
        && room == null
        && request.mode() == LevelRequest.Mode.PREFERRED
        && sliceCount > 0) {
      Placement.Fits balanced = new BalancedPlacement(counts, request, sliceCount).place();
      if (balanced != null) {
        return balanced;
      }
    }
    Choice choice = choose();
    if (choice.suffice) {
      return new Descent(counts, bestFit, room)
          .fromDomains(choice.level, choice.domains.toArray(), sliceCount, hasLeader);
    }
    int fitting = request.isRequired() ? mostInOneDomain(choice.level) : choice.fitting;
    return new Placement.DoesNotFit(fitting, choice.level);
  }

  private Choice choose() {
    for (int level = request.level(); ; level--) {
      LevelCapacity capacity = LevelCapacity.inSlices(counts, level, room);
      int single = singleDomain(level, capacity);
      if (single >= 0) {
        return new Choice(level, ImmutableIntArray.of(single), true, sliceCount);
      }
      if (request.isRequired()) {
        return new Choice(level, ImmutableIntArray.of(), false, 0);
      }
      if (request.isUnconstrained() || level == 0) {
        return severalDomains(level, capacity);
      }
    }
  }

  /** {@return a domain of the level that takes all pods, negative if there is none} */
  private int singleDomain(int level, LevelCapacity capacity) {
    DomainOrder order = capacity.order(bestFit, hasLeader);
    int best = NONE;
    for (int domain = 0; domain < tree.size(level); domain++) {
      if (capacity.unitsBesideLast(domain, hasLeader) >= sliceCount
          && capacity.mayHost(domain, hasLeader)
          && (best == NONE || isBetter(domain, best, capacity, order))) {
        best = domain;
      }
    }
    // A domain with a lower score is not taken before a coarser level was tried (T-35).
    boolean isPremature = best != NONE
        && capacity.isScored()
        && bestFit
        && !request.isRequired()
        && capacity.score(best) < capacity.score(firstWithLeader(level));
    return isPremature ? NONE : best;
  }

  private boolean isBetter(int domain, int other, LevelCapacity capacity, DomainOrder order) {
    if (bestFit) {
      int byScore = Long.compare(capacity.score(domain), capacity.score(other));
      int bySpareRoom = capacity.compareSpareRoom(domain, other, hasLeader, true);
      if (byScore != 0 || bySpareRoom != 0) {
        return byScore != 0 ? byScore > 0 : bySpareRoom < 0;
      }
    }
    return order.isBefore(domain, other);
  }

  private int firstWithLeader(int level) {
    DomainOrder order = new DomainOrder(counts, level, bestFit, hasLeader);
    int first = 0;
    for (int domain = 1; domain < tree.size(level); domain++) {
      if (order.isBefore(domain, first)) {
        first = domain;
      }
    }
    return first;
  }

  private int mostInOneDomain(int level) {
    int most = firstWithLeader(level);
    if (settings.strictTopology() && hasLeader) {
      // Kueue reports how many fit without the leader, although it may be the leader that does not
      // fit.
      return counts.hostsLeader(level, most) ? counts.slicesBesideLeader(level, most) : 0;
    }
    return counts.slices(level, most);
  }

  private Choice severalDomains(int level, LevelCapacity capacity) {
    int remaining = sliceCount;
    boolean lastHasRoom = room == null;
    ImmutableIntArray.Builder chosen = ImmutableIntArray.builder();
    int[] rest = new int[tree.size(level)];
    Arrays.setAll(rest, domain -> domain);
    if (hasLeader) {
      DomainQueue queue = DomainQueue.ordered(rest, capacity, bestFit, true);
      queue.putLeaderFirst(remaining);
      int first = queue.first();
      if (!capacity.hostsLeader(first)) {
        return new Choice(level, ImmutableIntArray.of(), false, 0);
      }
      int host = queue.take(remaining, true, false);
      chosen.add(host);
      int units = capacity.unitsBesideLeader(host);
      lastHasRoom |= capacity.unitsBesideLast(host, true) >= Math.min(units, remaining);
      remaining -= units;
      if (host != first) {
        // As in Kueue, the first domain is not considered for the last slice.
        queue.takeFirst();
      }
      rest = queue.rest();
    }
    DomainQueue queue =
        DomainQueue.ordered(hasLeader ? rest : capacity.useful(rest), capacity, bestFit, false);
    while (remaining > 0 && !queue.isEmpty()) {
      int domain = queue.take(remaining, false, false);
      chosen.add(domain);
      int units = capacity.units(domain);
      lastHasRoom |= capacity.unitsBesideLast(domain, false) >= Math.min(units, remaining);
      remaining -= units;
    }
    if (remaining <= 0 && !lastHasRoom) {
      int more = queue.takeForLast();
      if (more >= 0) {
        chosen.add(more);
        lastHasRoom = true;
      }
    }
    boolean suffice = remaining <= 0 && lastHasRoom;
    return new Choice(level, chosen.build(), suffice, sliceCount - Math.max(0, remaining));
  }
}
