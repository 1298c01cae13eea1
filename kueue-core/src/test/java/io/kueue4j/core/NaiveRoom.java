package io.kueue4j.core;

import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.tpu.AxisOrder;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides by exhaustive search whether the slices of a workload fit in pods that are grids. */
final class NaiveRoom {
  private NaiveRoom() {}

  /** A host of a pool. */
  private record Host(String pool, int number) {}

  static boolean isThere(TpuFleet fleet, Workload workload) {
    List<List<Set<Host>>> wanted = new ArrayList<>();
    for (PodSet podSet : workload.podSets()) {
      SliceRequest request = podSet.sliceRequest().orElseThrow();
      List<Set<Host>> places = places(fleet, request);
      for (int i = 0; i < request.count(); i++) {
        wanted.add(places);
      }
    }
    return fits(wanted, 0, new HashSet<>());
  }

  private static boolean fits(List<List<Set<Host>>> wanted, int index, Set<Host> taken) {
    if (index == wanted.size()) {
      return true;
    }
    for (Set<Host> place : wanted.get(index)) {
      if (place.stream().noneMatch(taken::contains)) {
        taken.addAll(place);
        if (fits(wanted, index + 1, taken)) {
          return true;
        }
        taken.removeAll(place);
      }
    }
    return false;
  }

  private static List<Set<Host>> places(TpuFleet fleet, SliceRequest request) {
    List<Set<Host>> places = new ArrayList<>();
    SliceShape shape = request.shapes().get(0);
    for (TpuPool pool : fleet.pools()) {
      boolean aligned = pool.alignment() == TpuPool.Alignment.ALIGNED_IDS;
      add(places, fleet, pool, shape, aligned);
      if (request.mayTurn() && !aligned) {
        add(places, fleet, pool, shape.turned(AxisOrder.YXZ), false);
      }
    }
    return places;
  }

  private static void add(
      List<Set<Host>> places, TpuFleet fleet, TpuPool pool, SliceShape shape, boolean aligned) {
    int width = shape.x() / pool.hostBox().x();
    int height = shape.y() / pool.hostBox().y();
    int poolWidth = pool.hostExtent(0);
    for (int y = 0; y + height <= pool.hostExtent(1); y += aligned ? height : 1) {
      for (int x = 0; x + width <= poolWidth; x += aligned ? width : 1) {
        Set<Host> hosts = new HashSet<>();
        boolean usable = true;
        for (int dy = 0; dy < height; dy++) {
          for (int dx = 0; dx < width; dx++) {
            int host = x + dx + poolWidth * (y + dy);
            usable &= !fleet.isTaken(pool.id(), host)
                && fleet.health(pool.id(), host) == HostHealth.HEALTHY;
            hosts.add(new Host(pool.id(), host));
          }
        }
        if (usable) {
          places.add(hosts);
        }
      }
    }
  }
}
