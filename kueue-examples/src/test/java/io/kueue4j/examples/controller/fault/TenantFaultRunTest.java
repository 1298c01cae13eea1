package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
  @ValueSource(booleans = {false, true})
  void whateverTheTenantDoesQuotasHoldAndTheInnocentRun(boolean hasChecks) {
    quotasHold(hasChecks, 1, RUNS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("slow")
  void inManyMoreLivesAsWell(boolean hasChecks) {
    quotasHold(hasChecks, RUNS + 1, RUNS + RUNS_IF_SLOW);
  }

  private static void quotasHold(boolean hasChecks, long firstSeed, long lastSeed) {
    long lives = lastSeed - firstSeed + 1;
    long attacks = 0;
    long starts = 0;
    long processes = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      TenantFaultRun.Result result = TenantFaultRun.of(seed, hasChecks, PlantedBug.NONE);
      assertThat(result.violations())
          .as(
              "reproduce with: FaultRunMain %s %d 0 (prints every write)",
              hasChecks ? "checks" : "tenants", seed)
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

  @ParameterizedTest
  @CsvSource({"false, RECORDS_FORGOTTEN_AT_RESTART", "true, CHECKS_NOT_AWAITED"})
  @Tag("slow")
  void aPlantedBugIsFound(boolean hasChecks, PlantedBug bug) {
    assertThat(LongStream.rangeClosed(1, RUNS_WITH_BUG)
            .anyMatch(
                seed -> !TenantFaultRun.of(seed, hasChecks, bug).violations().isEmpty()))
        .as("a violation among %d runs with %s", RUNS_WITH_BUG, bug)
        .isTrue();
  }
}
