package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One orientation of a slice in a pool: its axes, and its extents in hosts. Immutable. */
final class Way {
  /** The maximum number of orientations of a box. */
  static final int MOST = 6;

  private final AxisOrder order;
  private final int[] extents;
  private final int missingRings;

  private Way(AxisOrder order, int[] extents, int missingRings) {
    this.order = order;
    this.extents = extents;
    this.missingRings = missingRings;
  }

  /** {@return the orientations of a slice that fit an empty pool, only one for equal extents} */
  static ImmutableList<Way> all(TpuPool pool, PlaceTable.Key key) {
    SliceShape shape = key.shape();
    boolean turn = key.turn() && pool.alignment() == TpuPool.Alignment.HOST_ALIGNED;
    int orders = !turn ? 1 : shape.dimensions() == 2 ? 2 : MOST;
    ImmutableList.Builder<Way> ways = ImmutableList.builder();
    Set<SliceShape> seen = new HashSet<>();
    for (AxisOrder order : List.of(AxisOrder.values()).subList(0, orders)) {
      SliceShape turned = shape.turned(order);
      int missing = missingRings(pool, shape, order);
      if (seen.add(turned) && fits(pool, turned) && !(key.rings() && missing > 0)) {
        ways.add(new Way(order, hosts(pool, turned), missing));
      }
    }
    return ways.build();
  }

  private static boolean fits(TpuPool pool, SliceShape turned) {
    boolean fits = true;
    for (int axis = 0; axis < 3; axis++) {
      fits &= turned.extent(axis) % pool.hostBox().extent(axis) == 0
          && turned.extent(axis) <= pool.chips().extent(axis);
    }
    return fits;
  }

  private static int[] hosts(TpuPool pool, SliceShape turned) {
    int[] hosts = new int[3];
    for (int axis = 0; axis < 3; axis++) {
      hosts[axis] = turned.extent(axis) / pool.hostBox().extent(axis);
    }
    return hosts;
  }

  private static int missingRings(TpuPool pool, SliceShape shape, AxisOrder order) {
    int missing = 0;
    for (int axis = 0; axis < 3; axis++) {
      missing += shape.extent(axis) > 1 && !pool.isRing(shape, order, axis) ? 1 : 0;
    }
    return missing;
  }

  AxisOrder order() {
    return order;
  }

  /** {@return the extents along the axes of the pool, in hosts; must not be changed} */
  int[] extents() {
    return extents;
  }

  /** {@return the number of axes longer than a chip along which the slice closes no ring} */
  int missingRings() {
    return missingRings;
  }
}
