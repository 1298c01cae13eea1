package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Places of slices, found in the plainest way: every host, every way to turn, every bit. */
final class NaiveSlices {
  private NaiveSlices() {}

  /** {@return the hosts of every place of a slice that is a box, in an empty pool} */
  static Set<BitSet> boxes(TpuPool pool, SliceShape shape, boolean turn) {
    Set<BitSet> places = new LinkedHashSet<>();
    boolean aligned = pool.alignment() == TpuPool.Alignment.ALIGNED_IDS;
    for (int origin = 0; origin < pool.hosts(); origin++) {
      for (AxisOrder order : AxisOrder.values()) {
        boolean flat = shape.dimensions() == 3 || order.sliceAxis(2) == 2;
        if (order == AxisOrder.XYZ || (turn && !aligned && flat)) {
          BitSet hosts = box(pool, shape, order, origin, aligned);
          if (!hosts.isEmpty()) {
            places.add(hosts);
          }
        }
      }
    }
    return places;
  }

  private static BitSet box(
      TpuPool pool, SliceShape shape, AxisOrder order, int origin, boolean aligned) {
    int[] size = new int[3];
    int[] start = new int[3];
    int mesh = pool.hosts() / pool.cubes();
    int rest = origin % mesh;
    for (int axis = 0; axis < 3; axis++) {
      int chips = shape.extent(order.sliceAxis(axis));
      start[axis] = rest % pool.hostExtent(axis);
      rest /= pool.hostExtent(axis);
      size[axis] = chips / pool.hostBox().extent(axis);
      boolean over = start[axis] + size[axis] > pool.hostExtent(axis);
      if (chips % pool.hostBox().extent(axis) != 0
          || size[axis] > pool.hostExtent(axis)
          || (over && (!pool.crossesSeams() || aligned))
          || (aligned && start[axis] % size[axis] != 0)) {
        return new BitSet();
      }
    }
    BitSet hosts = new BitSet();
    for (int x = 0; x < size[0]; x++) {
      for (int y = 0; y < size[1]; y++) {
        for (int z = 0; z < size[2]; z++) {
          hosts.set(origin / mesh * mesh
              + (start[0] + x) % pool.hostExtent(0)
              + pool.hostExtent(0)
                  * ((start[1] + y) % pool.hostExtent(1)
                      + pool.hostExtent(1) * ((start[2] + z) % pool.hostExtent(2))));
        }
      }
    }
    return hosts;
  }

  /** {@return the most places of these that do not overlap and avoid what is busy} */
  static int most(List<BitSet> places, BitSet busy) {
    if (places.isEmpty()) {
      return 0;
    }
    BitSet first = places.get(0);
    List<BitSet> rest = places.subList(1, places.size());
    int without = most(rest, busy);
    if (first.intersects(busy)) {
      return without;
    }
    BitSet more = (BitSet) busy.clone();
    more.or(first);
    List<BitSet> free = rest.stream().filter(place -> !place.intersects(more)).toList();
    return Math.max(without, 1 + most(free, more));
  }

  /** {@return whether so many of these places do not overlap} */
  static boolean haveDisjoint(List<BitSet> places, int count) {
    if (count == 0) {
      return true;
    }
    for (int i = 0; i <= places.size() - count; i++) {
      BitSet first = places.get(i);
      List<BitSet> others = places.subList(i + 1, places.size()).stream()
          .filter(place -> !place.intersects(first))
          .toList();
      if (haveDisjoint(others, count - 1)) {
        return true;
      }
    }
    return false;
  }

  static List<BitSet> free(Set<BitSet> places, BitSet busy) {
    List<BitSet> free = new ArrayList<>();
    for (BitSet place : places) {
      if (!place.intersects(busy)) {
        free.add(place);
      }
    }
    return free;
  }

  static BitSet hosts(SlicePlacement placement) {
    BitSet hosts = new BitSet();
    placement.hosts().forEach(hosts::set);
    return hosts;
  }

  static BitSet busy(TpuFleet fleet, TpuPool pool, boolean allowDegraded) {
    return IntStream.range(0, pool.hosts())
        .filter(host -> fleet.isTaken(pool.id(), host)
            || fleet.health(pool.id(), host) == HostHealth.DOWN
            || (!allowDegraded && fleet.health(pool.id(), host) == HostHealth.DEGRADED))
        .collect(BitSet::new, BitSet::set, BitSet::or);
  }
}
