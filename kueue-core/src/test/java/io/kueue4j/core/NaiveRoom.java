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
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides by exhaustive search whether the slices of a workload fit in pods that are grids. */
final class NaiveRoom {
  private NaiveRoom() {}

  /** A host of a pool. */
  private record Host(String pool, int number) {}

  /**
   * A slice of a pod set.
   *
   * @param places where it fits alone
   * @param isWithLast whether it must be in the pool of the slice before it
   */
  private record Slice(List<Set<Host>> places, boolean isWithLast) {}

  static boolean isThere(TpuFleet fleet, Workload workload) {
    List<Slice> wanted = new ArrayList<>();
    for (PodSet podSet : workload.podSets()) {
      SliceRequest request = podSet.sliceRequest().orElseThrow();
      List<Set<Host>> places = places(fleet, request);
      for (int i = 0; i < request.count(); i++) {
        wanted.add(new Slice(places, i > 0 && request.scope() == SliceRequest.Scope.SAME_POOL));
      }
    }
    return fits(wanted, new ArrayList<>());
  }

  private static boolean fits(List<Slice> wanted, List<Set<Host>> chosen) {
    if (chosen.size() == wanted.size()) {
      return true;
    }
    Slice slice = wanted.get(chosen.size());
    for (Set<Host> place : slice.places()) {
      if (chosen.stream().allMatch(other -> Collections.disjoint(other, place))
          && (!slice.isWithLast() || pool(place).equals(pool(chosen.get(chosen.size() - 1))))) {
        chosen.add(place);
        if (fits(wanted, chosen)) {
          return true;
        }
        chosen.remove(chosen.size() - 1);
      }
    }
    return false;
  }

  private static String pool(Set<Host> place) {
    return place.iterator().next().pool();
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
