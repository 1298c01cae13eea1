package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The place chosen is the best one, by values that are counted anew from sets of hosts. */
class PlacementObjectiveProperties {
  private final SliceFitter fitter = SliceFitter.create();

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void noPlaceIsBetter(@ForAll long seed) {
    Random random = new Random(seed);
    boolean grid = random.nextBoolean();
    TpuPool.Alignment alignment = FleetStates.alignment(random);
    TpuPool pool = grid
        ? FleetStates.pods(alignment, 1).get(0)
        : TpuPool.cubes("block", TpuGeneration.V7X, 3).withAlignment(alignment);
    TpuFleet fleet = FleetStates.used(List.of(pool), random, random.nextInt(40));
    SliceRequest request = FleetStates.request(fleet.generation(), random);
    SliceShape shape = request.shapes().get(0);
    if (pool.takesWholeCubes(shape)) {
      return;
    }
    BitSet busy = NaiveSlices.busy(fleet, pool, request.allowDegraded());
    List<BitSet> places = NaiveSlices.free(NaiveSlices.boxes(pool, shape, request.mayTurn()), busy);
    SliceFit fit = fitter.fit(fleet, request);
    if (places.isEmpty()) {
      assertThat(fit.isPlaced()).isFalse();
      return;
    }
    List<Long> chosen = values(fleet, pool, busy, NaiveSlices.hosts(fit.slices().get(0)));
    for (BitSet place : places) {
      List<Long> other = values(fleet, pool, busy, place);
      assertThat(compare(chosen, other)).as("%s and %s", chosen, other).isNotPositive();
    }
  }

  private static int compare(List<Long> one, List<Long> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!one.get(i).equals(other.get(i))) {
        return Long.compare(one.get(i), other.get(i));
      }
    }
    return 0;
  }

  private static List<Long> values(TpuFleet fleet, TpuPool pool, BitSet busy, BitSet place) {
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
    values.add(neighbours(pool, busy, place));
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

  private static long neighbours(TpuPool pool, BitSet busy, BitSet place) {
    BitSet touching = new BitSet();
    int width = pool.hostExtent(0);
    int height = pool.hostExtent(1);
    int depth = pool.hostExtent(2);
    int mesh = width * height * depth;
    place.stream().forEach(host -> {
      int base = host / mesh * mesh;
      int x = host % mesh % width;
      int y = host % mesh / width % height;
      int z = host % mesh / width / height;
      int[][] steps = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
      for (int[] step : steps) {
        int nextX = x + step[0];
        int nextY = y + step[1];
        int nextZ = z + step[2];
        if (nextX >= 0
            && nextX < width
            && nextY >= 0
            && nextY < height
            && nextZ >= 0
            && nextZ < depth) {
          touching.set(base + nextX + width * (nextY + height * nextZ));
        }
      }
    });
    touching.andNot(place);
    touching.andNot(busy);
    return touching.cardinality();
  }
}
