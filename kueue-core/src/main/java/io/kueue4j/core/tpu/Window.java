package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A place that a slice could take if the slices in it were gone.
 *
 * @param placement the place
 * @param hosts its hosts
 * @param inTheWay the slices that have some of them, by id
 */
record Window(SlicePlacement placement, HostMask hosts, ImmutableList<TpuSlice> inTheWay) {

  /** {@return all places of a slice that is a box, on hosts that the request may use} */
  static List<Window> boxes(TpuFleet fleet, SliceRequest request) {
    List<Window> windows = new ArrayList<>();
    for (int pool = 0; pool < fleet.layouts().size(); pool++) {
      PoolState state = fleet.state(pool);
      for (SliceShape shape : request.shapes()) {
        if (request.problem(fleet.generation(), shape).isEmpty()
            && !state.layout().pool().takesWholeCubes(shape)) {
          PoolView view = new PoolView(state);
          view.beginEmpty(state, request);
          for (SlicePlacement place : PackingSearch.places(view, shape, request)) {
            windows.add(of(state, place));
          }
        }
      }
    }
    return windows;
  }

  /** {@return the cubes that a request may use whole, each with the slices in it} */
  static List<Window> cubes(PoolState state, SliceRequest request) {
    PoolView view = new PoolView(state);
    view.beginEmpty(state, request);
    SliceShape cube = state.layout().pool().chips();
    List<Window> windows = new ArrayList<>();
    for (SlicePlacement place :
        new PackingSearch(cube, request, 1).most(view, state.layout().pool().cubes())) {
      windows.add(of(state, place));
    }
    return windows;
  }

  private static Window of(PoolState state, SlicePlacement placement) {
    HostMask hosts = HostMask.of(placement.hosts());
    ImmutableList<TpuSlice> inTheWay = !hosts.intersects(state.occupied())
        ? ImmutableList.of()
        : Stream.of(state.slices())
            .filter(held -> held.hosts().intersects(hosts))
            .map(PoolState.Held::slice)
            .collect(ImmutableList.toImmutableList());
    return new Window(placement, hosts, inTheWay);
  }
}
