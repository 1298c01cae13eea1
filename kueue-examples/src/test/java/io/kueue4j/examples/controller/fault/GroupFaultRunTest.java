package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many lives of a cluster with groups of pods; {@code -Dkueue4j.tries=N} for N times as many. */
class GroupFaultRunTest {
  private static final int RUNS = 150 * Integer.getInteger("kueue4j.tries", 1);
  private static final int RUNS_WITH_BUG = 60;

  @Test
  void groupsStartAsOneWhateverGoesWrong() {
    int starts = 0;
    for (long seed = 1; seed <= RUNS; seed++) {
      GroupFaultRun.Result result = GroupFaultRun.of(seed, PlantedBug.NONE);
      assertThat(result.violations()).as("seed %d", seed).isEmpty();
      starts += result.starts();
    }
    assertThat(starts).isGreaterThan(3 * RUNS);
  }

  @ParameterizedTest
  @EnumSource(
      value = PlantedBug.class,
      names = {"NOTE_AFTER_START", "DELETIONS_NOT_HEARD"})
  void aPlantedBugIsFound(PlantedBug bug) {
    assertThat(LongStream.rangeClosed(1, RUNS_WITH_BUG)
            .anyMatch(seed -> !GroupFaultRun.of(seed, bug).violations().isEmpty()))
        .as("a violation among %d runs with %s", RUNS_WITH_BUG, bug)
        .isTrue();
  }
}
