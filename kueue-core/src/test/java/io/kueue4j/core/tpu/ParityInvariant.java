package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.topology.SliceLevels;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Invariant 14: aligned slices lie where topology-aware scheduling would put them. */
final class ParityInvariant {
  private static final String POOL = "interconnect";

  private ParityInvariant() {}

  static void likeTopology(SliceLibrary library, Choices choices) {
    boolean grid = choices.nextBoolean();
    List<TpuPool> pools = grid
        ? FleetStates.pods(TpuPool.Alignment.ALIGNED_IDS, 1 + choices.nextInt(3))
        : FleetStates.superpods(TpuPool.Alignment.ALIGNED_IDS);
    TpuFleet fleet =
        withRandomHosts(FleetStates.used(pools, choices, choices.nextInt(60)), choices);
    List<SliceShape> shapes = levels(pools.get(0));
    SliceShape shape = choices.of(shapes);
    SliceRequest request = SliceRequest.of(shape);
    int hosts = shape.chips() / 4;
    SliceLevels topology = topology(fleet);

    assertThat(hosts(library.fitLikeTopology(fleet, request, true)))
        .containsExactlyInAnyOrderElementsOf(topology.sliceInside(POOL, shape.toString(), hosts));
    assertThat(hosts(library.fitLikeTopology(fleet, request, false)))
        .containsExactlyInAnyOrderElementsOf(topology.gangInside(shape.toString(), hosts));
  }

  private static TpuFleet withRandomHosts(TpuFleet fleet, Choices choices) {
    TpuFleet broken = fleet;
    for (TpuPool pool : fleet.pools()) {
      for (int i = choices.nextInt(pool.hosts() / 4); i > 0; i--) {
        broken = broken.withHealth(pool.id(), HostHealth.DOWN, choices.nextInt(pool.hosts()));
      }
    }
    return broken;
  }

  /** {@return the blocks that a pod or cube of the pool is split into, the largest first} */
  static List<SliceShape> levels(TpuPool pool) {
    return pool.generation().blocks().stream()
        .filter(shape -> shape.chips() <= pool.chips().chips() && shape.chips() >= 4)
        .toList();
  }

  private static List<String> hosts(SliceFit fit) {
    List<String> hosts = new ArrayList<>();
    for (SlicePlacement place : fit.slices()) {
      place.hosts().forEach(host -> hosts.add(name(place.pool(), host)));
    }
    return hosts;
  }

  private static String name(TpuPool pool, int host) {
    return pool.id() + "-%04d".formatted(host);
  }

  /** {@return the same hosts as nodes with a label for the block of each level} */
  static SliceLevels topology(TpuFleet fleet) {
    List<String> names = new ArrayList<>(List.of(POOL));
    levels(fleet.pools().get(0)).forEach(level -> names.add(level.toString()));
    Map<String, Boolean> nodes = new HashMap<>();
    for (TpuPool pool : fleet.pools()) {
      for (int host = 0; host < pool.hosts(); host++) {
        List<String> path = new ArrayList<>(List.of(pool.id()));
        for (SliceShape level : levels(pool)) {
          path.add(name(pool, corner(pool, level, host)));
        }
        path.add(name(pool, host));
        boolean free =
            !fleet.isTaken(pool.id(), host) && fleet.health(pool.id(), host) == HostHealth.HEALTHY;
        nodes.put(String.join("/", path), free);
      }
    }
    return new SliceLevels(names, nodes);
  }

  private static int corner(TpuPool pool, SliceShape level, int host) {
    int mesh = pool.hosts() / pool.cubes();
    int corner = host / mesh * mesh;
    int rest = host % mesh;
    int stride = 1;
    for (int axis = 0; axis < 3; axis++) {
      int extent = level.extent(axis) / pool.hostBox().extent(axis);
      int at = rest % pool.hostExtent(axis);
      corner += at / extent * extent * stride;
      rest /= pool.hostExtent(axis);
      stride *= pool.hostExtent(axis);
    }
    return corner;
  }
}
