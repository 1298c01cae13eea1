package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest owners whose eviction makes room for a box in one pool. All places are examined, so
 * no cheaper set exists.
 *
 * <p>Rules: TPU-F-18.
 */
final class BoxVictims {
  private final PoolState state;
  private final PlaceTable table;
  private final long[] allowed;
  private final Map<String, Owner> owners;
  private final List<Owner> going = new ArrayList<>();

  BoxVictims(PoolState state, PlaceTable.Key key, SliceRequest request, Map<String, Owner> owners) {
    this.state = state;
    this.table = state.layout().places(key);
    this.allowed = state.allowed(request, key.shape());
    this.owners = owners;
  }

  /**
   * {@return the cheapest owners whose eviction makes room in this pool, or {@code known} if they
   * are not cheaper}
   */
  @Nullable
  EvictionCost cheapest(@Nullable EvictionCost known) {
    EvictionCost best = known;
    for (int mesh = 0; mesh < state.layout().pool().cubes(); mesh++) {
      Resident[] residents = state.residents(mesh);
      Owner[] holders = new Owner[residents.length];
      for (int i = 0; i < holders.length; i++) {
        holders[i] = Owner.of(residents[i], owners);
      }
      for (int place = 0; place < table.size(); place++) {
        if (table.isInside(mesh, place, allowed)
            && find(place, residents, holders, best == null ? Long.MAX_VALUE : best.cost())) {
          EvictionCost cost = EvictionCost.NOTHING.plus(List.copyOf(going));
          best = cost.isBetterThan(best) ? cost : best;
        }
      }
    }
    return best;
  }

  /**
   * {@return whether evicting the owners in the way of a place, which this collects, costs at most
   * {@code most}}
   */
  private boolean find(int place, Resident[] residents, Owner[] holders, long most) {
    going.clear();
    long cost = 0;
    for (int i = 0; i < residents.length; i++) {
      Owner owner = holders[i];
      if (table.overlaps(place, residents[i]) && !going.contains(owner)) {
        cost = EvictionCost.sum(cost, owner.cost());
        if (cost > most || owner.isProtected()) {
          return false;
        }
        going.add(owner);
      }
    }
    return true;
  }
}
