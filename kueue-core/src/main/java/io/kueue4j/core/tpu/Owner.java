package io.kueue4j.core.tpu;

import java.util.Map;
import java.util.Objects;

/** An owner of slices, with the cost of evicting all of them and their number of chips. */
final class Owner {
  private final String name;
  private final long cost;
  private final int index;
  private long chips;

  /**
   * Creates an owner without slices.
   *
   * @param index the owner's number in the fleet
   */
  Owner(String name, long cost, int index) {
    this.name = name;
    this.cost = cost;
    this.index = index;
  }

  /** {@return the owner of a slice} */
  static Owner of(Resident resident, Map<String, Owner> owners) {
    return Objects.requireNonNull(owners.get(resident.slice().owner()));
  }

  void add(TpuSlice slice) {
    chips += slice.placement().shape().chips();
  }

  String name() {
    return name;
  }

  long cost() {
    return cost;
  }

  int index() {
    return index;
  }

  long chips() {
    return chips;
  }

  boolean isProtected() {
    return cost == SlicePlanner.PROTECTED;
  }
}
