package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * What became of requests over time: how many were placed, why others were not, what was moved for
 * them, how long the search took. Told by whoever places slices; knows no clock.
 *
 * <p>To be used by one thread at a time.
 *
 * <p>Rules: B.18.
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

  /** Creates statistics of nothing. */
  public SliceStatistics() {}

  /** Notes that a request was placed. */
  public void placed(SliceRequest request) {
    count(request, 1);
  }

  /** Notes that a request was not placed. */
  public void rejected(SliceRequest request, FitFailure failure) {
    count(request, 0);
    rejections.merge(failure.constraint(), 1L, Long::sum);
  }

  private void count(SliceRequest request, int placed) {
    long[] counts = requests.computeIfAbsent(request.shapes().get(0), shape -> new long[2]);
    counts[0] += request.count();
    counts[1] += (long) placed * request.count();
  }

  /** Notes that slices were moved so that a request could be placed. */
  public void moved(Defragmentation plan) {
    moves += plan.moves().size();
    movedChips += plan.movedChips();
    moveAdmissions += plan.moves().isEmpty() ? 0 : 1;
  }

  /**
   * Notes how long a search took.
   *
   * @param nanos by the clock of the caller
   * @param examined how many places were looked at; see {@link SliceFitter#candidates}
   * @throws IllegalArgumentException if a number is negative
   */
  public void searched(long nanos, long examined) {
    checkArgument(nanos >= 0, "a search of %s nanoseconds, expected at least 0", nanos);
    checkArgument(examined >= 0, "%s places, expected at least 0", examined);
    searches.merge(nanos <= 1 ? 1 : Long.highestOneBit(nanos - 1) << 1, 1L, Long::sum);
    candidates += examined;
  }

  /**
   * Slices of one shape, the first that a request names.
   *
   * @param requested slices requested
   * @param placed slices placed
   */
  public record Acceptance(long requested, long placed) {
    /** {@return thousandths of the slices that were placed; 0 if none were requested} */
    public int permille() {
      return requested == 0 ? 0 : (int) (PERMILLE * placed / requested);
    }
  }

  /** {@return slices requested and placed by shape, the smallest first} */
  public ImmutableSortedMap<SliceShape, Acceptance> byShape() {
    return ImmutableSortedMap.copyOfSorted(
        Maps.transformValues(requests, counts -> new Acceptance(counts[0], counts[1])));
  }

  /** {@return slices requested and placed, of all shapes} */
  public Acceptance slices() {
    return total(shape -> 1);
  }

  /** {@return the chips of slices requested and placed} */
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

  /** {@return how many requests were rejected for what} */
  public ImmutableSortedMap<FitFailure.Constraint, Long> rejections() {
    return ImmutableSortedMap.copyOf(rejections);
  }

  /** {@return the slices that were moved} */
  public long moves() {
    return moves;
  }

  /** {@return the chips of the slices that were moved} */
  public long movedChips() {
    return movedChips;
  }

  /** {@return the requests for which slices were moved} */
  public long requestsWithMoves() {
    return moveAdmissions;
  }

  /** {@return the places that all searches looked at} */
  public long candidates() {
    return candidates;
  }

  /** {@return how many searches took at most so many nanoseconds and more than half of them} */
  public ImmutableSortedMap<Long, Long> searchNanos() {
    return ImmutableSortedMap.copyOfSorted(searches);
  }
}
