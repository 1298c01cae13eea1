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
  private final PoolContents contents;
  private final PlaceTable table;
  private final long[] allowed;
  private final Map<String, Owner> owners;
  private final List<Owner> going = new ArrayList<>();

  BoxVictims(PoolState state, PlaceTable.Key key, SliceRequest request, Map<String, Owner> owners) {
    this.contents = state.contents();
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
    for (int mesh = 0; mesh < contents.meshes(); mesh++) {
      Resident[] residents = contents.residents(mesh);
      Owner[] holders = new Owner[residents.length];
      for (int i = 0; i < holders.length; i++) {
        holders[i] = Owner.of(residents[i], owners);
      }
      for (int place = 0; place < table.size(); place++) {
        if (isAllowed(mesh, place)
            && find(place, residents, holders, best == null ? Long.MAX_VALUE : best.cost())) {
          EvictionCost cost = EvictionCost.NOTHING.plus(List.copyOf(going));
          best = cost.isBetterThan(best) ? cost : best;
        }
      }
    }
    return best;
  }

  private boolean isAllowed(int mesh, int place) {
    for (int word = 0; word < table.words(); word++) {
      if ((table.mask(place, word) & ~allowed[mesh * table.words() + word]) != 0) {
        return false;
      }
    }
    return true;
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
      if (isInTheWay(residents[i], place) && !going.contains(owner)) {
        cost = EvictionCost.sum(cost, owner.cost());
        if (cost > most || owner.isProtected()) {
          return false;
        }
        going.add(owner);
      }
    }
    return true;
  }

  private boolean isInTheWay(Resident resident, int place) {
    for (int word = 0; word < table.words(); word++) {
      if ((table.mask(place, word) & resident.bits(word)) != 0) {
        return true;
      }
    }
    return false;
  }
}
