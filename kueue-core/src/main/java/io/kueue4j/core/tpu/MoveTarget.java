package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.List;

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
  private final AxisOrder order;
  private final int origin;
  private final HostMask hosts;
  private final ImmutableList<Resident> inTheWay;
  private final int chips;

  private MoveTarget(
      TrialPool pool,
      SliceShape shape,
      AxisOrder order,
      int origin,
      HostMask hosts,
      List<Resident> inTheWay) {
    this.pool = pool;
    this.shape = shape;
    this.order = order;
    this.origin = origin;
    this.hosts = hosts;
    this.inTheWay = ImmutableList.copyOf(inTheWay);
    int sum = 0;
    for (Resident resident : inTheWay) {
      sum += resident.chips();
    }
    this.chips = sum;
  }

  /** {@return the box that the pool has found last} */
  static MoveTarget ofBox(TrialPool pool, PlaceTable table, int mesh, int place) {
    return new MoveTarget(
        pool,
        table.shape(),
        table.order(place),
        table.origin(mesh, place),
        table.hosts(mesh, place),
        pool.inTheWay());
  }

  /** {@return a free place} */
  static MoveTarget ofFree(TrialPool pool, SlicePlacement place) {
    return new MoveTarget(
        pool,
        place.shape(),
        place.order(),
        place.origin(),
        new HostMask(pool.layout(), place),
        List.of());
  }

  /** {@return whole cubes, in ascending order, with the distinct slices in them} */
  static MoveTarget ofCubes(
      TrialPool pool, SliceShape shape, int[] cubes, List<Resident> inTheWay) {
    int origin = cubes[0] * pool.layout().pool().hostsPerMesh();
    return new MoveTarget(pool, shape, AxisOrder.XYZ, origin, HostMask.ofCubes(cubes), inTheWay);
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

  /** {@return whether two boxes in one pool share hosts} */
  boolean overlaps(MoveTarget other) {
    return hosts.mesh(0) == other.hosts.mesh(0) && hosts.intersectsInMesh(other.hosts);
  }

  HostMask hosts() {
    return hosts;
  }

  /** {@return the host of the pool where the place begins} */
  int origin() {
    return origin;
  }

  SlicePlacement placement() {
    TpuPool at = pool.layout().pool();
    return at.takesWholeCubes(shape)
        ? SlicePlacement.ofCubes(at, shape, hosts.meshList())
        : SlicePlacement.ofBox(at, shape, order, origin);
  }
}
