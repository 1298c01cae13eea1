package io.kueue4j.core.tpu;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    List<Integer> down = old.cubes().stream().filter(this::isDown).toList();
    Set<Integer> kept = old.hosts().stream()
        .filter(host -> !down.contains(host / pool.hostsPerMesh()))
        .collect(ImmutableSet.toImmutableSet());
    SliceRequest more = SliceRequest.of(pool.chips())
        .withCount(down.size())
        .withAvoid(ImmutableMap.of(pool.id(), kept))
        .withPin(hosts(0, pool.hosts()));
    SliceFit fit = fitter.fit(without, more);
    if (!fit.isPlaced()) {
      return Optional.empty();
    }
    Iterator<SlicePlacement> others = fit.slices().iterator();
    List<Integer> cubes = new ArrayList<>(old.cubes());
    cubes.replaceAll(cube -> down.contains(cube) ? others.next().cubes().get(0) : cube);
    return Optional.of(SlicePlacement.ofCubes(pool, old.shape(), cubes));
  }

  private boolean isDown(int cube) {
    return without.hasFailed(SlicePlacement.ofCubes(pool, pool.chips(), List.of(cube)));
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
