package io.kueue4j.core.internal.cycle;

import static io.kueue4j.core.internal.cycle.CycleFixture.flavor;
import static io.kueue4j.core.internal.cycle.CycleFixture.gpus;
import static io.kueue4j.core.internal.cycle.CycleFixture.outcomes;
import static io.kueue4j.core.internal.cycle.CycleFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SchedulingCycleTest {
  private final CycleFixture fixture = new CycleFixture();

  @Nested
  class Order {
    /** A head of a queue of its own that fits without borrowing, or that many levels up. */
    private Head fitting(String name, int level, int priority, long time) {
      String cohort = "cohort of " + name;
      long own = level == 0 ? 1 : 0;
      if (level == 2) {
        fixture.cohort(cohort, "root of " + name);
        fixture.queue("lender of " + name, "root of " + name, flavor("spot", 1));
      } else {
        fixture.queue("lender of " + name, cohort, flavor("spot", 1 - own));
      }
      QueueState queue = fixture.queue("queue of " + name, cohort, flavor("spot", own));
      return fixture.head(queue, name, priority, time, gpus("main", 1));
    }

    private List<String> processed(Head... heads) {
      List<String> names = new ArrayList<>();
      fixture.run(1, heads).forEach((head, attempt) -> {
        assertThat(attempt.isAdmitted()).isTrue();
        names.add(head.compiled().source().name());
      });
      return names;
    }

    @Test
    void isByLevelThenPriorityThenTime() {
      assertThat(processed(
              fitting("high_pri_borrowing_more", 2, 1, 0),
              fitting("old_borrowing", 1, 0, 1),
              fitting("new_high_pri", 0, 1, 4),
              fitting("new", 0, 0, 3),
              fitting("high_pri_borrowing", 1, 1, 3),
              fitting("new_borrowing", 1, 0, 3),
              fitting("recently_evicted", 0, 0, 0),
              fitting("evicted_borrowing", 1, 0, 2),
              fitting("old", 0, 0, 1)))
          .containsExactly(
              "new_high_pri",
              "recently_evicted",
              "old",
              "new",
              "high_pri_borrowing",
              "old_borrowing",
              "evicted_borrowing",
              "new_borrowing",
              "high_pri_borrowing_more");
    }

    @Test
    void ignoresPriorityIfItDoesNotSort() {
      fixture.set(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT, false);

      assertThat(processed(
              fitting("high and new", 0, 9, 5),
              fitting("borrowing", 1, 9, 0),
              fitting("low and old", 0, 0, 1)))
          .containsExactly("low and old", "high and new", "borrowing");
    }

    @Test
    void doesNotDependOnTheOrderOfHeads() {
      Head a = fitting("a", 0, 0, 0);
      Head b = fitting("b", 0, 0, 0);

      assertThat(processed(a, b)).containsExactly("a", "b");
      assertThat(processed(b, a)).containsExactly("a", "b");
    }

    @Test
    void includesWhatDoesNotFit() {
      QueueState small = fixture.queue("small", "c", flavor("spot", 1));
      QueueState large = fixture.queue("large", "d", flavor("spot", 9));
      Head tooLarge = fixture.head(small, "too large", 9, 0, gpus("main", 2));
      Head fitting = fixture.head(large, "fitting", 0, 0, gpus("main", 2));

      assertThat(outcomes(fixture.run(1, fitting, tooLarge)))
          .containsExactly("too large NO_FIT", "fitting ADMITTED");
    }
  }

  @Nested
  class Admission {
    private final QueueState a = fixture.queue("a", "c", flavor("spot", 2), flavor("reserved", 9));
    private final QueueState b = fixture.queue("b", "c", flavor("spot", 2), flavor("reserved", 9));

    @Test
    void anyNumberIsAdmittedWhileTheCohortHasRoom() {
      assertThat(outcomes(fixture.run(1, fixture.head(a, "x", 2), fixture.head(b, "y", 2))))
          .containsExactly("x ADMITTED", "y ADMITTED");
    }

    @Test
    void aLaterHeadIsSkippedIfItNoLongerFits() {
      Head first = fixture.head(a, "first", 1, 0, gpus("main", 3));
      Head second = fixture.head(b, "second", 0, 0, gpus("main", 3));

      Map<Head, Attempt> attempts = fixture.run(1, first, second);

      assertThat(outcomes(attempts))
          .containsExactly("first ADMITTED", "second FAILED_AFTER_NOMINATION");
      Attempt skipped = Objects.requireNonNull(attempts.get(second));
      assertThat(fixture.nominated(skipped))
          .as("nominated against the state before the cycle")
          .containsExactly("spot=3");
      assertThat(skipped.cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
      assertThat(fixture.reasons(second, skipped)).containsExactly("TAKEN_IN_CYCLE");
    }

    @Test
    void whoIsSkippedLearnsWhichPodsLostTheirPlace() {
      QueueState d = fixture.queue("d", "c", flavor("spot", 0), flavor("reserved", 0));
      Head first = fixture.head(a, "first", 1, 0, gpus("main", 4));
      Head second =
          fixture.head(d, "second", 0, 0, gpus("leader", 5), gpus("worker", 4), gpus("other", 9));

      Map<Head, Attempt> attempts = fixture.run(1, first, second);

      Attempt skipped = Objects.requireNonNull(attempts.get(second));
      assertThat(fixture.nominated(skipped)).containsExactly("reserved=5", "spot=4", "reserved=9");
      assertThat(fixture.podSetsShort(second, skipped)).containsExactly("worker");
    }

    @Test
    void skippedWorkloadTakesNothing() {
      QueueState third = fixture.queue("third", "c", flavor("spot", 0));
      Head first = fixture.head(a, "first", 2, 0, gpus("main", 3));
      Head second = fixture.head(b, "second", 1, 0, gpus("main", 3));
      Head last = fixture.head(third, "last", 0, 0, gpus("main", 1));

      assertThat(outcomes(fixture.run(1, first, second, last)))
          .containsExactly("first ADMITTED", "second FAILED_AFTER_NOMINATION", "last ADMITTED");
    }

    @Test
    void whoFitsIsNotHeldBackByWhoDoesNot() {
      Head tooLarge = fixture.head(a, "too large", 9, 0, gpus("main", 99));
      Head fitting = fixture.head(b, "fitting", 0, 0, gpus("main", 2));

      assertThat(outcomes(fixture.run(1, tooLarge, fitting)))
          .containsExactly("too large NO_FIT", "fitting ADMITTED");
    }

    @Test
    void allPodSetsAreAdmittedOrNone() {
      QueueState tight = fixture.queue("tight", "d", flavor("spot", 4));
      Head head = fixture.head(tight, "job", 0, 0, gpus("one", 3), gpus("two", 9));

      assertThat(outcomes(fixture.run(1, head))).containsExactly("job NO_FIT");
    }

    @Test
    void requestOfNothingPassesEvenInDebt() {
      fixture.use(a, "spot", 5);

      assertThat(outcomes(fixture.run(1, fixture.head(b, "job", 0))))
          .containsExactly("job ADMITTED");
    }

    @Test
    void inadmissibleHeadsAreNotNominated() {
      Head stopped = fixture.head(a, "stopped", 1);
      fixture.makeInadmissible(stopped);

      Map<Head, Attempt> attempts = fixture.run(1, fixture.head(b, "job", 1), stopped);

      assertThat(outcomes(attempts)).containsExactlyInAnyOrder("stopped GENERIC", "job ADMITTED");
      assertThat(stopped.progress()).isNull();
    }

    @Test
    void noHeadsNoAttempts() {
      assertThat(fixture.run(1)).isEmpty();
    }

    @Test
    void treesAreRestoredAfterwards() {
      fixture.use(a, "spot", 1);
      Head admitted = fixture.head(a, "admitted", 2, 0, gpus("main", 2));
      Head skipped = fixture.head(b, "skipped", 1, 0, gpus("main", 3));

      fixture.run(1, admitted, skipped);

      assertThat(fixture.usage(a, "spot")).isEqualTo(1);
      assertThat(fixture.usage(b, "spot")).isZero();
      assertThat(fixture.available(b, "spot")).isEqualTo(3);
      assertThat(a.quota().tree().isInTrial()).isFalse();
    }
  }

  @Nested
  class Reservation {
    private static final int ASKED = 50;

    /**
     * What a workload without victims keeps from others. It asks for 50 in a queue that uses 60;
     * the lender in its cohort uses nothing.
     */
    private long held(
        Preemption preemption, long nominal, OptionalLimit limit, long lent, int asked, int level) {
      long free = nominal + lent - 60;
      for (int taken = (int) free; taken > 0; taken--) {
        CycleFixture fresh = new CycleFixture();
        fresh.findNoCandidatesAt(level);
        QueueState stuck =
            fresh.queue(spec("stuck", "c", limit.of(nominal)).preemption(preemption));
        fresh.queue("lender", "c", flavor("spot", lent));
        QueueState taker = fresh.queue("taker", "c", flavor("spot", 0));
        fresh.use(stuck, "spot", 60);
        Head head = fresh.head(stuck, "stuck", 9, 0, gpus("main", asked));
        Map<Head, Attempt> attempts =
            fresh.run(1, head, fresh.head(taker, "taker", 0, 0, gpus("main", taken)));
        assertThat(outcomes(attempts)).first().isEqualTo("stuck PREEMPTION_NO_CANDIDATES");
        if (outcomes(attempts).contains("taker ADMITTED")) {
          return free - taken;
        }
        assertThat(fresh.usage(stuck, "spot")).isEqualTo(60);
      }
      return free;
    }

    /** A borrowing limit, negative for none. */
    private record OptionalLimit(long limit) {
      FlavorQuotas of(long nominal) {
        return limit < 0 ? flavor("spot", nominal) : flavor("spot", nominal, limit);
      }
    }

    private Preemption policies(Preemption.Policy reclaim) {
      return Preemption.builder()
          .reclaimWithinCohort(reclaim)
          .borrowWithinCohort(Preemption.Policy.LOWER_PRIORITY)
          .build();
    }

    @ParameterizedTest(name = "nominal {0} limit {1} lent {2} asked {3} level {4}")
    @CsvSource({
      "100, 0, 20, 50, 0, 40",
      "0, 100, 200, 50, 1, 40",
      "0, 100, 200, 50, 0, 0",
      "0, 50, 200, 40, 1, 0",
      "40, 30, 200, 70, 1, 10"
    })
    void holdsWhatQuotaAndLimitLeave(
        long nominal, long limit, long lent, int asked, int level, long held) {
      assertThat(held(
              policies(Preemption.Policy.LOWER_PRIORITY),
              nominal,
              new OptionalLimit(limit),
              lent,
              asked,
              level))
          .isEqualTo(held);
    }

    @Test
    void holdsAllThatIsAskedWithoutALimit() {
      long held = held(policies(Preemption.Policy.NEVER), 0, new OptionalLimit(-1), 100, ASKED, 1);

      assertThat(held).as("all of the 40 that are free").isEqualTo(40);
    }

    @ParameterizedTest
    @EnumSource(Preemption.Policy.class)
    void isNeedlessIfTheQueueMayReclaimFromAnybody(Preemption.Policy reclaim) {
      assertThat(held(policies(reclaim), 100, new OptionalLimit(0), 20, ASKED, 0))
          .isEqualTo(reclaim == Preemption.Policy.ANY ? 0 : 40);
    }

    @Test
    void endsWithTheCycle() {
      QueueState stuck = fixture.queue("stuck", "c", flavor("spot", 100));
      fixture.use(stuck, "spot", 60);

      fixture.run(1, fixture.head(stuck, "stuck", ASKED));

      assertThat(fixture.usage(stuck, "spot")).isEqualTo(60);
      assertThat(stuck.quota().tree().isInTrial()).isFalse();
    }
  }

  @Nested
  class SkippedScanProgress {
    private Head skipped() {
      QueueState a = fixture.queue("a", "c", flavor("spot", 2), flavor("reserved", 9));
      QueueState b = fixture.queue("b", "c", flavor("spot", 2), flavor("reserved", 9));
      Head first = fixture.head(a, "first", 1, 0, gpus("main", 3));
      Head second = fixture.head(b, "second", 0, 0, gpus("main", 3));
      fixture.run(1, first, second);
      return second;
    }

    @Test
    void isKeptSoThatTheNextCycleGoesOnBehind() {
      Head skipped = skipped();

      assertThat(fixture.run(2, skipped).values())
          .singleElement()
          .extracting(fixture::nominated)
          .isEqualTo(List.of("reserved=3"));
    }

    @Test
    void isClearedIfItIsNotPreserved() {
      fixture.set(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS, false);

      assertThat(skipped().progress()).isNull();
    }
  }
}
