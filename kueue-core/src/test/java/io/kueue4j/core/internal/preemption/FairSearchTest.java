package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.decision.Settings.FairSharingStrategy.LESS_THAN_INITIAL_SHARE;
import static io.kueue4j.core.decision.Settings.FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE;
import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static io.kueue4j.core.internal.preemption.PreemptionFixture.preemptingWhileBorrowing;
import static io.kueue4j.core.internal.preemption.PreemptionFixture.reclaiming;
import static io.kueue4j.core.internal.preemption.PreemptionFixture.withinQueue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ResourceQuota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairSearchTest {
  private static final FairSharingStrategy FINAL = LESS_THAN_OR_EQUAL_TO_FINAL_SHARE;
  private static final FairSharingStrategy INITIAL = LESS_THAN_INITIAL_SHARE;

  private final PreemptionFixture fixture = new PreemptionFixture();

  /** Takes in {@code count} workloads of one GPU each, named by queue and number. */
  private void units(String queue, int count) {
    for (int i = 1; i <= count; i++) {
      fixture.running(queue + i, queue, 1, 0);
    }
  }

  /** V-8: three queues with the same quota. */
  private void three(int usedByA, int usedByB, int usedByD) {
    fixture.cohorts.with(reclaiming(queue("a", "c", 3)), queue("b", "c", 3), queue("d", "c", 3));
    units("a", usedByA);
    units("b", usedByB);
    units("d", usedByD);
  }

  @Test
  void usageIsAsBeforeAfterAFailureInTheMiddle() {
    fixture.cohorts.with(withinQueue(queue("q", "", 4).cohort(Optional.empty()), LOWER_PRIORITY));
    fixture.running("low", "q", 3, 0).runningBroken("broken", "q", 1, -1);
    QueueQuota queue = fixture.cohorts.queue("q");

    assertThatThrownBy(() -> fixture.fair("q", 4, 5, FINAL)).isInstanceOf(RuntimeException.class);

    assertThat(queue.usage(fixture.cohorts.gpuPair())).isEqualTo(4);
    assertThat(queue.tree().isInTrial()).isFalse();
  }

  /** Rules H-14 and H-15. */
  @Nested
  class Candidates {
    @Test
    void noneOfOtherQueuesWithoutAPolicyForIt() {
      fixture.cohorts.with(withinQueue(queue("a", "c", 3), LOWER_PRIORITY), queue("b", "c", 3));
      units("b", 6);

      assertThat(fixture.fair("a", 1, 5, FINAL)).isEmpty();
    }

    @Test
    void ofOtherQueuesThoseThatThePolicyForTheCohortAllows() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 3), NEVER, LOWER_PRIORITY), queue("b", "c", 3));
      fixture.running("low", "b", 3, 0).running("equal", "b", 3, 5);

      assertThat(fixture.fair("a", 3, 5, FINAL)).containsExactly("low InCohortReclamation");
    }

    @Test
    void noneOfAQueueThatBorrowsOnlyWhatIsNotNeeded() {
      var quotas = group(gpus(3), ResourceQuota.ofAmount("disk", 3L));
      fixture.cohorts.with(reclaiming(queue("a", "c", quotas)), queue("b", "c", quotas));
      fixture
          .running("b1", "b1", "b", 0, Map.of("gpu", 3L, "disk", 4L))
          .running("a1", "a1", "a", 9, Map.of("gpu", 3L));

      assertThat(fixture.fair("a", 1, 5, FINAL, INITIAL)).isEmpty();
    }

    @Test
    void noneOfAnInactiveQueue() {
      three(0, 6, 3);
      fixture.cohorts.deactivate("b");

      assertThat(fixture.fair("a", 1, 0, FINAL, INITIAL)).isEmpty();
    }

    @Test
    void noneThatIsSetAside() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3)), queue("b", "c", 3));
      fixture.running("b1", "b", 6, 0);
      fixture.setAside("b1", true);

      assertThat(fixture.fair("a", 1, 0, FINAL, INITIAL)).isEmpty();
    }

    @Test
    void alsoAboveTheThresholdOfPreemptionWhileBorrowing() {
      fixture.cohorts.with(
          preemptingWhileBorrowing(queue("a", "c", 3), NEVER, OptionalInt.of(-5)),
          queue("b", "c", 3));
      fixture.running("b1", "b", 6, 9);

      assertThat(fixture.fair("a", 3, 0, FINAL)).containsExactly("b1 InCohortReclamation");
    }

    @Test
    void withoutCohortThoseOfTheOwnQueueInOrder() {
      fixture.cohorts.with(withinQueue(
          ClusterQueue.builder().name("alone").addResourceGroups(group(gpus(3))), LOWER_PRIORITY));
      fixture
          .running("w1", "alone", 1, -1)
          .running("w2", "alone", 1, -3)
          .running("w3", "alone", 1, -2);

      assertThat(fixture.fair("alone", 2, 0, FINAL))
          .containsExactly("w2 InClusterQueue", "w3 InClusterQueue");
    }
  }

  /** Rules H-19 and H-20. */
  @Nested
  class FirstPass {
    @ParameterizedTest
    @CsvSource({"LESS_THAN_OR_EQUAL_TO_FINAL_SHARE", "LESS_THAN_INITIAL_SHARE"})
    void takesFromTheLargestShare(FairSharingStrategy strategy) {
      three(3, 5, 1);

      assertThat(fixture.fair("a", 1, 0, strategy)).containsExactly("b5 InCohortFairSharing");
    }

    @ParameterizedTest
    @CsvSource({"LESS_THAN_OR_EQUAL_TO_FINAL_SHARE", "LESS_THAN_INITIAL_SHARE"})
    void takesNothingFromAnEqualShare(FairSharingStrategy strategy) {
      three(3, 4, 2);

      assertThat(fixture.fair("a", 1, 0, strategy)).isEmpty();
    }

    @Test
    void takesWithinNominalQuotaWithoutComparingShares() {
      three(0, 5, 4);

      assertThat(fixture.fair(true, "a", 1, 0, FINAL)).containsExactly("b5 InCohortReclamation");
    }

    @Test
    void takesWhoIsEvictedAlreadyFirst() {
      three(0, 5, 4);
      fixture.evicted("b2");

      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("b2 InCohortReclamation");
    }

    @Test
    void comparesSharesAlsoWithinNominalQuotaIfToldTo() {
      three(0, 5, 4);

      assertThat(fixture.fair(false, "a", 1, 0, FINAL)).containsExactly("b5 InCohortFairSharing");
    }

    @Test
    void reclaimsBelowQuotaIfSharesNeedNotBeCompared() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3)), queue("b", "c", 3));
      fixture.running("b1", "b", 6, 0);

      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("b1 InCohortReclamation");
    }

    @Test
    void countsTheIncomingWorkloadAgainstTheQuotaOfTheQueue() {
      three(3, 5, 1);

      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("b5 InCohortFairSharing");
      assertThat(fixture.fair("a", 2, 0, FINAL)).isEmpty();
    }

    @Test
    void takesFromTheOwnQueueWhenThatHasTheLargestShare() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3), LOWER_PRIORITY, ANY), queue("b", "c", 6));
      fixture.running("a1", "a", 2, 0).running("a2", "a", 2, 0).running("b1", "b", 5, 0);

      assertThat(fixture.fair("a", 2, 5, FINAL)).containsExactly("a2 InClusterQueue");
    }

    @Test
    void alternatesAsSharesChange() {
      three(0, 5, 4);

      assertThat(fixture.fair("a", 3, 0, FINAL))
          .containsExactly(
              "b5 InCohortReclamation", "d4 InCohortReclamation", "b4 InCohortReclamation");
    }

    @Test
    void seesUsageThatIsInTheTrialOnly() {
      three(0, 5, 4);
      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("b5 InCohortReclamation");

      QueueQuota d = fixture.cohorts.queue("d");
      int column = d.tree().column(fixture.cohorts.gpuPair());
      assertThat(d.tree().inTrial(() -> {
            d.tree().add(d.node(), column, 2);
            return fixture.fair("a", 1, 0, FINAL);
          }))
          .containsExactly(
              "d4 InCohortReclamation", "d3 InCohortReclamation", "b5 InCohortReclamation");
    }

    @Test
    void seesAWeightThatHasChanged() {
      three(0, 5, 4);
      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("b5 InCohortReclamation");

      fixture.cohorts.with(queue("d", "c", 3).fairSharingWeight(0.25));
      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("d4 InCohortReclamation");
    }

    @Test
    void goesOnToTheNextCandidateOfAQueueWhenOneIsRefused() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3)), queue("b", "c", 3), queue("d", "c", 3));
      units("a", 3);
      fixture.running("small", "b", 1, 0).running("large", "b", 4, 0);
      units("d", 1);

      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("small InCohortFairSharing");
    }
  }

  /** Rules H-21, H-22 and H-24. */
  @Nested
  class Strategies {
    private void oneLargeWorkloadBorrows() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3)), queue("b", "c", 3), queue("d", "c", 3));
      units("a", 3);
      fixture.running("large", "b", 5, 0);
      units("d", 1);
    }

    @Test
    void theFinalShareProtectsWhoWouldBeLeftWithLess() {
      oneLargeWorkloadBorrows();

      assertThat(fixture.fair("a", 1, 0, FINAL)).isEmpty();
    }

    @Test
    void theInitialShareIsAllThatCountsForTheOther() {
      oneLargeWorkloadBorrows();

      assertThat(fixture.fair("a", 1, 0, INITIAL)).containsExactly("large InCohortFairSharing");
    }

    @Test
    void theSecondTakesWhomTheFirstRefused() {
      oneLargeWorkloadBorrows();

      assertThat(fixture.fair("a", 1, 0, FINAL, INITIAL))
          .containsExactly("large InCohortFairSharing");
    }

    @Test
    void theSecondIsNotAskedWhenTheFirstSuffices() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3)), queue("b", "c", 3), queue("d", "c", 3));
      units("a", 3);
      fixture.running("large", "b", 4, -9).running("small", "b", 1, 0);
      units("d", 1);

      assertThat(fixture.fair("a", 1, 0, FINAL, INITIAL))
          .containsExactly("small InCohortFairSharing");
    }

    /** Cohort m (the preemptor's) borrows 73, b 90; within m the preemptor 36, its neighbour 37. */
    private ImmutableList<String> refusedByTheFinalShare(long quota) {
      fixture
          .cohorts
          .with(cohort("r", quota), cohort("m", 0).parent("r"))
          .with(reclaiming(queue("p", "m", 0)), queue("s", "m", 0), queue("b", "r", 0));
      fixture.running("s1", "s", 37, 0).running("b1", "b", 45, 0).running("b2", "b", 45, 0);
      return fixture.fair("p", 36, 0, FINAL, INITIAL);
    }

    @Test
    void theSecondTakesOneOfEachQueue() {
      assertThat(refusedByTheFinalShare(90))
          .containsExactly("b2 InCohortFairSharing", "s1 InCohortFairSharing");
    }

    @Test
    void theSecondDoesNotComeBackToAQueue() {
      assertThat(refusedByTheFinalShare(60)).isEmpty();
    }

    /** After the first pass, b borrows only disks, and its large workload holds GPUs as well. */
    @Test
    void theSecondTakesAlsoFromWhoBorrowsSomethingElse() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 2)),
          queue("b", "c", group(gpus(2), ResourceQuota.ofAmount("disk", 0L))),
          queue("d", "c", group(gpus(2), ResourceQuota.ofAmount("disk", 8L))));
      fixture
          .running("small", "b", 1, -1)
          .running("large", "large", "b", 0, Map.of("gpu", 2L, "disk", 8L))
          .running("d1", "d", 2, 0);

      assertThat(fixture.fair("a", 3, 0, FINAL, INITIAL))
          .containsExactly("large InCohortFairSharing");
    }

    /** The one taken first was taken for its LocalQueue; by the rest of the order it is last. */
    @Test
    void atEqualSharesTheSecondComparesThoseThatAreLeft() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 3)).fairSharingWeight(2),
          queue("b", "c", 1).admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING),
          queue("d", "c", 1),
          queue("e", "c", 1));
      fixture.running("b1", "b", 1, 0).running("d1", "d", 2, 0).running("b2", "b", 2, 0);
      Settings settings = Settings.builder().fairSharing(FINAL, INITIAL).build();
      LocalQueueUsage usage = localQueue -> localQueue.endsWith("1") ? 1 : 0;

      assertThat(PreemptionFixture.names(
              new FairSearch(settings, fixture.preemptor("a", 0), fixture.demand("a", 4), usage)
                  .search()))
          .containsExactly("b1 InCohortFairSharing", "b2 InCohortFairSharing");
    }

    private List<String> victimsOfALargeJob(boolean strict) {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 0), LOWER_PRIORITY, ANY),
          queue("b", "c", 0),
          queue("lender", "c", 8));
      fixture.running("a1", "a", 2, 0).running("b1", "b", 2, 0).running("b2", "b", 4, 0);
      Settings settings = Settings.builder()
          .fairSharing(FINAL, INITIAL)
          .strictFairSharing(strict)
          .build();
      return PreemptionFixture.names(new FairSearch(
              settings, fixture.preemptor("a", 1), fixture.demand("a", 4), LocalQueueUsage.NONE)
          .search());
    }

    /** kueue#14543: the share of a is 6 of 8 when a1 stays, as large as the share of b was. */
    @Test
    void aVictimOfTheOwnQueueThatIsPutBackMakesOthersUnfair() {
      assertThat(victimsOfALargeJob(false)).containsExactly("b2 InCohortFairSharing");
    }

    /** Rule SP-1. */
    @Test
    void strictlyAVictimOfTheOwnQueueIsKeptForFairness() {
      assertThat(victimsOfALargeJob(true))
          .containsExactly("b2 InCohortFairSharing", "a1 InClusterQueue");
    }

    @Test
    void aQueueWithoutWeightTakesNothingWhileItBorrows() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3)).fairSharingWeight(0), queue("b", "c", 3));
      units("a", 3);
      units("b", 3);
      fixture.cohorts.with(queue("d", "c", 1));
      fixture.running("b9", "b", 1, 0);

      assertThat(fixture.fair("a", 1, 0, FINAL, INITIAL)).isEmpty();
    }

    @Test
    void aQueueWithoutWeightTakesBackItsQuota() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 3)).fairSharingWeight(0), queue("b", "c", 3));
      units("b", 6);

      assertThat(fixture.fair(false, "a", 1, 0, FINAL)).containsExactly("b6 InCohortFairSharing");
    }

    @Test
    void betweenQueuesWithoutWeightTheSharesThemselvesCount() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 0)).fairSharingWeight(0),
          queue("b", "c", 0).fairSharingWeight(0),
          queue("d", "c", 6));
      units("a", 1);
      units("b", 5);

      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly("b5 InCohortFairSharing");
      assertThat(fixture.fair("a", 4, 0, FINAL)).isEmpty();
    }
  }

  /** Rule H-17, H-25. */
  @Nested
  class Targets {
    @Test
    void areNeverThoseWhoDoNotBorrowWhateverTheWeight() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 3)),
          queue("b", "c", 4).fairSharingWeight(0),
          queue("d", "c", 2));
      units("a", 3);
      units("b", 4);
      units("d", 2);

      assertThat(fixture.fair("a", 1, 9, FINAL, INITIAL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void areNoMoreThoseWhoHaveGivenBackWhatTheyBorrowed(boolean withinNominalNeedsNoShare) {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 3), NEVER, LOWER_PRIORITY),
          queue("b", "c", 3),
          queue("x", "c", 0));
      units("b", 4);
      fixture.running("x1", "x", 2, 9);

      assertThat(fixture.fair(withinNominalNeedsNoShare, "a", 1, 5, FINAL)).hasSize(1);
      assertThat(fixture.fair(withinNominalNeedsNoShare, "a", 3, 5, FINAL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, -1, d1", "-1, 0, b1"})
    void ofEqualShareAreTakenInOrderOfCandidates(int priorityOfB, int priorityOfD, String first) {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4)), queue("b", "c", 2), queue("d", "c", 2));
      fixture.running("d1", "d", 4, priorityOfD).running("b1", "b", 4, priorityOfB);

      assertThat(fixture.fair("a", 1, 0, FINAL)).containsExactly(first + " InCohortReclamation");
    }

    /** Both borrow a third: a of GPUs with the incoming workload, b of disks. */
    @Test
    void ofEqualShareIsAnotherQueueBeforeTheOwn() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", group(gpus(2))), LOWER_PRIORITY, ANY),
          queue("b", "c", group(gpus(2), ResourceQuota.ofAmount("disk", 2L))),
          queue("d", "c", group(gpus(2), ResourceQuota.ofAmount("disk", 4L))));
      fixture
          .running("a1", "a", 2, -9)
          .running("b1", "b", 3, -1)
          .running("b2", "b2", "b", -1, Map.of("disk", 4L));

      assertThat(fixture.fair("a", 2, 0, FINAL)).containsExactly("b1 InCohortFairSharing");

      fixture.evicted("a1");
      assertThat(fixture.fair("a", 2, 0, FINAL)).containsExactly("a1 InClusterQueue");

      fixture.evicted("b1");
      assertThat(fixture.fair("a", 2, 0, FINAL)).containsExactly("b1 InCohortFairSharing");
    }

    /** Of b, the first in the order has stopped already, but its priority is too high. */
    @Test
    void ofEqualShareAreComparedByWhoMayBePreempted() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 4), NEVER, LOWER_PRIORITY),
          queue("b", "c", 2),
          queue("d", "c", 2));
      fixture.running("b0", "b", 1, 9).running("b1", "b", 3, 0).running("d1", "d", 4, -1);
      fixture.evicted("b0");

      assertThat(fixture.fair("a", 1, 5, FINAL)).containsExactly("d1 InCohortReclamation");
    }

    /** All of the queue with the larger share came before the preemptor, one of the other after. */
    @ParameterizedTest
    @CsvSource({"b, d", "d, b"})
    void ofEqualPriorityAreWhoCameLaterInAnyQueue(String larger, String other) {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 4), NEVER, LOWER_OR_NEWER_EQUAL_PRIORITY),
          queue("b", "c", 2),
          queue("d", "c", 2));
      fixture
          .running("before", larger, 5, 0)
          .running("too", other, 1, 0)
          .running("after", other, 2, 0);
      Settings settings = Settings.builder().fairSharing(FINAL).build();

      assertThat(PreemptionFixture.names(new FairSearch(
                  settings,
                  fixture.preemptor("a", 0, 2500),
                  fixture.demand("a", 1),
                  LocalQueueUsage.NONE)
              .search()))
          .containsExactly("after InCohortReclamation");
    }

    @ParameterizedTest
    @CsvSource({"13, 11, x2", "11, 13, y2", "12, 12, x2"})
    void areInTheCohortWithTheLargestShareThenTheFirstByName(long ofM, long ofN, String first) {
      fixture
          .cohorts
          .with(cohort("r", 30), cohort("m", 0).parent("r"), cohort("n", 0).parent("r"))
          .with(reclaiming(queue("p", "r", 0)), queue("x", "m", 0), queue("y", "n", 0));
      fixture
          .running("p1", "p", 6, 0)
          .running("x1", "x", ofM - 2, 0)
          .running("x2", "x", 2, 0)
          .running("y1", "y", ofN - 2, 0)
          .running("y2", "y", 2, 0);

      assertThat(fixture.fair("p", 1, 0, FINAL)).containsExactly(first + " InCohortFairSharing");
    }

    @Test
    void areAlsoInTheOwnCohortThatDoesNotBorrow() {
      fixture
          .cohorts
          .with(cohort("m", 4).parent("r"))
          .with(
              reclaiming(queue("p", "m", 2), NEVER, LOWER_PRIORITY),
              queue("s", "m", 0),
              queue("b", "r", 0));
      fixture.running("s1", "s", 2, 0).running("b1", "b", 4, 9);

      assertThat(fixture.fair("p", 2, 5, FINAL)).containsExactly("s1 InCohortReclamation");
    }

    @Test
    void ofEqualShareIsTheCohortBeforeTheQueue() {
      fixture
          .cohorts
          .with(cohort("r", 30), cohort("m", 0).parent("r"))
          .with(reclaiming(queue("p", "r", 0)), queue("x", "m", 0), queue("b", "r", 0));
      fixture
          .running("p1", "p", 6, 0)
          .running("x1", "x", 10, 0)
          .running("x2", "x", 2, 0)
          .running("b1", "b", 10, 0)
          .running("b2", "b", 2, -1);

      assertThat(fixture.fair("p", 1, 0, FINAL)).containsExactly("x2 InCohortFairSharing");
    }

    @Test
    void areNotInACohortThatDoesNotBorrow() {
      fixture
          .cohorts
          .with(cohort("m", 6).parent("r"))
          .with(reclaiming(queue("p", "r", 3)), queue("x", "m", 0), queue("b", "r", 0));
      fixture.running("x1", "x", 6, -9).running("b1", "b", 3, 9);

      assertThat(fixture.fair("p", 1, 0, FINAL)).containsExactly("b1 InCohortReclamation");
    }

    private void preemptorWithAHeavyNeighbour(String cohortOfP) {
      fixture
          .cohorts
          .with(cohort("r", 30), cohort("m", 0).parent("r"))
          .with(
              reclaiming(queue("p", cohortOfP, 0), NEVER, LOWER_PRIORITY),
              queue("s", "m", 0),
              queue("b", "r", 0));
      fixture.running("s1", "s", 20, 9);
      for (int i = 1; i <= 5; i++) {
        fixture.running("b" + i, "b", 2, 0);
      }
    }

    @Test
    void areComparedWithTheCohortThatThePreemptorShares() {
      preemptorWithAHeavyNeighbour("m");

      assertThat(fixture.fair("p", 2, 5, FINAL, INITIAL)).isEmpty();
    }

    @Test
    void areComparedWithThePreemptorInTheSameCohort() {
      preemptorWithAHeavyNeighbour("r");

      assertThat(fixture.fair("p", 2, 5, FINAL, INITIAL)).containsExactly("b5 InCohortFairSharing");
    }
  }

  @Test
  void fillsBackWhoTurnsOutNotToBeNeeded() {
    fixture.cohorts.with(reclaiming(queue("a", "c", 4)), queue("b", "c", 2), queue("d", "c", 2));
    fixture.running("b1", "b", 4, 0).running("b2", "b", 1, -1).running("d1", "d", 3, 0);

    assertThat(fixture.fair("a", 4, 0, FINAL)).containsExactly("b1 InCohortReclamation");
  }
}
