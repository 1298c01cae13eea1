package io.kueue4j.core.tpu;

import java.util.Comparator;
import java.util.List;

/**
 * A place that a slice could take in a trial, and the slices it would displace. Rules: TPU-F-19.
 *
 * @param pool the pool
 * @param shape the slice
 * @param order its orientation
 * @param origin the host of the pool where the place begins
 * @param hosts the hosts of the place
 * @param inTheWay the slices that would be displaced, by id
 * @param chips the number of chips of all displaced slices
 */
record MoveTarget(
    TrialPool pool,
    SliceShape shape,
    AxisOrder order,
    int origin,
    HostMask hosts,
    List<Resident> inTheWay,
    int chips) {
  /** Fewest slices in the way, then fewest chips. */
  static final Comparator<MoveTarget> EASIEST = Comparator.comparingInt(
          (MoveTarget target) -> target.inTheWay.size())
      .thenComparingInt(MoveTarget::chips);

  /** {@return the box that the pool has found last} */
  static MoveTarget ofBox(TrialPool pool, PlaceTable table, int mesh, int place) {
    return new MoveTarget(
        pool,
        table.shape(),
        table.order(place),
        table.origin(mesh, place),
        table.hosts(mesh, place),
        pool.inTheWay(),
        pool.chipsInTheWay());
  }

  /** {@return a free place} */
  static MoveTarget ofFree(TrialPool pool, SlicePlacement place) {
    return new MoveTarget(
        pool,
        place.shape(),
        place.order(),
        place.origin(),
        new HostMask(pool.layout(), place),
        List.of(),
        0);
  }

  /** {@return whole cubes, in ascending order, with the distinct slices in them} */
  static MoveTarget ofCubes(
      TrialPool pool, SliceShape shape, int[] cubes, List<Resident> inTheWay) {
    int origin = cubes[0] * pool.layout().pool().hostsPerMesh();
    int chips = inTheWay.stream().mapToInt(Resident::chips).sum();
    HostMask hosts = HostMask.ofCubes(cubes);
    return new MoveTarget(pool, shape, AxisOrder.XYZ, origin, hosts, List.copyOf(inTheWay), chips);
  }

  /** {@return whether all displaced slices are smaller than {@code than}} */
  boolean areSmaller(Resident than) {
    return inTheWay.stream().allMatch(resident -> resident.chips() < than.chips());
  }

  /** {@return whether two boxes in one pool share hosts} */
  boolean overlaps(MoveTarget other) {
    return hosts.mesh(0) == other.hosts.mesh(0) && hosts.intersectsInMesh(other.hosts);
  }

  SlicePlacement placement() {
    TpuPool at = pool.layout().pool();
    return at.takesWholeCubes(shape)
        ? SlicePlacement.ofCubes(at, shape, hosts.meshList())
        : SlicePlacement.ofBox(at, shape, order, origin);
  }
}
