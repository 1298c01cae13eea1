package io.kueue4j.core.tpu;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Finds a new place for one failed slice. Rules: TPU-F-21. */
final class Failover {
  private final SliceFitter fitter;
  private final TpuFleet without;
  private final TpuSlice slice;
  private final TpuPool pool;

  Failover(SliceFitter fitter, TpuFleet fleet, TpuSlice slice) {
    this.fitter = fitter;
    this.without = fleet.release(slice.id());
    this.slice = slice;
    this.pool = slice.placement().pool();
  }

  Optional<SlicePlacement> place() {
    SlicePlacement old = slice.placement();
    return pool.takesWholeCubes(old.shape())
        ? otherCubes(old).or(() -> placed(SliceRequest.of(old.shape())))
        : otherBox(old);
  }

  private Optional<SlicePlacement> placed(SliceRequest request) {
    return fitter.fit(without, request).slices().stream().findFirst();
  }

  /** Optical switches join any cubes, so only the broken ones are replaced. */
  private Optional<SlicePlacement> otherCubes(SlicePlacement old) {
    int hosts = pool.hostsPerMesh();
    Set<Integer> kept = new HashSet<>();
    int lost = 0;
    for (int i = 0; i < old.cubes().size(); i++) {
      if (isDown(old.cubes().get(i))) {
        lost++;
      } else {
        int first = old.cubes().get(i) * hosts;
        IntStream.range(first, first + hosts).forEach(kept::add);
      }
    }
    SliceRequest more = SliceRequest.of(pool.chips())
        .withCount(lost)
        .withAvoid(ImmutableMap.of(pool.id(), kept))
        .withPin(hosts(0, pool.hosts()));
    SliceFit fit = fitter.fit(without, more);
    if (!fit.isPlaced()) {
      return Optional.empty();
    }
    int next = 0;
    int[] cubes = Ints.toArray(old.cubes());
    for (int i = 0; i < cubes.length; i++) {
      if (isDown(cubes[i])) {
        cubes[i] = fit.slices().get(next++).cubes().get(0);
      }
    }
    return Optional.of(SlicePlacement.ofCubes(pool, old.shape(), Ints.asList(cubes)));
  }

  private boolean isDown(int cube) {
    int hosts = pool.hostsPerMesh();
    return IntStream.range(cube * hosts, (cube + 1) * hosts)
            .anyMatch(host -> without.health(pool.id(), host) == HostHealth.DOWN)
        || without.partitionHealth(pool.id(), new TpuPool.Block(pool.chips(), cube * hosts))
            == HostHealth.DOWN;
  }

  private Optional<SlicePlacement> otherBox(SlicePlacement old) {
    SliceRequest anywhere = SliceRequest.of(old.shape());
    SliceRequest turned = slice.mayTurn() ? anywhere.withTurning() : anywhere;
    int mesh = old.origin() / pool.hostsPerMesh();
    int first = mesh * pool.hostsPerMesh();
    return List.of(
            turned.withPin(hosts(first, first + pool.hostsPerMesh())),
            turned.withPin(hosts(0, pool.hosts())),
            turned)
        .stream()
        .flatMap(request -> placed(request).stream())
        .findFirst();
  }

  private Map<String, Set<Integer>> hosts(int from, int to) {
    return ImmutableMap.of(pool.id(), ContiguousSet.closedOpen(from, to));
  }
}
