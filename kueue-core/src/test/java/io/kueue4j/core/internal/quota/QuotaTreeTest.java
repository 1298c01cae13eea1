package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.borrowing;
import static io.kueue4j.core.internal.quota.GpuForest.lending;
import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.resource.Amount;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaTreeTest {
  private final GpuForest gpus = new GpuForest();

  /** Queue a has 10 and lends 4 of them, queue b has 5; they share a cohort without own quota. */
  @Nested
  class TwoQueuesOfWhichOneLendsAPart {
    private final QueueQuota a = gpus.queue("a", "c", lending(10, 4));
    private final QueueQuota b = gpus.queue("b", "c", quota(5));

    @Test
    void cohortHasWhatItsQueuesLend() {
      assertThat(gpus.cohortSubtree(a)).isEqualTo(9);
    }

    @Test
    void usageBubblesUpFromWhereItLeavesTheLocalPart() {
      gpus.use(a, 7);
      gpus.use(b, 3);

      assertThat(gpus.cohortUsage(a)).isEqualTo(4);
    }

    @Test
    void availableIsTheLocalPartAndWhatTheCohortHasLeft() {
      gpus.use(a, 7);
      gpus.use(b, 3);

      assertThat(gpus.available(a)).isEqualTo(5);
      assertThat(gpus.available(b)).isEqualTo(5);
    }

    @Test
    void localPartIsAvailableToItsOwnerOnly() {
      assertThat(gpus.available(a)).isEqualTo(15);
      assertThat(gpus.available(b)).isEqualTo(9);
    }

    @Test
    void potentialIgnoresUsage() {
      gpus.use(a, 7);
      gpus.use(b, 3);

      assertThat(gpus.potential(a)).isEqualTo(15);
      assertThat(gpus.potential(b)).isEqualTo(9);
    }

    @Test
    void borrowingLimitBoundsAvailableAndPotential() {
      gpus.queue("b", "c", borrowing(5, 1));
      gpus.use(a, 7);
      gpus.use(b, 3);

      assertThat(gpus.available(b)).isEqualTo(3);
      assertThat(gpus.potential(b)).isEqualTo(6);
    }

    @Test
    void cutQuotaLeavesDebtThatNoneCanUse() {
      gpus.use(a, 12);
      gpus.use(b, 3);

      gpus.queue("b", "c", quota(2));

      assertThat(gpus.cohortSubtree(a)).isEqualTo(6);
      assertThat(gpus.cohortUsage(a)).isEqualTo(9);
      assertThat(gpus.available(a)).isZero();
      assertThat(gpus.available(b)).isZero();
      assertThat(gpus.borrows(b)).isTrue();
    }

    @Test
    void removalTakesFromTheCohortOnlyWhatIsAboveTheLocalPart() {
      gpus.use(a, 7);
      gpus.use(b, 3);

      gpus.release(a, 3);

      assertThat(gpus.usage(a)).isEqualTo(4);
      assertThat(gpus.cohortUsage(a)).isEqualTo(3);
    }

    @Test
    void additionGivesTheCohortOnlyWhatIsAboveTheLocalPart() {
      gpus.use(a, 4);
      gpus.use(b, 3);

      gpus.use(a, 5);

      assertThat(gpus.usage(a)).isEqualTo(9);
      assertThat(gpus.cohortUsage(a)).isEqualTo(6);
    }

    @Test
    void freeLocalPartStaysAvailableWhenTheCohortIsInDebt() {
      gpus.use(b, 9);
      gpus.queue("b", "c", quota(3));

      assertThat(gpus.cohortUsage(a) - gpus.cohortSubtree(a)).isEqualTo(2);
      assertThat(gpus.available(a)).as("6 of its own less the debt").isEqualTo(4);
    }
  }

  /** Cohort m with 2 of its own and queue x with 1 lies beside queue y with 5 below a root. */
  @Nested
  class TwoLevels {
    private final QueueQuota x = gpus.queue("x", "m", quota(1));
    private final QueueQuota y = gpus.queue("y", "r", quota(5));

    TwoLevels() {
      gpus.cohort("m", "r", quota(2));
    }

    @ParameterizedTest
    @CsvSource({
      "0, 0, true",
      "1, 0, true",
      "2, 1, true",
      "3, 1, true",
      "4, 2, false",
      "8, 2, false",
      "9, 2, false"
    })
    void levelIsTheHeightOfTheLowestSubtreeThatTakesIt(long amount, int level, boolean mayReclaim) {
      assertThat(gpus.level(x, amount)).isEqualTo(level);
      assertThat(gpus.mayReclaim(x, amount)).isEqualTo(mayReclaim);
    }

    @Test
    void levelDoesNotDependOnWhatIsUsedFurtherUp() {
      gpus.use(y, 6);

      assertThat(gpus.level(x, 3)).isEqualTo(1);
      assertThat(gpus.mayReclaim(x, 3)).isTrue();
      assertThat(gpus.available(x)).isEqualTo(2);
    }

    @Test
    void deepSiblingRaisesTheLevelOfTheRoot() {
      assertThat(gpus.level(y, 6)).isEqualTo(2);
    }

    @Test
    void inactiveQueueDoesNotCountForHeights() {
      gpus.forest.setActive(x, false);

      assertThat(gpus.level(y, 6)).as("the cohort m is still there").isEqualTo(1);
    }

    @Test
    void queueThatBecomesActiveAgainCountsForHeights() {
      gpus.forest.setActive(x, false);
      gpus.forest.setActive(x, true);

      assertThat(gpus.level(y, 6)).isEqualTo(2);
    }

    @Test
    void heightsOfInactiveQueuesOutliveARebuild() {
      gpus.forest.setActive(x, false);

      gpus.queue("z", "r", quota(0));

      assertThat(gpus.level(y, 6)).isEqualTo(1);
    }

    @Test
    void inactiveQueueGoesOnLendingAndUsing() {
      gpus.use(x, 3);

      gpus.forest.setActive(x, false);

      assertThat(gpus.available(y)).isEqualTo(5);
    }

    @Test
    void cohortQuotaIsSharedByTheSubtree() {
      assertThat(gpus.available(x)).isEqualTo(8);
      assertThat(gpus.available(y)).isEqualTo(8);
    }

    @Test
    void lendingLimitOfACohortBoundsWhatItsParentGets() {
      gpus.cohort("m", "r", lending(2, 1));

      assertThat(gpus.available(y)).isEqualTo(6);
      assertThat(gpus.available(x)).isEqualTo(8);
    }

    @Test
    void lendingLimitOfACohortMayExceedItsNominalQuota() {
      gpus.cohort("m", "r", lending(0, 1));
      gpus.queue("x", "m", quota(4));

      assertThat(gpus.available(y)).isEqualTo(6);
    }

    @Test
    void borrowingLimitOfACohortBoundsWhatItsSubtreeTakes() {
      gpus.cohort("m", "r", borrowing(2, 1));
      QueueQuota other = gpus.queue("other", "m", quota(0));

      gpus.use(other, 2);

      assertThat(gpus.available(x)).as("3 below m and 1 borrowed, less 2").isEqualTo(2);
      assertThat(gpus.potential(x)).isEqualTo(4);
    }

    @Test
    void restOfTheRequestShrinksByTheLocalPartsOnTheWayUp() {
      gpus.cohort("m", "r", lending(2, 1));

      assertThat(gpus.level(x, 8)).as("2 stay in m, 6 of 6 from the root").isEqualTo(2);
      assertThat(gpus.level(x, 3)).isEqualTo(1);
    }

    @Test
    void restShrinksByTheLocalPartsOfCohortsToo() {
      QueueQuota a = gpus.queue("a", "lower", quota(0));
      gpus.cohort("lower", "middle", lending(3, 0));
      gpus.cohort("middle", "top", quota(2));
      gpus.queue("t", "top", quota(10));

      assertThat(gpus.level(a, 5)).as("3 stay in lower, 2 are middle's").isEqualTo(2);
      assertThat(gpus.mayReclaim(a, 5)).isTrue();
      assertThat(gpus.level(a, 6)).isEqualTo(3);
    }

    @Test
    void restIsReducedBeforeItIsComparedFurtherUp() {
      QueueQuota a = gpus.queue("a", "m2", lending(5, 0));
      gpus.cohort("m2", "r2", quota(1));
      gpus.cohort("r2", "r3", quota(1));
      gpus.queue("top", "r3", quota(10));

      assertThat(gpus.level(a, 6)).as("5 are its own, 1 is m2's").isEqualTo(1);
      assertThat(gpus.level(a, 7)).isEqualTo(2);
      assertThat(gpus.level(a, 8)).isEqualTo(3);
    }
  }

  @Nested
  class QueueAlone {
    private final QueueQuota queue = gpus.queue("alone", quota(10));

    @Test
    void hasItsNominalQuotaLessUsage() {
      gpus.use(queue, 3);

      assertThat(gpus.available(queue)).isEqualTo(7);
      assertThat(gpus.potential(queue)).isEqualTo(10);
    }

    @Test
    void neverBorrowsAndReclaimsNothing() {
      assertThat(gpus.level(queue, 11)).isZero();
      assertThat(gpus.mayReclaim(queue, 11)).isFalse();
      assertThat(gpus.mayReclaim(queue, 1)).isFalse();
    }

    @Test
    void hasNothingAvailableWhenOverQuota() {
      gpus.use(queue, 12);

      assertThat(gpus.available(queue)).isZero();
    }
  }

  @Test
  void usageEqualToNominalIsNotBorrowing() {
    QueueQuota queue = gpus.queue("a", "c", quota(3));

    gpus.use(queue, 3);
    assertThat(gpus.borrows(queue)).isFalse();

    gpus.use(queue, 1);
    assertThat(gpus.borrows(queue)).isTrue();
  }

  @Test
  void pairWithNominalZeroCanBeBorrowed() {
    QueueQuota poor = gpus.queue("poor", "c", quota(0));
    gpus.queue("rich", "c", quota(4));

    assertThat(gpus.available(poor)).isEqualTo(4);
    assertThat(gpus.level(poor, 1)).isEqualTo(1);
  }

  @Test
  void borrowingLimitZeroForbidsBorrowing() {
    QueueQuota queue = gpus.queue("a", "c", borrowing(2, 0));
    gpus.queue("rich", "c", quota(4));

    assertThat(gpus.available(queue)).isEqualTo(2);
    assertThat(gpus.potential(queue)).isEqualTo(2);
  }

  @Test
  void lendingLimitZeroKeepsUsageWithinNominalFromTheCohort() {
    QueueQuota queue = gpus.queue("a", "c", lending(4, 0));
    QueueQuota other = gpus.queue("b", "c", quota(1));

    gpus.use(queue, 4);

    assertThat(gpus.cohortUsage(queue)).isZero();
    assertThat(gpus.available(other)).isEqualTo(1);
  }

  @Test
  void debtOfASiblingSubtreeReducesWhatOthersSee() {
    gpus.cohort("left", "root", quota(5));
    gpus.cohort("right", "root", quota(5));
    QueueQuota left = gpus.queue("l", "left", quota(0));
    QueueQuota right = gpus.queue("r", "right", quota(0));
    gpus.use(left, 8);

    gpus.cohort("left", "root", quota(1));

    assertThat(gpus.available(right)).as("6 in all, 8 in use").isZero();
    gpus.release(left, 4);
    assertThat(gpus.available(right)).isEqualTo(2);
  }

  @Nested
  class NegativeAdditions {
    private final QueueQuota a = gpus.queue("a", "c", lending(5, 2));

    @Test
    void lowerTheNodeOnly() {
      gpus.use(a, 8);

      gpus.use(a, -3);

      assertThat(gpus.usage(a)).isEqualTo(5);
      assertThat(gpus.cohortUsage(a)).isEqualTo(5);
    }

    @Test
    void makeALaterRemovalTakeLessFromTheCohort() {
      gpus.use(a, 8);
      gpus.use(a, -3);

      gpus.release(a, 5);

      assertThat(gpus.usage(a)).isZero();
      assertThat(gpus.cohortUsage(a)).isEqualTo(3);
    }
  }

  @Nested
  class UnlimitedAmounts {
    @Test
    void unlimitedQuotaMakesTheCohortUnlimited() {
      gpus.queue("rich", "c", quota(Amount.UNLIMITED));
      QueueQuota poor = gpus.queue("poor", "c", quota(1));

      assertThat(gpus.available(poor)).isEqualTo(Amount.UNLIMITED);
      assertThat(gpus.potential(poor)).isEqualTo(Amount.UNLIMITED);
    }

    @Test
    void unlimitedQuotaStaysUnlimitedInUse() {
      QueueQuota rich = gpus.queue("rich", "c", quota(Amount.UNLIMITED));

      gpus.use(rich, 1_000_000);

      assertThat(gpus.available(rich)).isEqualTo(Amount.UNLIMITED);
      assertThat(gpus.level(rich, Long.MAX_VALUE - 1)).isZero();
    }

    @Test
    void borrowingLimitHoldsInAnUnlimitedCohort() {
      gpus.queue("rich", "c", quota(Amount.UNLIMITED));
      QueueQuota poor = gpus.queue("poor", "c", borrowing(1, 2));

      assertThat(gpus.available(poor)).isEqualTo(3);
      assertThat(gpus.potential(poor)).isEqualTo(3);
    }

    @Test
    void unlimitedBorrowingLimitIsNoLimit() {
      gpus.queue("rich", "c", quota(7));
      QueueQuota poor = gpus.queue(
          "poor", "c", quota(1, OptionalLong.of(Amount.UNLIMITED), OptionalLong.empty()));

      assertThat(gpus.available(poor)).isEqualTo(8);
    }

    @Test
    void unlimitedQuotaWithALendingLimitLendsUpToIt() {
      QueueQuota rich = gpus.queue("rich", "c", lending(Amount.UNLIMITED, 5));
      QueueQuota poor = gpus.queue("poor", "c", quota(1));

      assertThat(gpus.available(poor)).isEqualTo(6);
      assertThat(gpus.available(rich)).isEqualTo(Amount.UNLIMITED);
    }

    @Test
    void sumOfQuotasThatLeavesTheRangeIsUnlimited() {
      QueueQuota a = gpus.queue("a", "c", quota(Long.MAX_VALUE - 1));
      gpus.queue("b", "c", quota(2));

      assertThat(gpus.cohortSubtree(a)).isEqualTo(Amount.UNLIMITED);
    }

    @Test
    void usageThatLeavesTheRangeSaturates() {
      QueueQuota a = gpus.queue("a", "c", quota(10));

      gpus.use(a, Long.MAX_VALUE - 1);
      gpus.use(a, 5);

      assertThat(gpus.usage(a)).isEqualTo(Amount.UNLIMITED);
      assertThat(gpus.available(a)).isZero();
    }
  }

  @Test
  void pairThatNoneInTheTreeHasIsNotAvailable() {
    FlavorResource between = gpus.pair("between");
    QueueQuota queue = gpus.put(ClusterQueue.builder()
        .name("queue")
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("last", quota(3))))
        .build());

    assertThat(queue.available(gpus.pair("last"))).isEqualTo(3);
    assertThat(queue.available(between)).isZero();
    assertThat(queue.usage(between)).isZero();
  }

  @Test
  void usageIsNotCountedAnewDuringATrial() {
    QuotaTree tree = gpus.queue("queue", quota(3)).tree();
    tree.checkpoint();

    assertThatThrownBy(() -> tree.resetUsage(queue -> new long[1]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("trial");
  }
}
