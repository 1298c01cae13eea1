package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A place that a slice could take without the slices in it.
 *
 * <p>Rules: TPU-F-20.
 *
 * @param placement the place
 * @param inTheWay the slices that use some of its hosts, by id
 */
record Window(SlicePlacement placement, ImmutableList<TpuSlice> inTheWay) {

  /** {@return all places of a box on hosts that the request may use} */
  static List<Window> boxes(TpuFleet fleet, SliceRequest request) {
    List<Window> windows = new ArrayList<>();
    for (PoolState state : fleet.states()) {
      for (SliceShape shape : request.shapes()) {
        if (request.problem(fleet.generation(), shape).isEmpty()
            && !state.layout().pool().takesWholeCubes(shape)) {
          addBoxes(state, request, shape, windows);
        }
      }
    }
    return windows;
  }

  private static void addBoxes(
      PoolState state, SliceRequest request, SliceShape shape, List<Window> windows) {
    TpuPool pool = state.layout().pool();
    PoolView view = new PoolView(state);
    view.beginEmpty(state, request);
    for (SlicePlacement place : PackingSearch.places(view, shape, request)) {
      HostMask hosts = HostMask.of(place.hosts());
      int mesh = place.origin() / pool.hostsPerMesh();
      windows.add(new Window(
          place,
          Arrays.stream(state.contents().residents(mesh))
              .map(Resident::slice)
              .filter(slice -> state.held(slice.id()).hosts().intersects(hosts))
              .collect(ImmutableList.toImmutableList())));
    }
  }

  /** {@return the cubes that a request may use as whole cubes, each with the slices in it} */
  static List<Window> cubes(PoolState state, SliceRequest request) {
    TpuPool pool = state.layout().pool();
    long[] allowed = state.allowed(request, pool.chips());
    List<Window> windows = new ArrayList<>();
    for (int cube = 0; cube < allowed.length; cube++) {
      if (allowed[cube] == HostBits.CUBE) {
        windows.add(new Window(
            SlicePlacement.ofCubes(pool, pool.chips(), List.of(cube)),
            Arrays.stream(state.contents().residents(cube))
                .map(Resident::slice)
                .collect(ImmutableList.toImmutableList())));
      }
    }
    return windows;
  }
}
