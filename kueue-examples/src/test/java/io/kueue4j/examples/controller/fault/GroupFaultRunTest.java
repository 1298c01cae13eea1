package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    groupsStartAsOne(1, RUNS);
  }

  @Test
  @Tag("slow")
  void inManyMoreLivesAsWell() {
    groupsStartAsOne(RUNS + 1, RUNS + RUNS_IF_SLOW);
  }

  private static void groupsStartAsOne(long firstSeed, long lastSeed) {
    long starts = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      GroupFaultRun.Result result = GroupFaultRun.of(seed, PlantedBug.NONE);
      assertThat(result.violations()).as("FaultRunMain groups %d 0", seed).isEmpty();
      starts += result.starts();
    }
    assertThat(starts).isGreaterThan(3 * (lastSeed - firstSeed + 1));
  }

  /** Otherwise the Workload would go with the pods that were there before. */
  @Test
  void aReplacementOwnsTheWorkloadOfItsGroupBeforeItStarts() {
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
    assertThat(GroupFaultRun.of(seed, PlantedBug.NONE).violations()).isEmpty();
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(
      value = PlantedBug.class,
      names = {"RECORDS_FORGOTTEN_AT_RESTART", "DELETIONS_NOT_HEARD"})
  void aPlantedBugIsFound(PlantedBug bug) {
    assertThat(LongStream.rangeClosed(1, RUNS_WITH_BUG)
            .anyMatch(seed -> !GroupFaultRun.of(seed, bug).violations().isEmpty()))
        .as("a violation among %d runs with %s", RUNS_WITH_BUG, bug)
        .isTrue();
  }
}
