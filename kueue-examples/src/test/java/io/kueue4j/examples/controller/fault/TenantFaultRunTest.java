package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.controller.fault.TenantFaultRun.Mode;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many lives of a cluster with a hostile tenant. The slow tests, in the profile full, have the
 * most; with {@code -Dkueue4j.tries=N} there are N times as many. {@link FaultRunMain} replays a
 * single one.
 */
class TenantFaultRunTest {
  private static final int RUNS = 6 * Integer.getInteger("kueue4j.tries", 1);
  private static final int RUNS_IF_SLOW = 5 * RUNS;
  private static final int RUNS_WITH_BUG = 150;

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whateverTheTenantDoesQuotasHoldAndTheInnocentRun(Mode mode) {
    quotasHold(mode, 1, RUNS);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  @Tag("slow")
  void inManyMoreLivesAsWell(Mode mode) {
    quotasHold(mode, RUNS + 1, RUNS + RUNS_IF_SLOW);
  }

  private static void quotasHold(Mode mode, long firstSeed, long lastSeed) {
    long lives = lastSeed - firstSeed + 1;
    long attacks = 0;
    long starts = 0;
    long processes = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      TenantFaultRun.Result result = TenantFaultRun.of(seed, mode, PlantedBug.NONE);
      assertThat(result.violations())
          .as("reproduce with: FaultRunMain tenants %s %d 0 (prints every write)", mode, seed)
          .isEmpty();
      attacks += result.attacks();
      starts += result.starts();
      processes += result.processes();
    }
    // An attack or a fault that never happens proves nothing.
    assertThat(attacks).isGreaterThan(10 * lives);
    assertThat(starts).isGreaterThan(3 * lives);
    assertThat(processes).isGreaterThan(2 * lives);
  }

  /** Between the record of its admission and its start, for which no write was answered. */
  @Test
  void aJobThatItsOwnerStartsOnNodesOfAnotherFlavorIsStopped() {
    assertThat(TenantFaultRun.of(8203, Mode.WORKLOADS, PlantedBug.NONE).violations())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "SEALED, FORGED_NOTE_BELIEVED",
    "WORKLOADS, RECORDS_FORGOTTEN_AT_RESTART",
    "CHECKS, CHECKS_NOT_AWAITED"
  })
  @Tag("slow")
  void aPlantedBugIsFound(Mode mode, PlantedBug bug) {
    assertThat(LongStream.rangeClosed(1, RUNS_WITH_BUG)
            .anyMatch(seed -> !TenantFaultRun.of(seed, mode, bug).violations().isEmpty()))
        .as("a violation among %d runs with %s", RUNS_WITH_BUG, bug)
        .isTrue();
  }
}
