package io.kueue4j.core.internal.preemption;

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

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ResourceQuota;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassicalSearchTest {
  private final PreemptionFixture fixture = new PreemptionFixture();

  @Test
  void usageIsAsBeforeAfterAFailureInTheMiddle() {
    fixture.cohorts.with(withinQueue(queue("q", "", 4).cohort(Optional.empty()), LOWER_PRIORITY));
    fixture.running("low", "q", 3, 0).runningBroken("broken", "q", 1, -1);
    QueueQuota queue = fixture.cohorts.queue("q");

    assertThatThrownBy(() -> fixture.classical("q", 4, 5)).isInstanceOf(RuntimeException.class);

    assertThat(queue.usage(fixture.cohorts.gpuPair())).isEqualTo(4);
    assertThat(queue.tree().isInTrial()).isFalse();
  }

  /** Rules P-4, P-5, P-6, P-7, P-8 and P-20. */
  @Nested
  class Candidates {
    @Test
    void noneOfTheOwnQueueWithoutAPolicyForIt() {
      fixture.cohorts.with(reclaiming(queue("q", "c", 4)));
      fixture.running("low", "q", 4, 0);

      assertThat(fixture.classical("q", 4, 5)).isEmpty();
    }

    @Test
    void ofTheOwnQueueWhoHasLowerPriority() {
      fixture.cohorts.with(withinQueue(queue("q", "c", 4), LOWER_PRIORITY));
      fixture.running("low", "q", 2, 0).running("equal", "q", 2, 5);

      assertThat(fixture.classical("q", 2, 5)).containsExactly("low InClusterQueue");
      assertThat(fixture.classical("q", 4, 5)).isEmpty();
    }

    @Test
    void noneOfOtherQueuesWithoutAPolicyForIt() {
      fixture.cohorts.with(withinQueue(queue("a", "c", 4), LOWER_PRIORITY), queue("b", "c", 4));
      fixture.running("b1", "b", 8, 0);

      assertThat(fixture.classical("a", 4, 5)).isEmpty();
    }

    @Test
    void ofOtherQueuesOnlyThoseThatBorrow() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4)), queue("b", "c", 4), queue("d", "c", 4));
      fixture.running("b1", "b", 4, -9).running("d1", "d", 8, 9);

      assertThat(fixture.classical("a", 4, 0)).containsExactly("d1 InCohortReclamation");
    }

    @Test
    void ofOtherQueuesThoseThatThePolicyForTheCohortAllows() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 4), NEVER, LOWER_PRIORITY), queue("b", "c", 4));
      fixture.running("b1", "b", 4, 0).running("b2", "b", 4, 1);

      assertThat(fixture.classical("a", 4, 1)).containsExactly("b1 InCohortReclamation");
      assertThat(fixture.classical("a", 4, 0)).isEmpty();
    }

    @Test
    void noneOfAnInactiveQueue() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4)), queue("b", "c", 4));
      fixture.running("b1", "b", 8, 0);
      fixture.cohorts.deactivate("b");

      assertThat(fixture.classical("a", 4, 5)).isEmpty();
    }

    @Test
    void noneThatIsSetAside() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4), LOWER_PRIORITY, ANY), queue("b", "c", 4));
      fixture.running("a1", "a", 4, 0).running("b1", "b", 4, 0);
      fixture.setAside("a1", true);

      assertThat(fixture.classical("a", 4, 5)).isEmpty();
    }

    private Demand oneGpuAndThreeDisks() {
      FlavorResource gpu = fixture.cohorts.gpuPair();
      FlavorResource disk = fixture.cohorts.pair("default", "disk");
      return new Demand(
          fixture.cohorts.queue("q"),
          new FlavorResource[] {gpu},
          new FlavorResource[] {gpu, disk},
          new long[] {1, 3},
          () -> true);
    }

    private void queueOfGpusAndDisks() {
      fixture.cohorts.with(withinQueue(
          queue("q", "c", group(gpus(1), ResourceQuota.ofAmount("disk", 7L))), LOWER_PRIORITY));
    }

    @Test
    void noneThatHoldsNothingThatIsNeeded() {
      queueOfGpusAndDisks();
      fixture
          .running("disk", "disk", "q", -2, Map.of("disk", 5L))
          .running("gpu", "gpu", "q", -1, Map.of("gpu", 1L));

      assertThat(PreemptionFixture.classical(fixture.preemptor("q", 0), oneGpuAndThreeDisks()))
          .isEmpty();
    }

    @Test
    void alsoWhoHoldsAQuantityOfZeroOfWhatIsNeeded() {
      queueOfGpusAndDisks();
      fixture
          .running("zero", "zero", "q", -2, Map.of("disk", 5L, "gpu", 0L))
          .running("gpu", "gpu", "q", -1, Map.of("gpu", 1L));

      assertThat(PreemptionFixture.names(
              PreemptionFixture.classical(fixture.preemptor("q", 0), oneGpuAndThreeDisks())))
          .containsExactly("zero InClusterQueue", "gpu InClusterQueue");
    }
  }

  /** Rules P-9 and P-10: in each test one victim is enough. */
  @Nested
  class Order {
    private void ownQueue() {
      fixture.cohorts.with(withinQueue(queue("q", "c", 4), LOWER_PRIORITY));
    }

    @Test
    void lowerPriorityFirst() {
      ownQueue();
      fixture.running("lowest", "q", 2, -2).running("newer", "q", 2, -1);

      assertThat(fixture.classical("q", 2, 0)).containsExactly("lowest InClusterQueue");
    }

    @Test
    void whoWasAdmittedLastFirst() {
      ownQueue();
      fixture.running("old", "q", 2, -1).running("new", "q", 2, -1);

      assertThat(fixture.classical("q", 2, 0)).containsExactly("new InClusterQueue");
    }

    @Test
    void theSmallerUidFirst() {
      ownQueue();
      Map<String, Long> twoGpus = Map.of("gpu", 2L);
      fixture
          .runningSince(1000, "a", "uid-2", "q", -1, twoGpus)
          .runningSince(1000, "b", "uid-1", "q", -1, twoGpus);

      assertThat(fixture.classical("q", 2, 0)).containsExactly("b InClusterQueue");
    }

    @Test
    void whoIsEvictedAlreadyFirst() {
      ownQueue();
      fixture.running("lowest", "q", 2, -9).running("evicted", "q", 2, -1).evicted("evicted");

      assertThat(fixture.classical("q", 2, 0)).containsExactly("evicted InClusterQueue");
    }

    @Test
    void otherQueuesBeforeTheOwn() {
      fixture.cohorts.with(
          preemptingWhileBorrowing(queue("a", "c", 4), LOWER_PRIORITY, OptionalInt.empty()),
          queue("b", "c", 2));
      fixture.running("own", "a", 2, -9).running("other", "b", 4, -1);

      assertThat(fixture.classical("a", 2, 0)).containsExactly("other InCohortReclamation");
    }

    @Test
    void whoIsEvictedOfTheOwnQueueBeforeOtherQueues() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4), LOWER_PRIORITY, ANY), queue("b", "c", 2));
      fixture.running("own", "a", 2, -1).running("other", "b", 4, -9).evicted("own");

      assertThat(fixture.classical("a", 2, 0)).containsExactly("own InClusterQueue");
    }

    /**
     * The request of p fits the quota of cohort m, so outside of m the priority does not matter.
     */
    @Test
    void whereTheQuotaIsOursBeforeThoseOfLowerPriority() {
      fixture
          .cohorts
          .with(cohort("m", 4).parent("r"))
          .with(
              preemptingWhileBorrowing(queue("p", "m", 2), NEVER, OptionalInt.empty()),
              queue("x", "m", 2),
              queue("y", "r", 2));
      fixture.running("x1", "x", 3, -5).running("y1", "y", 3, 1).running("y2", "y", 4, 3);

      assertThat(fixture.classical("p", 3, 0)).containsExactly("y1 InCohortReclamation");
    }
  }

  /** Rule P-6, the advantage of who asks for its own quota. */
  @Nested
  class HierarchicalAdvantage {
    @Test
    void isLookedForWithoutWhatIsNeverLent() {
      fixture
          .cohorts
          .with(cohort("m", 2).parent("r"))
          .with(
              reclaiming(queue("p", "m", group(gpus(4).withLendingLimit("0")))),
              queue("y", "r", 2));
      fixture.running("y1", "y", 4, 9);

      assertThat(fixture.classical("p", 6, 0)).containsExactly("y1 InCohortReclamation");
    }

    @Test
    void isLookedForWithoutWhatCohortsNeverLend() {
      fixture
          .cohorts
          .with(
              cohort("upper", 2).parent("r"),
              Cohort.builder()
                  .name("lower")
                  .parent("upper")
                  .addResourceGroups(group(gpus(3).withLendingLimit("0"))))
          .with(reclaiming(queue("p", "lower", 0)), queue("y", "r", 0));
      fixture.running("y1", "y", 2, 9);

      assertThat(fixture.classical("p", 5, 0)).containsExactly("y1 InCohortReclamation");
    }

    @Test
    void isJudgedByWhatIsAskedForAndNotByOtherResources() {
      fixture.cohorts.with(
          preemptingWhileBorrowing(
              queue("p", "r", group(gpus(1), ResourceQuota.ofAmount("disk", 4L))),
              NEVER,
              OptionalInt.empty()),
          queue("y", "r", group(gpus(1), ResourceQuota.ofAmount("disk", 0L))));
      fixture
          .running("p1", "p1", "p", 0, Map.of("gpu", 2L))
          .running("y1", "y1", "y", 0, Map.of("disk", 4L));
      FlavorResource[] disk = {fixture.cohorts.pair("default", "disk")};
      Demand threeDisks =
          new Demand(fixture.cohorts.queue("p"), disk, disk, new long[] {3}, () -> true);

      assertThat(PreemptionFixture.names(
              PreemptionFixture.classical(fixture.preemptor("p", 5), threeDisks)))
          .containsExactly("y1 InCohortReclamation");
    }

    @Test
    void isNotThereForMoreThanTheQuotaOfTheQueueInItsOwnCohort() {
      fixture
          .cohorts
          .with(cohort("m", 4).parent("r"))
          .with(reclaiming(queue("p", "m", 2)), queue("x", "m", 2));
      fixture.running("x1", "x", 8, 9);

      assertThat(fixture.classical("p", 3, 0)).isEmpty();
    }

    @Test
    void doesNotReachIntoACohortWithinItsQuota() {
      fixture
          .cohorts
          .with(cohort("m", 4).parent("r"))
          .with(reclaiming(queue("p", "r", 4)), queue("x", "m", 0), queue("y", "r", 0));
      fixture.running("x1", "x", 4, -9).running("y1", "y", 4, 9);

      assertThat(fixture.classical("p", 4, 0)).containsExactly("y1 InCohortReclamation");
    }
  }

  /** Rule P-11. */
  @Nested
  class Skips {
    @Test
    void whoseQueueHasGivenBackWhatItBorrowed() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4)), queue("b", "c", 4), queue("d", "c", 4));
      fixture.running("b1", "b", 1, -5).running("b2", "b", 4, -4).running("d1", "d", 5, 0);

      assertThat(fixture.classical("a", 4, 0)).containsExactly("d1 InCohortReclamation");
    }

    @Test
    void whoseCohortHasGivenBackWhatItBorrowed() {
      fixture
          .cohorts
          .with(cohort("m", 0).parent("r"))
          .with(
              reclaiming(queue("p", "r", 4)),
              queue("x", "m", 2),
              queue("z", "m", 2),
              queue("w", "r", 0));
      fixture.running("x1", "x", 3, -1).running("x2", "x", 2, -2).running("w1", "w", 3, 9);

      assertThat(fixture.classical("p", 4, 0))
          .containsExactlyInAnyOrder("x2 InCohortReclamation", "w1 InCohortReclamation");
    }
  }

  /** Rule P-12. */
  @Nested
  class Attempts {
    /** V-10: b1 may be preempted while borrowing, b2 has too high a priority. */
    private void twoThatBorrow(OptionalInt threshold) {
      fixture.cohorts.with(
          preemptingWhileBorrowing(queue("a", "c", 4), NEVER, threshold), queue("b", "c", 4));
      fixture.running("b1", "b", 3, -1).running("b2", "b", 3, 10);
    }

    @Test
    void preemptsWhileBorrowingUpToTheThreshold() {
      twoThatBorrow(OptionalInt.of(0));

      assertThat(fixture.classical("a", 5, 5)).containsExactly("b1 InCohortReclaimWhileBorrowing");
    }

    @Test
    void preemptsWithinItsQuotaWithoutRegardToTheThreshold() {
      twoThatBorrow(OptionalInt.of(0));

      assertThat(fixture.classical("a", 4, 5)).containsExactly("b1 InCohortReclamation");
    }

    @Test
    void preemptsNoneWhileBorrowingWithoutAPolicyForIt() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4)), queue("b", "c", 4));
      fixture.running("b1", "b", 3, -1).running("b2", "b", 3, 10);

      assertThat(fixture.classical("a", 5, 5)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "-2, false"})
    void preemptsWhileBorrowingThoseAtTheThresholdButNotAbove(int threshold, boolean found) {
      twoThatBorrow(OptionalInt.of(threshold));

      assertThat(fixture.classical("a", 5, 5).isEmpty()).isNotEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "-1, false", "-2, false"})
    void preemptsWhileBorrowingOnlyLowerPriorities(int priority, boolean found) {
      twoThatBorrow(OptionalInt.empty());

      assertThat(fixture.classical("a", 5, priority).isEmpty()).isNotEqualTo(found);
    }

    @Test
    void reclaimsNothingForAQueueThatHasUsedItsQuotaUp() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 4)), queue("b", "c", 4), queue("d", "c", 2));
      fixture.running("a1", "a", 4, 9).running("b1", "b", 6, -1);

      assertThat(fixture.classical("a", 1, 0)).isEmpty();
    }

    /** Without borrowing a2 would have to go. */
    @Test
    void preemptsWhileBorrowingIfThereIsNothingToReclaim() {
      fixture.cohorts.with(withinQueue(queue("a", "c", 4), LOWER_PRIORITY), queue("b", "c", 2));
      fixture.running("a1", "a", 1, -2).running("a2", "a", 2, -1).running("b1", "b", 1, 9);

      assertThat(fixture.classical("a", 3, 0)).containsExactly("a1 InClusterQueue");
    }

    /** Without borrowing a2 would have to go. */
    @Test
    void preemptsWhileBorrowingInAQueueThatHasUsedItsQuotaUp() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 4), LOWER_PRIORITY, ANY),
          queue("b", "c", 2),
          queue("d", "c", 2));
      fixture.running("a1", "a", 1, -3).running("a2", "a", 3, -2).running("b1", "b", 3, 0);

      assertThat(fixture.classical("a", 2, 0)).containsExactly("a1 InClusterQueue");
    }

    @Test
    void reclaimsWithoutBorrowingBeforeItPreemptsItsOwnQueue() {
      fixture.cohorts.with(reclaiming(queue("a", "c", 6), LOWER_PRIORITY, ANY), queue("b", "c", 2));
      fixture.running("a1", "a", 2, -3).running("a2", "a", 2, -2).running("b1", "b", 4, 0);

      assertThat(fixture.classical("a", 4, 0))
          .containsExactlyInAnyOrder("b1 InCohortReclamation", "a1 InClusterQueue");
    }

    @Test
    void preemptsItsOwnQueueWhenReclaimingIsNotEnough() {
      fixture.cohorts.with(
          reclaiming(queue("a", "c", 2), LOWER_PRIORITY, ANY),
          queue("b", "c", 6),
          queue("d", "c", 0));
      fixture.running("a1", "a", 1, -3).running("b1", "b", 4, 0).running("d1", "d", 1, 0);

      assertThat(fixture.classical("a", 3, 0)).containsExactly("a1 InClusterQueue");
    }

    @Test
    void withAPolicyForItTriesBorrowingFirst() {
      fixture.cohorts.with(
          preemptingWhileBorrowing(queue("a", "c", 4), LOWER_PRIORITY, OptionalInt.empty()),
          queue("b", "c", 4),
          queue("d", "c", 0));
      fixture.running("a1", "a", 2, -1).running("b1", "b", 4, 0).running("d1", "d", 2, -1);

      assertThat(fixture.classical("a", 4, 0))
          .containsExactlyInAnyOrder("d1 InCohortReclaimWhileBorrowing", "a1 InClusterQueue");
    }

    @Test
    void withoutBorrowingTheOwnQueueMayGiveTheRest() {
      fixture.cohorts.with(
          preemptingWhileBorrowing(queue("a", "c", 4), LOWER_PRIORITY, OptionalInt.empty()),
          queue("b", "c", 4),
          queue("d", "c", 0));
      fixture.running("a1", "a", 2, -1).running("b1", "b", 4, 0).running("d1", "d", 2, 5);

      assertThat(fixture.classical("a", 4, 0))
          .containsExactlyInAnyOrder("d1 InCohortReclamation", "a1 InClusterQueue");
    }
  }

  @Test
  void amongEqualsOnlyTheNewerArePreempted() {
    fixture.cohorts.with(withinQueue(queue("q", "c", 4), LOWER_OR_NEWER_EQUAL_PRIORITY));
    fixture.running("older", "q", 2, 0).running("newer", "q", 2, 0);
    Preemptor between = fixture.preemptor("q", 0, 1500);

    assertThat(
            PreemptionFixture.names(PreemptionFixture.classical(between, fixture.demand("q", 2))))
        .containsExactly("newer InClusterQueue");
  }
}
