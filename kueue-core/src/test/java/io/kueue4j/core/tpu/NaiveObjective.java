package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the default objective looks at, counted from sets of hosts. */
final class NaiveObjective {
  private NaiveObjective() {}

  static int compare(List<Long> one, List<Long> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!one.get(i).equals(other.get(i))) {
        return Long.compare(one.get(i), other.get(i));
      }
    }
    return 0;
  }

  static List<Long> values(TpuFleet fleet, TpuPool pool, BitSet busy, BitSet place) {
    List<Long> values = new ArrayList<>();
    int hosts = pool.hosts() / pool.cubes();
    int from = place.nextSetBit(0) / hosts * hosts;
    boolean damaged = false;
    boolean untouched = true;
    for (int host = from; host < from + hosts; host++) {
      damaged |= pool.kind() == TpuPool.Kind.CUBES_OCS
          && fleet.health(pool.id(), host) != HostHealth.HEALTHY;
      untouched &= !fleet.isTaken(pool.id(), host);
    }
    for (TpuSlice slice : fleet.slices()) {
      boolean here = slice.placement().pool().equals(pool)
          && NaiveSlices.hosts(slice.placement()).get(from, from + hosts).cardinality() > 0;
      damaged |= here
          && pool.kind() == TpuPool.Kind.CUBES_OCS
          && !slice.movable()
          && slice.placement().shape().chips() < 64;
    }
    values.add(damaged ? 0L : 1L);
    values.add(!damaged && untouched ? 1L : 0L);
    boolean turn = pool.alignment() == TpuPool.Alignment.HOST_ALIGNED;
    long tightest = place.cardinality();
    for (SliceShape block : pool.generation().blocks()) {
      long loss = 0;
      for (BitSet each : alignedBlocks(pool, block, turn)) {
        if (!each.intersects(busy)) {
          loss += each.intersects(place) ? 1 : 0;
          BitSet outside = (BitSet) place.clone();
          outside.andNot(each);
          tightest = outside.isEmpty() ? each.cardinality() : tightest;
        }
      }
      values.add(loss);
    }
    values.add(tightest);
    BitSet touching = touching(pool, place);
    touching.andNot(busy);
    values.add((long) touching.cardinality());
    return values;
  }

  private static List<BitSet> alignedBlocks(TpuPool pool, SliceShape block, boolean turn) {
    TpuPool aligned = pool.withAlignment(TpuPool.Alignment.ALIGNED_IDS);
    List<BitSet> blocks = new ArrayList<>();
    Set<SliceShape> seen = new HashSet<>();
    for (AxisOrder order : AxisOrder.values()) {
      boolean flat = block.dimensions() == 3 || order.sliceAxis(2) == 2;
      if ((order == AxisOrder.XYZ || turn) && flat && seen.add(block.turned(order))) {
        blocks.addAll(NaiveSlices.boxes(aligned, block.turned(order), false));
      }
    }
    return blocks;
  }

  /** {@return the hosts beside a place, on the other side of a seam if slices may cross it} */
  static BitSet touching(TpuPool pool, BitSet place) {
    BitSet touching = new BitSet();
    int[] extents = {pool.hostExtent(0), pool.hostExtent(1), pool.hostExtent(2)};
    int mesh = extents[0] * extents[1] * extents[2];
    place.stream().forEach(host -> {
      int[] at = {
        host % mesh % extents[0],
        host % mesh / extents[0] % extents[1],
        host % mesh / extents[0] / extents[1]
      };
      for (int axis = 0; axis < 3; axis++) {
        for (int step = -1; step <= 1; step += 2) {
          int[] next = at.clone();
          next[axis] += step;
          if (pool.crossesSeams()) {
            next[axis] = (next[axis] + extents[axis]) % extents[axis];
          }
          if (next[axis] >= 0 && next[axis] < extents[axis]) {
            int base = host / mesh * mesh;
            touching.set(base + next[0] + extents[0] * (next[1] + extents[1] * next[2]));
          }
        }
      }
    });
    touching.andNot(place);
    return touching;
  }
}
