package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place that a slice could take in a trial, and the slices it would displace. Rules: TPU-F-19.
 */
final class MoveTarget {
  /** Fewest slices in the way, then fewest chips. */
  static final Comparator<MoveTarget> EASIEST = Comparator.comparingInt(
          (MoveTarget target) -> target.inTheWay.size())
      .thenComparingInt(MoveTarget::chips);

  private final TrialPool pool;
  private final SliceShape shape;
  private final @Nullable PlaceTable table;
  private final int mesh;
  private final int place;
  private final ImmutableIntArray cubes;
  private final ImmutableList<Resident> inTheWay;
  private final int chips;

  private MoveTarget(
      TrialPool pool,
      SliceShape shape,
      @Nullable PlaceTable table,
      int mesh,
      int place,
      ImmutableIntArray cubes,
      List<Resident> inTheWay) {
    this.pool = pool;
    this.shape = shape;
    this.table = table;
    this.mesh = mesh;
    this.place = place;
    this.cubes = cubes;
    this.inTheWay = ImmutableList.copyOf(inTheWay);
    int sum = 0;
    for (Resident resident : inTheWay) {
      sum += resident.chips();
    }
    this.chips = sum;
  }

  /** {@return the box that the pool has found last} */
  static MoveTarget ofBox(TrialPool pool, SliceShape shape, PlaceTable table, int mesh, int place) {
    return new MoveTarget(pool, shape, table, mesh, place, ImmutableIntArray.of(), pool.inTheWay());
  }

  /** {@return whole cubes with the distinct slices in them} */
  static MoveTarget ofCubes(
      TrialPool pool, SliceShape shape, ImmutableIntArray cubes, List<Resident> inTheWay) {
    return new MoveTarget(pool, shape, null, cubes.get(0), 0, cubes, inTheWay);
  }

  TrialPool pool() {
    return pool;
  }

  /** {@return the slices that would be displaced, by id} */
  ImmutableList<Resident> inTheWay() {
    return inTheWay;
  }

  /** {@return the number of chips of all displaced slices} */
  int chips() {
    return chips;
  }

  /** {@return whether all displaced slices are smaller than {@code than}} */
  boolean areSmaller(Resident than) {
    for (Resident resident : inTheWay) {
      if (resident.chips() >= than.chips()) {
        return false;
      }
    }
    return true;
  }

  /** {@return whether two boxes of one table share hosts} */
  boolean overlaps(MoveTarget other) {
    boolean shared = false;
    for (int word = 0; table != null && mesh == other.mesh && word < table.words(); word++) {
      shared |= (table.mask(place, word) & table.mask(other.place, word)) != 0;
    }
    return shared;
  }

  /** Takes the hosts, or undoes that. */
  void toggle(boolean undo) {
    if (table != null) {
      pool.toggle(table, mesh, place, undo);
      return;
    }
    for (int i = 0; i < cubes.length(); i++) {
      pool.toggleCube(cubes.get(undo ? cubes.length() - 1 - i : i), undo);
    }
  }

  /** {@return the host of the pool where the place begins} */
  int origin() {
    int inside = table == null ? 0 : table.corner(place);
    return mesh * pool.layout().pool().hostsPerMesh() + inside;
  }

  SlicePlacement placement() {
    TpuPool at = pool.layout().pool();
    return table == null
        ? SlicePlacement.ofCubes(at, shape, cubes.asList())
        : SlicePlacement.ofBox(at, shape, table.order(place), origin());
  }
}
