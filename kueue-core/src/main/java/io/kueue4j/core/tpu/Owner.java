package io.kueue4j.core.tpu;

import java.util.Map;
import java.util.Objects;

/**
 * An owner of slices.
 *
 * @param name the name
 * @param cost the cost of evicting all its slices
 * @param index the owner's number in the fleet
 * @param chips the number of chips of its slices
 */
record Owner(String name, long cost, int index, long chips) {
  /** {@return the owner of a slice} */
  static Owner of(Resident resident, Map<String, Owner> owners) {
    return Objects.requireNonNull(owners.get(resident.slice().owner()));
  }

  boolean isProtected() {
    return cost == SlicePlanner.PROTECTED;
  }
}
