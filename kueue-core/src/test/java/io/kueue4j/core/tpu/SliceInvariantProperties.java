package io.kueue4j.core.tpu;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The invariants of slices; {@link PlantedSliceBugTest} shows that each of them bites. */
class SliceInvariantProperties {
  private final SliceLibrary library = new SliceLibrary();

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void disjointAndUsable(@ForAll long seed) {
    SliceInvariant.DISJOINT_AND_USABLE.check(library, seed);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void oneBoxOrWholeCubes(@ForAll long seed) {
    SliceInvariant.ONE_BOX_OR_WHOLE_CUBES.check(library, seed);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void shapeTurnedAndAlignedAsAllowed(@ForAll long seed) {
    SliceInvariant.SHAPE_TURNED_AND_ALIGNED_AS_ALLOWED.check(library, seed);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void ringsAreTrue(@ForAll long seed) {
    SliceInvariant.RINGS_ARE_TRUE.check(library, seed);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void deterministic(@ForAll long seed) {
    SliceInvariant.DETERMINISTIC.check(library, seed);
  }

  @Property(tries = 2000, shrinking = ShrinkingMode.OFF)
  void complete(@ForAll long seed) {
    SliceInvariant.COMPLETE.check(library, seed);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void monotonic(@ForAll long seed) {
    SliceInvariant.MONOTONIC.check(library, seed);
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void allocationIsUndone(@ForAll long seed) {
    SliceInvariant.ALLOCATION_IS_UNDONE.check(library, seed);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void bestPlace(@ForAll long seed) {
    SliceInvariant.BEST_PLACE.check(library, seed);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void roomAfterMoving(@ForAll long seed) {
    SliceInvariant.ROOM_AFTER_MOVING.check(library, seed);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void cheapestVictims(@ForAll long seed) {
    SliceInvariant.CHEAPEST_VICTIMS.check(library, seed);
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void movesMakeRoom(@ForAll long seed) {
    SliceInvariant.MOVES_MAKE_ROOM.check(library, seed);
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void reasonsAreTrue(@ForAll long seed) {
    SliceInvariant.REASONS_ARE_TRUE.check(library, seed);
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void likeTopology(@ForAll long seed) {
    SliceInvariant.LIKE_TOPOLOGY.check(library, seed);
  }
}
