package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.borrowing;
import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BindingLimitTest {
  private final GpuForest gpus = new GpuForest();

  private BindingLimit now(QueueQuota queue) {
    return BindingLimit.now(queue, queue.tree().column(gpus.pair));
  }

  private BindingLimit ever(QueueQuota queue) {
    return BindingLimit.ever(queue, queue.tree().column(gpus.pair));
  }

  private static String text(BindingLimit limit) {
    return (limit.isQueue() ? "queue " : "cohort ")
        + limit.name()
        + (limit.limitsBorrowing() ? " borrows " : " has ")
        + limit.used()
        + "/"
        + limit.amount();
  }

  @Test
  void queueAloneHasItsQuota() {
    QueueQuota a = gpus.queue("a", quota(5));
    gpus.use(a, 3);

    assertThat(text(now(a))).isEqualTo("queue a has 3/5");
    assertThat(text(ever(a))).isEqualTo("queue a has 3/5");
    assertThat(now(a).node()).isEqualTo(a.node());
  }

  /** Queue a has 5 and may borrow 3, queue b has 10. */
  @Nested
  class QueueThatMayBorrow {
    private final QueueQuota a = gpus.queue("a", "c", borrowing(5, 3));
    private final QueueQuota b = gpus.queue("b", "c", quota(10));

    @Test
    void isBoundByItsBorrowingLimitWhileTheCohortHasMore() {
      gpus.use(a, 7);

      assertThat(text(now(a))).isEqualTo("queue a borrows 2/3");
      assertThat(now(a).node()).isEqualTo(a.node());
    }

    @Test
    void hasBorrowedNothingBelowItsOwnQuota() {
      gpus.use(a, 4);

      assertThat(text(now(a))).isEqualTo("queue a borrows 0/3");
    }

    @Test
    void isBoundByItsOwnLimitIfTheCohortLeavesExactlyAsMuch() {
      gpus.use(b, 7);

      assertThat(text(now(a))).isEqualTo("queue a borrows 0/3");
    }

    @Test
    void isBoundByTheCohortIfThatLeavesLess() {
      gpus.use(b, 8);

      assertThat(text(now(a))).isEqualTo("cohort c has 8/15");
      assertThat(text(ever(a))).as("usage apart").isEqualTo("queue a borrows 0/3");
    }

    @Test
    void isNotBoundByALimitThatIsBeyondAllThereIs() {
      gpus.queue("a", "c", borrowing(5, 10));
      assertThat(text(ever(a))).as("exactly as much").isEqualTo("queue a borrows 0/10");

      gpus.queue("a", "c", borrowing(5, 11));
      assertThat(text(ever(a))).isEqualTo("cohort c has 0/15");
    }

    @Test
    void queueWithoutLimitIsBoundByTheCohort() {
      assertThat(text(now(b))).isEqualTo("cohort c has 0/15");
      assertThat(text(ever(b))).isEqualTo("cohort c has 0/15");
    }
  }

  @Test
  void theLocalPartCountsForWhatCouldEverBeHad() {
    // The cohort has 4 of a and 10 of b; a keeps 6 for itself, so 20 is all that it could ever use.
    QueueQuota a = gpus.queue("a", "c", quota(10, OptionalLong.of(10), OptionalLong.of(4)));
    gpus.queue("b", "c", quota(10));
    assertThat(gpus.potential(a)).isEqualTo(20);
    assertThat(text(ever(a))).isEqualTo("queue a borrows 0/10");

    gpus.queue("a", "c", quota(10, OptionalLong.of(11), OptionalLong.of(4)));
    assertThat(text(ever(a))).isEqualTo("cohort c has 0/14");
  }

  /** Queue a has 5 in cohort inner, which may borrow 2 from cohort outer; queue b has 10 there. */
  @Nested
  class CohortThatMayBorrow {
    private final QueueQuota a = gpus.queue("a", "inner", quota(5));
    private final QueueQuota b = gpus.queue("b", "outer", quota(10));
    private final QueueQuota other = gpus.queue("other", "inner", quota(0));

    CohortThatMayBorrow() {
      gpus.cohort("inner", "outer", borrowing(0, 2));
    }

    @Test
    void bindsItsQueues() {
      gpus.use(a, 6);

      assertThat(text(now(a))).isEqualTo("cohort inner borrows 1/2");
      assertThat(text(ever(a))).isEqualTo("cohort inner borrows 1/2");
    }

    @Test
    void leavesItToTheRootIfThatHasLess() {
      gpus.use(b, 9);

      assertThat(text(now(a))).isEqualTo("cohort outer has 9/15");
    }

    @Test
    void limitConcernsWhoIsBelowIt() {
      BindingLimit ofInner = now(a);

      assertThat(ofInner.concerns(a)).isTrue();
      assertThat(ofInner.concerns(other)).isTrue();
      assertThat(ofInner.concerns(b)).isFalse();
    }

    @Test
    void limitOfTheRootConcernsEverybody() {
      BindingLimit ofRoot = now(b);

      assertThat(text(ofRoot)).isEqualTo("cohort outer has 0/15");
      assertThat(ofRoot.concerns(a)).isTrue();
      assertThat(ofRoot.concerns(b)).isTrue();
    }

    @Test
    void limitOfAQueueConcernsItAlone() {
      gpus.queue("a", "inner", borrowing(5, 1));

      BindingLimit own = now(a);

      assertThat(text(own)).isEqualTo("queue a borrows 0/1");
      assertThat(own.concerns(a)).isTrue();
      assertThat(own.concerns(other)).isFalse();
      assertThat(own.concerns(b)).isFalse();
    }
  }
}
