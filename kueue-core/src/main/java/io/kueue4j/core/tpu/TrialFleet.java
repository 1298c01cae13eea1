package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.List;

/**
 * A fleet in which slices are removed and added in a trial, and the changes are undone in the
 * opposite order. Only movable slices of the original fleet can be in the way.
 *
 * <p>A slice of whole cubes is moved to another pool or not at all. Moving it within its pool gains
 * nothing, because the slice that needs its cubes could use the new ones as well, unless hosts are
 * forbidden to that slice.
 *
 * <p>Rules: TPU-F-4, TPU-F-19.
 */
final class TrialFleet {
  private final TpuFleet fleet;
  private final TrialPool[] pools;
  private final boolean wholeAnywhere;
  private final boolean wholeMayMove;
  private final List<Resident> out = new ArrayList<>();

  TrialFleet(TpuFleet fleet, SliceRequest request) {
    this.fleet = fleet;
    this.wholeAnywhere = !request.avoid().isEmpty() || !request.pin().isEmpty();
    this.wholeMayMove = wholeAnywhere
        || fleet.layouts().stream().filter(PoolLayout::isMadeOfCubes).count() > 1;
    this.pools = new TrialPool[fleet.layouts().size()];
    for (int pool = 0; pool < pools.length; pool++) {
      pools[pool] = new TrialPool(fleet.state(pool).contents(), this::mayMove);
    }
  }

  private boolean mayMove(Resident resident) {
    return resident.slice().movable()
        && (wholeMayMove || !resident.isWhole())
        && !out.contains(resident);
  }

  int pools() {
    return pools.length;
  }

  TrialPool pool(int index) {
    return pools[index];
  }

  /** {@return whether a displaced slice may be placed in a pool} */
  boolean mayGoTo(TrialPool pool, Resident resident) {
    return wholeAnywhere || !resident.isWhole() || pool.layout() != resident.layout();
  }

  /** {@return whether there is a free place for a displaced slice} */
  boolean hasRoom(Resident resident) {
    PlaceTable.Key key = resident.key();
    for (TrialPool pool : pools) {
      if (pool.layout().pool().takesWholeCubes(key.shape())) {
        int needed = key.shape().chips() / TpuGeneration.CUBE_CHIPS;
        if (mayGoTo(pool, resident) && pool.wholeCubes() >= needed) {
          return true;
        }
      } else if (pool.hasRoom(pool.layout().places(key))) {
        return true;
      }
    }
    return false;
  }

  /** Removes the slices in the way of a target and takes its hosts. */
  void put(MoveTarget target) {
    for (Resident resident : target.inTheWay()) {
      out.add(resident);
      target.pool().toggle(resident, false);
    }
    target.toggle(false);
  }

  /** Undoes the last {@link #put} that is not undone. */
  void takeBack(MoveTarget target) {
    target.toggle(true);
    for (Resident resident : target.inTheWay().reverse()) {
      target.pool().toggle(resident, true);
      out.remove(out.size() - 1);
    }
  }

  /** Puts a slice on free hosts, or undoes that. */
  void toggle(Resident placed, boolean undo) {
    for (TrialPool pool : pools) {
      if (pool.layout() == placed.layout()) {
        pool.toggle(placed, undo);
      }
    }
  }

  /** {@return the hosts of a pool that a slice of a request may use if they are free, by mesh} */
  long[] allowed(int pool, SliceRequest request, SliceShape slice) {
    return fleet.state(pool).allowed(request, slice);
  }
}
