package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many lives of a cluster with groups of pods. The slow tests, in the profile full, have the most;
 * with {@code -Dkueue4j.tries=N} there are N times as many.
 */
class GroupFaultRunTest {
  private static final int RUNS = 30 * Integer.getInteger("kueue4j.tries", 1);
  private static final int RUNS_IF_SLOW = 5 * RUNS;
  private static final int RUNS_WITH_BUG = 60;

  @Test
  void groupsStartAsOneWhateverGoesWrong() {
    groupsStartAsOne(1, RUNS, false);
  }

  @Test
  void theSameHoldsIfAdmissionsAreRecordedInWorkloads() {
    groupsStartAsOne(1, RUNS, true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("slow")
  void inManyMoreLivesAsWell(boolean inWorkloads) {
    groupsStartAsOne(RUNS + 1, RUNS + RUNS_IF_SLOW, inWorkloads);
  }

  private static void groupsStartAsOne(long firstSeed, long lastSeed, boolean inWorkloads) {
    long starts = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      GroupFaultRun.Result result = GroupFaultRun.of(seed, PlantedBug.NONE, inWorkloads);
      assertThat(result.violations())
          .as("FaultRunMain groups %s %d 0", inWorkloads ? "WORKLOADS" : "SEALED", seed)
          .isEmpty();
      starts += result.starts();
    }
    assertThat(starts).isGreaterThan(3 * (lastSeed - firstSeed + 1));
  }

  /** Otherwise the Workload would go with the pods that were there before. */
  @Test
  void aPodThatReplacesAnotherOwnsTheWorkloadOfItsGroupBeforeItStarts() {
    assertNoViolation(2);
  }

  /** The Workload of the former group is being deleted, and was kept for its quota. */
  @Test
  void aGroupMayHaveTheNameOfAnotherWhosePodsAreGone() {
    assertNoViolation(40);
  }

  /** The Workload says already that the group is being stopped. */
  @Test
  void aControllerThatStartsDeletesTheRestOfAnEvictedGroup() {
    assertNoViolation(9);
  }

  private static void assertNoViolation(long seed) {
    assertThat(GroupFaultRun.of(seed, PlantedBug.NONE, true).violations()).isEmpty();
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(
      value = PlantedBug.class,
      names = {"NOTE_AFTER_START", "DELETIONS_NOT_HEARD"})
  void aPlantedBugIsFound(PlantedBug bug) {
    assertThat(LongStream.rangeClosed(1, RUNS_WITH_BUG)
            .anyMatch(seed -> !GroupFaultRun.of(seed, bug, false).violations().isEmpty()))
        .as("a violation among %d runs with %s", RUNS_WITH_BUG, bug)
        .isTrue();
  }
}
