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
  private final TrialPool[] pools;
  private final boolean wholeAnywhere;
  private final boolean wholeMayMove;
  private final List<Resident> out = new ArrayList<>();

  TrialFleet(TpuFleet fleet, SliceRequest request) {
    this.wholeAnywhere = !request.avoid().isEmpty() || !request.pin().isEmpty();
    this.wholeMayMove = wholeAnywhere
        || fleet.states().stream()
                .filter(state -> state.layout().isMadeOfCubes())
                .count()
            > 1;
    this.pools = new TrialPool[fleet.states().size()];
    for (int pool = 0; pool < pools.length; pool++) {
      pools[pool] = new TrialPool(fleet.state(pool), this::mayMove);
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
      PoolLayout layout = pool.layout();
      boolean whole = layout.pool().takesWholeCubes(key.shape());
      boolean hasRoom = whole
          ? mayGoTo(pool, resident)
              && pool.hasRoom(layout.wholeCube(), key.shape().chips() / TpuGeneration.CUBE_CHIPS)
          : pool.hasRoom(layout.places(key), 1);
      if (hasRoom) {
        return true;
      }
    }
    return false;
  }

  /** Removes the slices in the way of a target and takes its hosts. */
  void put(MoveTarget target) {
    out.addAll(target.inTheWay());
    toggle(target);
  }

  /** Undoes the last {@link #put} that is not undone. */
  void takeBack(MoveTarget target) {
    out.subList(out.size() - target.inTheWay().size(), out.size()).clear();
    toggle(target);
  }

  private static void toggle(MoveTarget target) {
    target.inTheWay().forEach(resident -> target.pool().toggle(resident));
    target.pool().toggle(target.hosts());
  }
}
