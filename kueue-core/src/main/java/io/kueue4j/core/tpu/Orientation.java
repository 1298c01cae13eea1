package io.kueue4j.core.tpu;

import org.jspecify.annotations.Nullable;

/**
 * Iterates over the orientations of a slice in a pool, skipping those with equal extents. Reused,
 * so that a search allocates no objects.
 */
final class Orientation {
  /** The maximum number of orientations of a box. */
  static final int MOST = 6;

  private static final AxisOrder[] ORDERS = AxisOrder.values();

  private @Nullable TpuPool pool;
  private SliceShape shape = SliceShape.of(1, 1);
  private int orders;
  private int at;

  private final int[] extents = new int[3];

  /** Moves before the first orientation. */
  void begin(TpuPool into, SliceShape slice, boolean turn) {
    pool = into;
    shape = slice;
    orders = !turn ? 1 : slice.dimensions() == 2 ? 2 : ORDERS.length;
    at = -1;
  }

  /**
   * Moves to the next orientation that fits an empty pool.
   *
   * @return whether there is one
   */
  boolean next() {
    while (++at < orders) {
      if (!isRepeated() && fits()) {
        return true;
      }
    }
    return false;
  }

  private boolean isRepeated() {
    for (int before = 0; before < at; before++) {
      boolean same = true;
      for (int axis = 0; axis < 3; axis++) {
        same &= shape.extent(ORDERS[before].sliceAxis(axis))
            == shape.extent(ORDERS[at].sliceAxis(axis));
      }
      if (same) {
        return true;
      }
    }
    return false;
  }

  private boolean fits() {
    boolean fits = true;
    for (int axis = 0; axis < 3; axis++) {
      extents[axis] = hosts(axis);
      fits &= extents[axis] > 0;
    }
    return fits;
  }

  private int hosts(int axis) {
    TpuPool into = pool;
    if (into == null) {
      return 0;
    }
    int chips = shape.extent(ORDERS[at].sliceAxis(axis));
    return chips % into.hostBox().extent(axis) != 0 || chips > into.chips().extent(axis)
        ? 0
        : chips / into.hostBox().extent(axis);
  }

  AxisOrder order() {
    return ORDERS[at];
  }

  /** {@return the extents along the axes of the pool, in hosts; always the same array} */
  int[] extents() {
    return extents;
  }

  /** {@return the number of axes longer than a chip along which the slice closes no ring} */
  int missingRings() {
    TpuPool into = pool;
    int missing = 0;
    for (int axis = 0; into != null && axis < 3; axis++) {
      if (shape.extent(axis) > 1 && !into.isRing(shape, order(), axis)) {
        missing++;
      }
    }
    return missing;
  }
}
