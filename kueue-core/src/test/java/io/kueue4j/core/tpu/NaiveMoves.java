package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fewest moves, and of as few the fewest chips, in the plainest way: every set of slices is
 * taken out, and everything is put back in every way.
 */
final class NaiveMoves {
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final int maxMoves;
  private final List<TpuSlice> movable;
  private int fewest = Integer.MAX_VALUE;
  private int chips = Integer.MAX_VALUE;

  /** A pool and hosts of it. */
  private record Place(TpuPool pool, BitSet hosts) {}

  NaiveMoves(TpuFleet fleet, SliceRequest request, int maxMoves) {
    this.fleet = fleet;
    this.request = request;
    this.maxMoves = maxMoves;
    this.movable = fleet.slices().stream().filter(TpuSlice::movable).toList();
    takeOut(0, new ArrayList<>(), 0);
  }

  boolean isPossible() {
    return fewest <= maxMoves;
  }

  int moves() {
    return fewest;
  }

  int chips() {
    return chips;
  }

  private void takeOut(int from, List<TpuSlice> out, int size) {
    boolean better = out.size() < fewest || (out.size() == fewest && size < chips);
    if (better && hasRoom(out)) {
      fewest = out.size();
      chips = size;
    }
    for (int next = from; next < movable.size() && out.size() < maxMoves; next++) {
      TpuSlice slice = movable.get(next);
      out.add(slice);
      takeOut(next + 1, out, size + slice.placement().shape().chips());
      out.remove(out.size() - 1);
    }
  }

  private boolean hasRoom(List<TpuSlice> out) {
    TpuFleet left = fleet;
    for (TpuSlice slice : out) {
      left = left.release(slice.id());
    }
    Map<TpuPool, BitSet> busy = new HashMap<>();
    Map<TpuPool, BitSet> forbidden = new HashMap<>();
    for (TpuPool pool : fleet.pools()) {
      busy.put(pool, NaiveSlices.busy(left, pool, false));
      BitSet barred = NaiveSlices.busy(left, pool, request.allowDegraded());
      for (int host = 0; host < pool.hosts(); host++) {
        boolean pinned = request.pin().isEmpty()
            || request.pin().getOrDefault(pool.id(), Set.of()).contains(host);
        if (!pinned || request.avoid().getOrDefault(pool.id(), Set.of()).contains(host)) {
          barred.set(host);
        }
      }
      forbidden.put(pool, barred);
    }
    for (SliceShape shape : request.shapes()) {
      List<Place> all = places(shape, request.mayTurn(), forbidden);
      if (placeNew(all, 0, new ArrayList<>(), busy, out)) {
        return true;
      }
    }
    return false;
  }

  private List<Place> places(SliceShape shape, boolean turn, Map<TpuPool, BitSet> busy) {
    List<Place> places = new ArrayList<>();
    for (TpuPool pool : fleet.pools()) {
      Collection<BitSet> all = pool.takesWholeCubes(shape)
          ? cubes(pool, shape.chips() / TpuGeneration.CUBE_CHIPS, 0)
          : NaiveSlices.boxes(pool, shape, turn);
      for (BitSet hosts : all) {
        if (!hosts.intersects(busy.getOrDefault(pool, new BitSet()))) {
          places.add(new Place(pool, hosts));
        }
      }
    }
    return places;
  }

  private static List<BitSet> cubes(TpuPool pool, int needed, int from) {
    if (needed == 0) {
      return List.of(new BitSet());
    }
    List<BitSet> sets = new ArrayList<>();
    for (int cube = from; cube < pool.cubes(); cube++) {
      for (BitSet others : cubes(pool, needed - 1, cube + 1)) {
        BitSet set = (BitSet) others.clone();
        set.set(cube * 16, cube * 16 + 16);
        sets.add(set);
      }
    }
    return sets;
  }

  private boolean placeNew(
      List<Place> all,
      int from,
      List<Place> chosen,
      Map<TpuPool, BitSet> busy,
      List<TpuSlice> out) {
    if (chosen.size() == request.count()) {
      Map<TpuPool, BitSet> taken = busy;
      for (Place place : chosen) {
        taken = with(taken, place);
      }
      return placeOut(out, taken);
    }
    for (int next = from; next < all.size(); next++) {
      Place place = all.get(next);
      if (chosen.stream().allMatch(each -> agree(each, place))
          && chosen.stream().filter(each -> each.pool().equals(place.pool())).count()
              < request.maxPerPool()) {
        chosen.add(place);
        if (placeNew(all, next + 1, chosen, busy, out)) {
          return true;
        }
        chosen.remove(chosen.size() - 1);
      }
    }
    return false;
  }

  private boolean agree(Place one, Place other) {
    if (one.pool().equals(other.pool())) {
      return !one.hosts().intersects(other.hosts());
    }
    return switch (request.scope()) {
      case SAME_POOL -> false;
      case SAME_FABRIC -> one.pool().fabric().equals(other.pool().fabric());
      case ANY, SPREAD -> true;
    };
  }

  private static Map<TpuPool, BitSet> with(Map<TpuPool, BitSet> busy, Place place) {
    Map<TpuPool, BitSet> more = new HashMap<>(busy);
    BitSet hosts = (BitSet) more.getOrDefault(place.pool(), new BitSet()).clone();
    hosts.or(place.hosts());
    more.put(place.pool(), hosts);
    return more;
  }

  private boolean placeOut(List<TpuSlice> out, Map<TpuPool, BitSet> busy) {
    if (out.isEmpty()) {
      return true;
    }
    TpuSlice slice = out.get(0);
    for (Place place : places(slice.placement().shape(), slice.mayTurn(), busy)) {
      if (placeOut(out.subList(1, out.size()), with(busy, place))) {
        return true;
      }
    }
    return false;
  }
}
