package io.kueue4j.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each invariant bites: it catches the bug that is planted for it, and not the right engine. */
class PlantedBugsTest {
  private static final long STEPS = 20_000;

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "QUOTA_OF_DELETED_COHORT_KEPT",
        "REQUIRED_IS_PREFERRED",
        "PREEMPTS_FOR_EVER",
        "PREEMPT_EACH_OTHER"
      })
  void isCaughtByTheInvariantMadeForIt(PlantedBug bug) {
    catchIt(bug);
  }

  /** Bugs that need thousands of steps until they show. */
  @ParameterizedTest
  @Tag("slow")
  @EnumSource(
      names = {
        "QUOTA_OF_DELETED_COHORT_KEPT",
        "REQUIRED_IS_PREFERRED",
        "PREEMPTS_FOR_EVER",
        "PREEMPT_EACH_OTHER"
      })
  void isCaughtInTheEnd(PlantedBug bug) {
    catchIt(bug);
  }

  private static void catchIt(PlantedBug bug) {
    HarnessRun run = HarnessRun.of(bug.factory())
        .invariants(Set.of(bug.invariant()))
        .options(bug.options())
        .steps(STEPS)
        .seed(1);

    HarnessResult result = run.run();

    assertThat(result.failure()).as("%s within %s steps", bug, result.steps()).isPresent();
    HarnessFailure failure = result.failure().orElseThrow();
    assertThat(failure.cause()).isEqualTo(bug.invariant().name());
    HarnessRun same =
        HarnessRun.of(AdmissionEngineUnderTest::create).invariants(Set.of(bug.invariant()));
    assertThat(same.play(failure.scenario())).as("the right engine").isEmpty();
  }

  @Test
  void everyInvariantThatKueueKeepsHasABug() {
    Set<Invariant> covered = new TreeSet<>();
    Arrays.stream(PlantedBug.values()).forEach(bug -> covered.add(bug.invariant()));
    assertThat(covered).containsExactlyElementsOf(AdmissionInvariants.parity());
  }
}
