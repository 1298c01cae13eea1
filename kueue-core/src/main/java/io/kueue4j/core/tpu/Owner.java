package io.kueue4j.core.tpu;

import java.util.Map;
import java.util.Objects;

/** Who holds slices, what it costs that all of them go, and how many chips that are. */
final class Owner {
  private final String name;
  private final long cost;
  private final int index;
  private long chips;

  /**
   * Creates an owner without slices.
   *
   * @param index the owner's number among those of the fleet
   */
  Owner(String name, long cost, int index) {
    this.name = name;
    this.cost = cost;
    this.index = index;
  }

  /** {@return who holds a slice} */
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
