package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Orders moves so that the new hosts of each are free. Where moves wait for each other in a cycle,
 * the smallest slice stops first.
 *
 * <p>Rules: TPU-F-19.
 */
final class MoveOrder {
  private static final Comparator<SliceMove> NEXT = Comparator.comparing(MoveOrder::overlapsItself)
      .thenComparingLong(move -> move.slice().placement().shape().chips())
      .thenComparing(move -> move.slice().id());

  private MoveOrder() {}

  /** {@return the ordered moves; their new places must not overlap} */
  static ImmutableList<SliceMove> of(List<SliceMove> moves) {
    ImmutableList.Builder<SliceMove> order = ImmutableList.builder();
    List<SliceMove> left = new ArrayList<>(moves);
    List<SliceMove> stopped = new ArrayList<>();
    while (!left.isEmpty()) {
      SliceMove next = left.stream()
          .filter(move -> !isBlocked(move, left, stopped))
          .min(NEXT)
          .orElse(null);
      if (next == null) {
        stopped.add(
            left.stream().filter(move -> !stopped.contains(move)).min(NEXT).orElseThrow());
        continue;
      }
      left.remove(next);
      boolean stops = overlapsItself(next) || stopped.contains(next);
      order.add(new SliceMove(next.slice(), next.to(), stops));
    }
    return order.build();
  }

  private static boolean isBlocked(SliceMove move, List<SliceMove> left, List<SliceMove> stopped) {
    return left.stream()
        .anyMatch(other -> !other.slice().equals(move.slice())
            && !stopped.contains(other)
            && overlap(move.to(), other.slice().placement()));
  }

  private static boolean overlapsItself(SliceMove move) {
    return overlap(move.to(), move.slice().placement());
  }

  private static boolean overlap(SlicePlacement one, SlicePlacement other) {
    return one.pool().equals(other.pool())
        && !Collections.disjoint(Set.copyOf(one.hosts()), other.hosts());
  }
}
