package io.kueue4j.core.internal.usage;

import static io.kueue4j.core.internal.usage.FractionalAmountsTest.cpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageLedgerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration HALF_LIFE = Duration.ofMinutes(10);
  private static final String QUEUE = "ns/a";
  private static final WorkloadId JOB = WorkloadId.of("ns", "job");
  private static final WorkloadId OTHER = WorkloadId.of("ns", "other");

  private final UsageLedger ledger = ledger(HALF_LIFE);

  private static UsageLedger ledger(Duration halfLife) {
    UsageLedger ledger = new UsageLedger(AdmissionFairSharing.of(halfLife), new Journal());
    ledger.open(QUEUE, spec("a", 1), true, START);
    return ledger;
  }

  private static LocalQueue spec(String name, double weight) {
    return LocalQueue.builder()
        .namespace("ns")
        .name(name)
        .clusterQueue("cq")
        .fairSharingWeight(weight)
        .build();
  }

  private static Instant after(long minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }

  private static UsageAccount account(UsageLedger of) {
    return of.account(QUEUE).orElseThrow();
  }

  private UsageAccount account() {
    return account(ledger);
  }

  @ParameterizedTest
  @CsvSource({"0, 10, 0", "10, 10, 0.5", "20, 10, 0.75", "5, 10, 0.2928932188134524", "7, 0, 0"})
  void theRateIsOneHalfForEachHalfLife(long minutes, long halfLife, double rate) {
    assertThat(new UsageDecay(Duration.ofMinutes(halfLife)).rate(Duration.ofMinutes(minutes)))
        .isEqualTo(rate);
  }

  @Test
  void theRateCountsFractionsOfSeconds() {
    UsageDecay decay = new UsageDecay(Duration.ofMillis(1500));
    assertThat(decay.rate(Duration.ofSeconds(3))).isEqualTo(0.75);
    assertThat(decay.rate(Duration.ofMillis(750))).isEqualTo(1 - StrictMath.pow(0.5, 0.5));
  }

  /** Vector V-12. */
  @Test
  void aPenaltyBecomesHistoryOnAdmission() {
    ledger.penalize(QUEUE, JOB, cpu("4"));
    assertThat(account().pendingPenalty()).isEqualTo(cpu("1.171572875"));
    assertThat(account().consumed()).isEqualTo(FractionalAmounts.NONE);
    assertThat(ledger.of(QUEUE)).isEqualTo(1.171572875);

    ledger.setInUse(QUEUE, cpu("4"), false);
    ledger.settle(QUEUE, JOB, START);
    assertThat(account().pendingPenalty()).isEqualTo(FractionalAmounts.NONE);
    assertThat(account().consumed()).isEqualTo(cpu("1.171572875"));
    assertThat(account().lastUpdate()).isEqualTo(START);
    assertThat(ledger.of(QUEUE)).isEqualTo(1.171572875);
  }

  @Test
  void aSecondPenaltyOfAWorkloadReplacesTheFirst() {
    ledger.penalize(QUEUE, JOB, cpu("4"));
    ledger.penalize(QUEUE, OTHER, cpu("1"));
    ledger.penalize(QUEUE, JOB, cpu("2"));
    assertThat(account().pendingPenalty()).isEqualTo(cpu("0.585786437").plus(cpu("0.292893218")));
    assertThat(ledger.drop(QUEUE, JOB)).isTrue();
    assertThat(account().pendingPenalty()).isEqualTo(cpu("0.292893218"));
  }

  @Test
  void aDroppedPenaltyLeavesNothingAndNoOthersAreTouched() {
    assertThat(ledger.drop(QUEUE, JOB)).isFalse();
    ledger.penalize(QUEUE, JOB, cpu("0.1"));
    assertThat(ledger.drop(QUEUE, OTHER)).isFalse();
    assertThat(ledger.of(QUEUE)).isPositive();
    assertThat(ledger.drop(QUEUE, JOB)).isTrue();
    assertThat(ledger.of(QUEUE)).isZero();
    assertThat(account().consumed()).isEqualTo(FractionalAmounts.NONE);
  }

  @Test
  void settlingWithoutAPenaltyOnlyDecays() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.settle(QUEUE, JOB, after(10));
    assertThat(account().consumed()).isEqualTo(cpu("4"));
    ledger.settle(QUEUE, JOB, after(10));
    assertThat(account().consumed()).isEqualTo(cpu("4"));
  }

  @Test
  void settlementDecaysTowardsWhatIsInUse() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.setInUse(QUEUE, cpu("2"), false);
    ledger.penalize(QUEUE, JOB, cpu("4"));
    ledger.settle(QUEUE, JOB, after(10));
    // 8 / 2 + 2 / 2, and the penalty.
    assertThat(account().consumed()).isEqualTo(cpu("6.171572875"));
    assertThat(account().lastUpdate()).isEqualTo(after(10));
  }

  @Test
  void settlementNeverGoesBackInTime() {
    ledger.restore(QUEUE, cpu("8"), after(10));
    ledger.setInUse(QUEUE, cpu("100"), false);
    ledger.settle(QUEUE, JOB, after(3));
    assertThat(account().consumed()).isEqualTo(cpu("8"));
    assertThat(account().lastUpdate()).isEqualTo(after(10));
  }

  @Test
  void samplingHappensAtEachIntervalAfterTheLastUpdate() {
    ledger.restore(QUEUE, cpu("8"), START);
    assertThat(ledger.nextSampling()).contains(after(5));
    assertThat(ledger.sampleUntil(after(5).minusNanos(1))).isEmpty();
    assertThat(account().consumed()).isEqualTo(cpu("8"));
    assertThat(ledger.sampleUntil(after(5))).containsExactly(QUEUE);
    assertThat(account().consumed()).isEqualTo(cpu("5.656854249"));
    assertThat(ledger.nextSampling()).contains(after(10));

    ledger.settle(QUEUE, JOB, after(7));
    assertThat(ledger.nextSampling()).contains(after(12));
  }

  @Test
  void oneLateCallSamplesAsManyInTime() {
    UsageLedger inTime = ledger(HALF_LIFE);
    for (UsageLedger each : new UsageLedger[] {ledger, inTime}) {
      each.restore(QUEUE, cpu("7.123456789"), START);
      each.setInUse(QUEUE, cpu("3"), false);
    }
    for (int minute = 0; minute <= 93; minute++) {
      inTime.sampleUntil(after(minute));
    }
    ledger.sampleUntil(after(93));
    assertThat(account().consumed()).isEqualTo(account(inTime).consumed());
    assertThat(account().lastUpdate()).isEqualTo(after(90));
    assertThat(ledger.nextSampling()).contains(after(95)).isEqualTo(inTime.nextSampling());
  }

  @Test
  void aLongSilenceIsMadeUpForWithoutAllItsSteps() {
    UsageLedger weekly = ledger(Duration.ofDays(70));
    weekly.restore(QUEUE, cpu("1000"), START);
    Instant late = START.plus(Duration.ofDays(70));
    weekly.sampleUntil(late);
    assertThat(account(weekly).lastUpdate()).isEqualTo(late);
    BigDecimal consumed = account(weekly).consumed().byResource().get("cpu");
    assertThat(consumed)
        .isLessThanOrEqualTo(BigDecimal.valueOf(500))
        .isCloseTo(BigDecimal.valueOf(500), within(new BigDecimal("0.000002")));
  }

  @Test
  void anIdleQueueIsSampledToTheEndAtOnce() {
    Instant late = START.plus(Duration.ofDays(36_500)).plusSeconds(1);
    ledger.restore(QUEUE, cpu("1"), START);
    ledger.sampleUntil(late);
    assertThat(account().consumed()).isEqualTo(FractionalAmounts.NONE);
    assertThat(account().lastUpdate()).isEqualTo(late.minusSeconds(1));
    assertThat(ledger.of(QUEUE)).isZero();
  }

  @Test
  void withoutHalfLifeSamplingEmptiesAndNothingIsPenalized() {
    UsageLedger forgetful = ledger(Duration.ZERO);
    forgetful.restore(QUEUE, cpu("8"), START);
    forgetful.setInUse(QUEUE, cpu("5"), false);
    forgetful.penalize(QUEUE, JOB, cpu("4"));
    assertThat(account(forgetful).pendingPenalty()).isEqualTo(FractionalAmounts.NONE);
    forgetful.settle(QUEUE, JOB, after(1));
    assertThat(account(forgetful).consumed()).isEqualTo(cpu("8"));
    forgetful.sampleUntil(after(6));
    assertThat(account(forgetful).consumed()).isEqualTo(FractionalAmounts.NONE);
    assertThat(forgetful.of(QUEUE)).isZero();
  }

  @Test
  void usageIsDividedByTheWeightAndInfiniteWithoutOne() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.open(QUEUE, spec("a", 4), true, START);
    assertThat(ledger.of(QUEUE)).isEqualTo(2);
    ledger.open(QUEUE, spec("a", 0), true, START);
    assertThat(ledger.of(QUEUE)).isInfinite();
    ledger.restore(QUEUE, FractionalAmounts.NONE, START);
    assertThat(ledger.of(QUEUE)).isInfinite();
  }

  @Test
  void resourceWeightsApplyToBaseUnits() {
    UsageLedger weighted = new UsageLedger(
        AdmissionFairSharing.of(HALF_LIFE)
            .withResourceWeight("memory", 0.5)
            .withResourceWeight("gpu", 0),
        new Journal());
    weighted.open(QUEUE, spec("a", 2), true, START);
    FractionalAmounts amounts = FractionalAmounts.of(Map.of(
        "cpu", new BigDecimal("1.5"), "memory", new BigDecimal("1024"), "gpu", BigDecimal.TEN));
    weighted.restore(QUEUE, amounts, START);
    assertThat(weighted.of(QUEUE)).isEqualTo((1.5 + 512) / 2);
  }

  @Test
  void anUnknownQueueHasUsedNothingAndTakesNothing() {
    ledger.penalize("ns/b", JOB, cpu("4"));
    ledger.settle("ns/b", JOB, after(1));
    ledger.restore("ns/b", cpu("1"), START);
    assertThat(ledger.of("ns/b")).isZero();
    assertThat(ledger.account("ns/b")).isEmpty();
  }

  @Test
  void anAccountEndsWithItsQueue() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.penalize(QUEUE, JOB, cpu("4"));
    ledger.close(QUEUE);
    assertThat(ledger.of(QUEUE)).isZero();
    assertThat(ledger.nextSampling()).isEmpty();
    assertThat(ledger.sampleUntil(after(60))).isEmpty();

    ledger.open(QUEUE, spec("a", 1), true, after(60));
    assertThat(ledger.of(QUEUE)).isZero();
    assertThat(account().lastUpdate()).isEqualTo(after(60));
  }

  @Test
  void aPauseIsOneStepWhenItWasLongEnough() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.setInUse(QUEUE, cpu("2"), false);
    ledger.open(QUEUE, spec("a", 1), false, START);
    assertThat(ledger.nextSampling()).isEmpty();
    assertThat(ledger.sampleUntil(after(10))).isEmpty();
    assertThat(account().consumed()).isEqualTo(cpu("8"));

    ledger.open(QUEUE, spec("a", 1), true, after(10));
    assertThat(account().consumed()).isEqualTo(cpu("5"));
    assertThat(account().lastUpdate()).isEqualTo(after(10));
  }

  @Test
  void aShortPauseChangesNothing() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.open(QUEUE, spec("a", 1), false, after(1));
    ledger.open(QUEUE, spec("a", 1), true, after(4));
    assertThat(account().consumed()).isEqualTo(cpu("8"));
    assertThat(ledger.nextSampling()).contains(after(5));
  }

  @Test
  void aHistoryBeginsWhenItsQueueFirstTakesPart() {
    UsageLedger late = new UsageLedger(AdmissionFairSharing.of(HALF_LIFE), new Journal());
    late.open(QUEUE, spec("a", 1), false, START);
    late.setInUse(QUEUE, cpu("100"), false);
    assertThat(account(late).lastUpdate()).isNull();
    late.open(QUEUE, spec("a", 1), true, after(60));
    assertThat(late.of(QUEUE)).isZero();
    assertThat(late.nextSampling()).contains(after(65));
  }

  @Test
  void queuesAreSampledInOrderOfTimeThenName() {
    ledger.open("ns/c", spec("c", 1), true, START);
    ledger.open("ns/b", spec("b", 1), true, START);
    ledger.open("ns/0", spec("0", 1), true, after(1));
    assertThat(ledger.sampleUntil(after(6))).containsExactly("ns/a", "ns/b", "ns/c", "ns/0");
  }

  private UsageLedger copy() {
    UsageLedger copy = new UsageLedger(AdmissionFairSharing.of(HALF_LIFE), new Journal());
    copy.share(ledger);
    return copy;
  }

  @Test
  void aCopyGoesItsOwnWay() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.penalize(QUEUE, JOB, cpu("4"));
    UsageLedger copy = copy();
    assertThat(copy.of(QUEUE)).isEqualTo(ledger.of(QUEUE));
    copy.settle(QUEUE, JOB, after(1));
    copy.sampleUntil(after(30));
    assertThat(account().consumed()).isEqualTo(cpu("8"));
    assertThat(account().pendingPenalty()).isEqualTo(cpu("1.171572875"));
    assertThat(ledger.nextSampling()).contains(after(5));
    ledger.sampleUntil(after(5));
    assertThat(account(copy).lastUpdate()).isEqualTo(after(26));
  }

  @Test
  void aCopyIsSampledAndKnowsPenaltiesAsTheOriginal() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.penalize(QUEUE, JOB, cpu("4"));
    ledger.setInUse(QUEUE, cpu("4"), false);

    UsageLedger copy = copy();

    assertThat(account(copy).inUse()).isEqualTo(cpu("4"));
    assertThat(copy.nextSampling()).contains(after(5));
    assertThat(copy.sampleUntil(after(5))).containsExactly(QUEUE);
    assertThat(copy.drop(QUEUE, JOB)).isTrue();
    assertThat(account(copy).pendingPenalty()).isEqualTo(FractionalAmounts.NONE);
    assertThat(ledger.drop(QUEUE, JOB)).isTrue();
  }

  @Test
  void whatIsPutBackCountsFromItsOwnTime() {
    ledger.restore(QUEUE, cpu("8"), after(3));
    assertThat(ledger.nextSampling()).contains(after(8));
    assertThat(ledger.sampleUntil(after(8))).containsExactly(QUEUE);
  }

  @Test
  void aPauseOfJustOneIntervalIsMadeUpForAtItsEnd() {
    ledger.restore(QUEUE, cpu("8"), START);
    ledger.open(QUEUE, spec("a", 1), false, START);
    ledger.open(QUEUE, spec("a", 1), true, after(5));
    assertThat(account().consumed()).isEqualTo(cpu("5.656854249"));
    assertThat(account().lastUpdate()).isEqualTo(after(5));
  }

  @Test
  void anIntervalToTheEndOfTimeComesThen() {
    UsageLedger patient = new UsageLedger(
        AdmissionFairSharing.of(HALF_LIFE)
            .withUsageSamplingInterval(Duration.between(START, Instant.MAX)),
        new Journal());
    patient.open(QUEUE, spec("a", 1), true, START);
    assertThat(patient.nextSampling()).contains(Instant.MAX);
  }

  @Test
  void anIntervalBeyondAllTimeNeverComes() {
    UsageLedger patient = new UsageLedger(
        AdmissionFairSharing.of(HALF_LIFE)
            .withUsageSamplingInterval(Duration.ofSeconds(Long.MAX_VALUE)),
        new Journal());
    patient.open(QUEUE, spec("a", 1), true, START);
    assertThat(patient.nextSampling()).isEmpty();
    assertThat(patient.sampleUntil(Instant.MAX)).isEmpty();
  }
}
