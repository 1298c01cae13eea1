package io.kueue4j.core.tpu;

import io.kueue4j.core.testkit.jqwik.Run;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The invariants of slices; {@link PlantedSliceBugTest} shows that each of them bites. */
class SliceInvariantProperties {
  private static Arbitrary<Run> runs(SliceInvariant invariant) {
    SliceLibrary library = new SliceLibrary();
    return Run.of(choices -> invariant.check(library, choices));
  }

  @Provide
  Arbitrary<Run> disjointAndUsableRuns() {
    return runs(SliceInvariant.DISJOINT_AND_USABLE);
  }

  @Provide
  Arbitrary<Run> oneBoxOrWholeCubesRuns() {
    return runs(SliceInvariant.ONE_BOX_OR_WHOLE_CUBES);
  }

  @Provide
  Arbitrary<Run> shapeTurnedAndAlignedAsAllowedRuns() {
    return runs(SliceInvariant.SHAPE_TURNED_AND_ALIGNED_AS_ALLOWED);
  }

  @Provide
  Arbitrary<Run> ringsAreTrueRuns() {
    return runs(SliceInvariant.RINGS_ARE_TRUE);
  }

  @Provide
  Arbitrary<Run> deterministicRuns() {
    return runs(SliceInvariant.DETERMINISTIC);
  }

  @Provide
  Arbitrary<Run> completeRuns() {
    return runs(SliceInvariant.COMPLETE);
  }

  @Provide
  Arbitrary<Run> monotonicRuns() {
    return runs(SliceInvariant.MONOTONIC);
  }

  @Provide
  Arbitrary<Run> allocationIsUndoneRuns() {
    return runs(SliceInvariant.ALLOCATION_IS_UNDONE);
  }

  @Provide
  Arbitrary<Run> bestPlaceRuns() {
    return runs(SliceInvariant.BEST_PLACE);
  }

  @Provide
  Arbitrary<Run> roomAfterMovingRuns() {
    return runs(SliceInvariant.ROOM_AFTER_MOVING);
  }

  @Provide
  Arbitrary<Run> cheapestVictimsRuns() {
    return runs(SliceInvariant.CHEAPEST_VICTIMS);
  }

  @Provide
  Arbitrary<Run> movesMakeRoomRuns() {
    return runs(SliceInvariant.MOVES_MAKE_ROOM);
  }

  @Provide
  Arbitrary<Run> reasonsAreTrueRuns() {
    return runs(SliceInvariant.REASONS_ARE_TRUE);
  }

  @Provide
  Arbitrary<Run> likeTopologyRuns() {
    return runs(SliceInvariant.LIKE_TOPOLOGY);
  }

  @Property(tries = 300)
  void disjointAndUsable(@ForAll("disjointAndUsableRuns") Run run) {
    run.check();
  }

  @Property(tries = 300)
  void oneBoxOrWholeCubes(@ForAll("oneBoxOrWholeCubesRuns") Run run) {
    run.check();
  }

  @Property(tries = 300)
  void shapeTurnedAndAlignedAsAllowed(@ForAll("shapeTurnedAndAlignedAsAllowedRuns") Run run) {
    run.check();
  }

  @Property(tries = 300)
  void ringsAreTrue(@ForAll("ringsAreTrueRuns") Run run) {
    run.check();
  }

  @Property(tries = 150)
  void deterministic(@ForAll("deterministicRuns") Run run) {
    run.check();
  }

  @Property(tries = 2000)
  void complete(@ForAll("completeRuns") Run run) {
    run.check();
  }

  @Property(tries = 150)
  void monotonic(@ForAll("monotonicRuns") Run run) {
    run.check();
  }

  @Property(tries = 200)
  void allocationIsUndone(@ForAll("allocationIsUndoneRuns") Run run) {
    run.check();
  }

  @Property(tries = 150)
  void bestPlace(@ForAll("bestPlaceRuns") Run run) {
    run.check();
  }

  @Property(tries = 75)
  void roomAfterMoving(@ForAll("roomAfterMovingRuns") Run run) {
    run.check();
  }

  @Property(tries = 150)
  void cheapestVictims(@ForAll("cheapestVictimsRuns") Run run) {
    run.check();
  }

  @Property(tries = 200)
  void movesMakeRoom(@ForAll("movesMakeRoomRuns") Run run) {
    run.check();
  }

  @Property(tries = 200)
  void reasonsAreTrue(@ForAll("reasonsAreTrueRuns") Run run) {
    run.check();
  }

  @Property(tries = 60)
  void likeTopology(@ForAll("likeTopologyRuns") Run run) {
    run.check();
  }
}
