package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many lives of a cluster. The slow tests, in the profile full, have the most; with
 * {@code -Dkueue4j.tries=N} there are N times as many. {@link FaultRunMain} replays a single one.
 */
class FaultRunTest {
  private static final int RUNS = 40 * Integer.getInteger("kueue4j.tries", 1);
  private static final int RUNS_IF_SLOW = 5 * RUNS;
  private static final int RUNS_WITH_BUG = 60;

  @Test
  void whateverGoesWrongQuotasHoldAndEveryJobRuns() {
    quotasHoldAndEveryJobRuns(1, RUNS);
  }

  @Test
  @Tag("slow")
  void inManyMoreLivesAsWell() {
    quotasHoldAndEveryJobRuns(RUNS + 1, RUNS + RUNS_IF_SLOW);
  }

  /** A user edits the job between the record of its admission and its start. */
  @Test
  void aJobThatIsEditedBeforeItsStartIsNotStartedAsAdmitted() {
    assertThat(FaultRun.of(209, PlantedBug.NONE).violations()).isEmpty();
  }

  private static void quotasHoldAndEveryJobRuns(long firstSeed, long lastSeed) {
    long lives = lastSeed - firstSeed + 1;
    long starts = 0;
    long stops = 0;
    long processes = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      FaultRun.Result result = FaultRun.of(seed, PlantedBug.NONE);
      assertThat(result.violations())
          .as("reproduce with: FaultRunMain jobs %d 0 (prints every write)", seed)
          .isEmpty();
      starts += result.starts();
      stops += result.stops();
      processes += result.processes();
    }
    // A fault that never happens proves nothing.
    assertThat(starts).isGreaterThan(3 * lives);
    assertThat(stops).isGreaterThan(lives / 2);
    assertThat(processes).isGreaterThan(lives + lives / 2);
  }

  @Test
  void theSameSeedIsTheSameLife() {
    assertThat(FaultRun.of(7, PlantedBug.NONE)).isEqualTo(FaultRun.of(7, PlantedBug.NONE));
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(
      value = PlantedBug.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "CHECKS_NOT_AWAITED"})
  void aPlantedBugIsFound(PlantedBug bug) {
    assertThat(LongStream.rangeClosed(1, RUNS_WITH_BUG)
            .anyMatch(seed -> !FaultRun.of(seed, bug).violations().isEmpty()))
        .as("a violation among %d runs with %s", RUNS_WITH_BUG, bug)
        .isTrue();
  }
}
