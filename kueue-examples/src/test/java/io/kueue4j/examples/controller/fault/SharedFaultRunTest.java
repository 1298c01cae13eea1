package io.kueue4j.examples.controller.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many lives of a cluster whose controller has several replicas that share the work. */
class SharedFaultRunTest {
  private static final int RUNS = 15 * Integer.getInteger("kueue4j.tries", 1);

  @Test
  void quotasHoldAndEveryJobRunsWhicheverReplicaDecides() {
    run(1, RUNS, false);
  }

  @Test
  void theSameHoldsIfAdmissionsAreRecordedInWorkloads() {
    run(1, RUNS, true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("slow")
  void inManyMoreLivesAsWell(boolean inWorkloads) {
    run(RUNS + 1, 20L * RUNS, inWorkloads);
  }

  private static void run(long firstSeed, long lastSeed, boolean inWorkloads) {
    long starts = 0;
    long replicas = 0;
    long moves = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      SharedFaultRun.Result result = SharedFaultRun.of(seed, inWorkloads);
      assertThat(result.violations())
          .as("FaultRunMain shared %s %s 0", inWorkloads ? "WORKLOADS" : "SEALED", seed)
          .isEmpty();
      starts += result.starts();
      replicas += result.replicas();
      moves += result.moves();
    }
    long lives = lastSeed - firstSeed + 1;
    System.out.println(lives + " lives: " + starts + " starts, " + replicas + " replicas, " + moves
        + " moves of queues");
    assertThat(starts).isGreaterThan(10 * lives);
    assertThat(replicas).isGreaterThan(3 * lives);
    assertThat(moves).isGreaterThan(lives);
  }
}
