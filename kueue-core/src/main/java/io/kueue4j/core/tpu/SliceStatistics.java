package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Statistics of requests over time: how many were placed, why others were rejected, what was moved
 * for them, and how long searches took. The caller reports each event; there is no clock inside.
 *
 * <p>Not thread-safe.
 *
 * <p>Rules: B.18.
 *
 * @since 0.1.0
 */
public final class SliceStatistics {
  private static final int PERMILLE = 1000;
  private static final Comparator<SliceShape> BY_SIZE =
      Comparator.comparingInt(SliceShape::chips).thenComparing(SliceShape::toString);

  private final NavigableMap<SliceShape, long[]> requests = new TreeMap<>(BY_SIZE);
  private final Map<FitFailure.Constraint, Long> rejections =
      new EnumMap<>(FitFailure.Constraint.class);
  private final NavigableMap<Long, Long> searches = new TreeMap<>();
  private long moves;
  private long movedChips;
  private long moveAdmissions;
  private long candidates;

  /** Creates empty statistics. */
  public SliceStatistics() {}

  /** Records that a request was placed. */
  public void placed(SliceRequest request) {
    count(request, 1);
  }

  /** Records that a request was rejected. */
  public void rejected(SliceRequest request, FitFailure failure) {
    count(request, 0);
    rejections.merge(failure.constraint(), 1L, Long::sum);
  }

  private void count(SliceRequest request, int placed) {
    long[] counts = requests.computeIfAbsent(request.shapes().get(0), shape -> new long[2]);
    counts[0] += request.count();
    counts[1] += (long) placed * request.count();
  }

  /** Records that slices were moved to make room for a request. */
  public void moved(Defragmentation plan) {
    moves += plan.moves().size();
    movedChips += plan.movedChips();
    moveAdmissions += plan.moves().isEmpty() ? 0 : 1;
  }

  /**
   * Records the duration of a search.
   *
   * @param nanos the duration in nanoseconds by the clock of the caller
   * @param examined the number of places examined; see {@link SliceFitter#candidates}
   * @throws IllegalArgumentException if a number is negative
   */
  public void searched(long nanos, long examined) {
    checkArgument(nanos >= 0, "a search of %s nanoseconds, expected at least 0", nanos);
    checkArgument(examined >= 0, "%s places, expected at least 0", examined);
    searches.merge(nanos <= 1 ? 1 : Long.highestOneBit(nanos - 1) << 1, 1L, Long::sum);
    candidates += examined;
  }

  /**
   * The number of slices, or of chips, requested and placed.
   *
   * @param requested the number requested
   * @param placed the number placed
   */
  public record Acceptance(long requested, long placed) {
    /** {@return the part that was placed, in thousandths; 0 if none were requested} */
    public int permille() {
      return requested == 0 ? 0 : (int) (PERMILLE * placed / requested);
    }
  }

  /**
   * {@return the slices requested and placed by the first shape of their request, smallest first}
   */
  public SortedMap<SliceShape, Acceptance> byShape() {
    return ImmutableSortedMap.copyOfSorted(
        Maps.transformValues(requests, counts -> new Acceptance(counts[0], counts[1])));
  }

  /** {@return the slices requested and placed, over all shapes} */
  public Acceptance slices() {
    return total(shape -> 1);
  }

  /** {@return the chips of the slices requested and placed} */
  public Acceptance chips() {
    return total(SliceShape::chips);
  }

  private Acceptance total(ToIntFunction<SliceShape> weight) {
    long requested = 0;
    long placed = 0;
    for (Map.Entry<SliceShape, long[]> entry : requests.entrySet()) {
      requested += entry.getValue()[0] * weight.applyAsInt(entry.getKey());
      placed += entry.getValue()[1] * weight.applyAsInt(entry.getKey());
    }
    return new Acceptance(requested, placed);
  }

  /** {@return the number of rejected requests by constraint} */
  public SortedMap<FitFailure.Constraint, Long> rejections() {
    return ImmutableSortedMap.copyOf(rejections);
  }

  /** {@return the number of slices moved} */
  public long moves() {
    return moves;
  }

  /** {@return the number of chips of the slices moved} */
  public long movedChips() {
    return movedChips;
  }

  /** {@return the number of requests for which slices were moved} */
  public long requestsWithMoves() {
    return moveAdmissions;
  }

  /** {@return the number of places examined by all searches} */
  public long candidates() {
    return candidates;
  }

  /**
   * {@return a histogram of durations: the number of searches that took at most the key in
   * nanoseconds, and more than half of it}
   */
  public SortedMap<Long, Long> searchNanos() {
    return ImmutableSortedMap.copyOfSorted(searches);
  }
}
