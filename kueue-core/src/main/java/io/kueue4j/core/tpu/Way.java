package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;

/** One orientation of a slice in a pool: its axes, and its extents in hosts. Immutable. */
final class Way {
  private final AxisOrder order;
  private final int[] extents;

  private Way(AxisOrder order, int[] extents) {
    this.order = order;
    this.extents = extents;
  }

  /** {@return the orientations of a slice that fit an empty pool} */
  static ImmutableList<Way> all(TpuPool pool, PlaceTable.Key key) {
    ImmutableList.Builder<Way> ways = ImmutableList.builder();
    Orientation turned = new Orientation();
    boolean turn = key.turn() && pool.alignment() == TpuPool.Alignment.HOST_ALIGNED;
    turned.begin(pool, key.shape(), turn);
    while (turned.next()) {
      if (!key.rings() || turned.missingRings() == 0) {
        ways.add(new Way(turned.order(), turned.extents().clone()));
      }
    }
    return ways.build();
  }

  AxisOrder order() {
    return order;
  }

  /** {@return the extents along the axes of the pool, in hosts; belongs to the orientation} */
  int[] extents() {
    return extents;
  }
}
