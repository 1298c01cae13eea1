package io.kueue4j.core.internal.usage;

import static io.kueue4j.core.internal.usage.FractionalAmountsTest.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Histories against the formula that they approach, and what must come back to nothing. */
class UsageLedgerProperties {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String QUEUE = "ns/a";
  private static final LocalQueue SPEC = LocalQueue.of("ns", "a", "cq");

  /** What happens, after how long. */
  record Step(int kind, long seconds, int job, int milliCores) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 4),
            Arbitraries.longs().between(0, 4000),
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 1_000_000))
        .as(Step::new)
        .list()
        .ofMinSize(5)
        .ofMaxSize(60);
  }

  private static FractionalAmounts cores(int milli) {
    return cpu(BigDecimal.valueOf(milli, 3).toString());
  }

  /**
   * Whatever is sampled and settled when, the history is the integral of what was in use, weighted
   * by its age, and of the penalties since; each step loses at most two units of the ninth decimal.
   */
  @Property(tries = 300)
  void theHistoryIsTheClosedForm(
      @ForAll("steps") List<Step> steps,
      @ForAll @IntRange(min = 1, max = 100_000) int halfLifeSeconds,
      @ForAll @IntRange(min = 30, max = 3000) int intervalSeconds) {
    UsageLedger ledger = new UsageLedger(
        AdmissionFairSharing.of(Duration.ofSeconds(halfLifeSeconds))
            .withUsageSamplingInterval(Duration.ofSeconds(intervalSeconds)),
        new Journal());
    ledger.open(QUEUE, SPEC, true, START);
    double penaltyRate = 1 - Math.pow(0.5, (double) intervalSeconds / halfLifeSeconds);
    Instant now = START;
    Instant known = START;
    double expected = 0;
    double inUse = 0;
    int samplings = 0;
    for (Step step : steps) {
      now = now.plusSeconds(step.seconds());
      ledger.sampleUntil(now);
      samplings += (int) (step.seconds() / intervalSeconds) + 3;
      Instant last = account(ledger).lastUpdate();
      assertThat(last).isNotNull().isBetween(known, now);
      double kept =
          Math.pow(0.5, Duration.between(known, last).toSeconds() / (double) halfLifeSeconds);
      expected = expected * kept + inUse * (1 - kept);
      known = last;
      if (step.kind() == 0) {
        // In use from the last update on, as sampling takes it.
        inUse = step.milliCores() / 1000.0;
        ledger.setInUse(QUEUE, cores(step.milliCores()), false);
      } else if (step.kind() < 3) {
        WorkloadId job = WorkloadId.of("ns", "job" + step.job());
        ledger.penalize(QUEUE, job, cores(step.milliCores()));
        ledger.settle(QUEUE, job, now);
        double rest =
            Math.pow(0.5, Duration.between(known, now).toSeconds() / (double) halfLifeSeconds);
        expected = expected * rest + inUse * (1 - rest) + penaltyRate * step.milliCores() / 1000.0;
        known = now;
      }
      double bound = 2e-9 * samplings + 1e-11 * (1 + expected);
      assertThat(ledger.of(QUEUE)).isBetween(expected - bound, expected + bound);
    }
  }

  @Property(tries = 300)
  void penaltiesAlwaysComeBackToNothing(@ForAll("steps") List<Step> steps) {
    UsageLedger ledger =
        new UsageLedger(AdmissionFairSharing.of(Duration.ofDays(7)), new Journal());
    ledger.open(QUEUE, SPEC, true, START);
    for (Step step : steps) {
      WorkloadId job = WorkloadId.of("ns", "job" + step.job());
      switch (step.kind()) {
        case 0 -> ledger.drop(QUEUE, job);
        case 1 -> ledger.settle(QUEUE, job, START);
        default -> ledger.penalize(QUEUE, job, cores(step.milliCores()));
      }
      assertThat(account(ledger).pendingPenalty().byResource().values())
          .allMatch(p -> p.signum() > 0);
    }
    for (int job = 0; job <= 5; job++) {
      ledger.drop(QUEUE, WorkloadId.of("ns", "job" + job));
    }
    assertThat(account(ledger).pendingPenalty()).isEqualTo(FractionalAmounts.NONE);
    ledger.sampleUntil(START.plus(Duration.ofDays(3650)));
    assertThat(account(ledger).consumed()).isEqualTo(FractionalAmounts.NONE);
  }

  @Property(tries = 200)
  void whoLooksBetweenChangesNothing(@ForAll("steps") List<Step> steps) {
    UsageLedger looked =
        new UsageLedger(AdmissionFairSharing.of(Duration.ofHours(1)), new Journal());
    UsageLedger left = new UsageLedger(AdmissionFairSharing.of(Duration.ofHours(1)), new Journal());
    Instant now = START;
    for (UsageLedger ledger : List.of(looked, left)) {
      ledger.open(QUEUE, SPEC, true, now);
      ledger.restore(QUEUE, cpu("100"), now);
      ledger.setInUse(QUEUE, cpu("33.3"), false);
    }
    for (Step step : steps) {
      now = now.plusSeconds(step.seconds());
      looked.sampleUntil(now);
    }
    left.sampleUntil(now);
    assertThat(looked.of(QUEUE)).isEqualTo(left.of(QUEUE));
    assertThat(looked.nextSampling()).isEqualTo(left.nextSampling());
  }

  private static UsageAccount account(UsageLedger ledger) {
    return ledger.account(QUEUE).orElseThrow();
  }
}
