package io.kueue4j.core.tpu;

import io.kueue4j.core.testkit.jqwik.Choices;

/** What holds of every fleet, every fit and every plan; in the order of rules B.17. */
enum SliceInvariant {
  DISJOINT_AND_USABLE(FitInvariants::disjointAndUsable),
  ONE_BOX_OR_WHOLE_CUBES(FitInvariants::oneBoxOrWholeCubes),
  SHAPE_TURNED_AND_ALIGNED_AS_ALLOWED(FitInvariants::shapeTurnedAndAlignedAsAllowed),
  RINGS_ARE_TRUE(FitInvariants::ringsAreTrue),
  DETERMINISTIC(FitInvariants::deterministic),
  COMPLETE(FitInvariants::complete),
  MONOTONIC(FitInvariants::monotonic),
  ALLOCATION_IS_UNDONE(FitInvariants::allocationIsUndone),
  BEST_PLACE(FitInvariants::bestPlace),
  ROOM_AFTER_MOVING(PlanInvariants::roomAfterMoving),
  CHEAPEST_VICTIMS(PlanInvariants::cheapestVictims),
  MOVES_MAKE_ROOM(PlanInvariants::movesMakeRoom),
  REASONS_ARE_TRUE(FitInvariants::reasonsAreTrue),
  LIKE_TOPOLOGY(ParityInvariant::likeTopology);

  private interface Check {
    void check(SliceLibrary library, Choices choices);
  }

  @SuppressWarnings("ImmutableEnumChecker") // a function
  private final Check check;

  SliceInvariant(Check check) {
    this.check = check;
  }

  /** Fails if the invariant does not hold in one random case. */
  void check(SliceLibrary library, Choices choices) {
    check.check(library, choices);
  }
}
