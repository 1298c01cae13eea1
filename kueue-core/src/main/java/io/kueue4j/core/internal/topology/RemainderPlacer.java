package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places pods whose number is no multiple of the slice size: the last slice is smaller. Kueue omits
 * the remaining pods; this class implements the strict setting.
 *
 * <p>Rules: T-19, T-93, A.20 number 3.
 */
final class RemainderPlacer {
  private final Inventory inventory;
  private final FitCounts counts;
  private final NodeScores scores;
  private final LevelRequest request;
  private final PlacementRules rules;
  private final int sliceSize;
  private final int sliceCount;
  private final int remainder;

  RemainderPlacer(
      Inventory inventory,
      FitCounts counts,
      NodeScores scores,
      LevelRequest request,
      int count,
      PlacementRules rules) {
    this.inventory = inventory;
    this.counts = counts;
    this.scores = scores;
    this.request = request;
    this.rules = rules;
    this.sliceSize = request.slices().size();
    this.sliceCount = count / sliceSize;
    this.remainder = count % sliceSize;
  }

  Placement place() {
    if (request.mode() == LevelRequest.Mode.PREFERRED) {
      for (int level = request.level(); level >= 0; level--) {
        LevelRequest here = new LevelRequest(level, LevelRequest.Mode.REQUIRED, request.slices());
        if (placeRequired(here) instanceof Placement.Fits fits) {
          return fits;
        }
      }
    }
    if (request.isRequired()) {
      return placeRequired(request);
    }
    Placement rounded = placeRounded(request);
    Placement.Fits besides =
        rounded instanceof Placement.Fits ? null : placeInTwoSteps(counts, request);
    return besides == null ? rounded : besides;
  }

  private Placement placeRequired(LevelRequest asked) {
    Placement rounded = placeRounded(asked);
    Placement.Fits besides = rounded instanceof Placement.Fits ? null : placeInOneDomain(asked);
    return besides == null ? rounded : besides;
  }

  /** Places one slice more than there are whole ones, and removes the excess pods. */
  private Placement placeRounded(LevelRequest asked) {
    Placement rounded = place(counts, asked, (sliceCount + 1) * sliceSize);
    return rounded instanceof Placement.Fits fits
        ? new Placement.Fits(trim(fits.leaves()), fits.leaderLeaf())
        : rounded;
  }

  private Placement place(FitCounts fitting, LevelRequest asked, int count) {
    return new Placer(fitting, scores, asked, count, rules).place();
  }

  /** Removes the excess pods of the last slice. */
  private ImmutableList<LeafCount> trim(List<LeafCount> leaves) {
    List<LeafCount> kept = new ArrayList<>(leaves);
    for (int tooMany = sliceSize - remainder; tooMany > 0; ) {
      LeafCount last = kept.remove(kept.size() - 1);
      int left = Math.max(0, last.count() - tooMany);
      tooMany -= last.count() - left;
      if (left > 0) {
        kept.add(new LeafCount(last.leaf(), left));
      }
    }
    return ImmutableList.copyOf(kept);
  }

  private Placement.@Nullable Fits placeInOneDomain(LevelRequest asked) {
    DomainTree tree = counts.tree();
    for (int domain = 0; domain < tree.size(asked.level()); domain++) {
      if (counts.slices(asked.level(), domain) >= sliceCount) {
        LeafRange range = LeafRange.of(tree, asked.level(), domain);
        Placement.Fits found =
            placeInTwoSteps(inventory.counts(counts.key(), range.first(), range.end()), asked);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** Places the whole slices, then the remaining pods in the room left. */
  private Placement.@Nullable Fits placeInTwoSteps(FitCounts fitting, LevelRequest asked) {
    int checkpoint = inventory.checkpoint();
    try {
      Placement whole = place(fitting, asked, sliceCount * sliceSize);
      if (!(whole instanceof Placement.Fits fits)) {
        return null;
      }
      assume(fits);
      FitCounts left = inventory.counts(
          counts.key().withoutLeader(lastSlice()), fitting.firstLeaf(), fitting.endOfLeaves());
      Placement last = place(left, asked.withSlices(lastSlice()), remainder);
      return last instanceof Placement.Fits rest ? join(fits, rest) : null;
    } finally {
      inventory.rollback(checkpoint);
    }
  }

  private SliceLayers lastSlice() {
    return SliceLayers.of(
        ImmutableList.of(new SliceLayers.Layer(request.slices().level(), remainder)),
        counts.tree().levelCount());
  }

  private void assume(Placement.Fits fits) {
    FitKey key = counts.key();
    fits.leaves().forEach(leaf -> inventory.assumeBelow(leaf.leaf(), key.pod(), leaf.count()));
    if (key.leader() != null && fits.leaderLeaf() >= 0) {
      inventory.assumeBelow(fits.leaderLeaf(), key.leader(), 1);
    }
  }

  private static Placement.Fits join(Placement.Fits whole, Placement.Fits rest) {
    TreeMap<Integer, Integer> pods = new TreeMap<>();
    whole.leaves().forEach(leaf -> pods.merge(leaf.leaf(), leaf.count(), Integer::sum));
    rest.leaves().forEach(leaf -> pods.merge(leaf.leaf(), leaf.count(), Integer::sum));
    ImmutableList.Builder<LeafCount> leaves = ImmutableList.builder();
    pods.forEach((leaf, count) -> leaves.add(new LeafCount(leaf, count)));
    return new Placement.Fits(leaves.build(), whole.leaderLeaf());
  }
}
