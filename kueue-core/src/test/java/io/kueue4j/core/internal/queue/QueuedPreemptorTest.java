package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.NO_DETAILS;
import static io.kueue4j.core.internal.queue.QueueFixture.popAll;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.internal.versioned.Journal;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The workload that waits for its victims: when it is served first, and until when; rule U-11. */
class QueuedPreemptorTest extends PendingQueueFixture {
  @Nested
  class StickyPreemptor {
    private final PendingWorkload preemptor = push(workload("preemptor", SMALL), 0, 5);

    private void preempts() {
      queue.activate(preemptor);
      fail(preemptor, RequeueReason.PENDING_PREEMPTION);
    }

    @Test
    void isServedBeforeHigherPriorities() {
      preempts();
      push(workload("high", LARGE), 9, 0);

      assertThat(popAll(queue)).containsExactly("preemptor", "high");
    }

    @Test
    void isNotServedFirstInAStrictQueue() {
      queue.setStrictFifo(true);
      preempts();
      push(workload("high", LARGE), 9, 0);

      assertThat(popAll(queue)).containsExactly("high", "preemptor");
    }

    @Test
    void staysStickyThoughTheStrategyChanges() {
      preempts();
      queue.setStrictFifo(true);
      push(workload("high", LARGE), 9, 0);

      assertThat(popAll(queue)).containsExactly("preemptor", "high");
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_FIT", "FAILED_AFTER_NOMINATION", "PREEMPTION_GATED", "GENERIC"})
    void isForgottenWhenAnAttemptEndsOtherwise(RequeueReason reason) {
      preempts();
      queue.activate(preemptor);
      fail(preemptor, reason);
      push(workload("high", LARGE), 9, 0);
      event();

      assertThat(queue.isPreemptor(preemptor)).isFalse();
      assertThat(popAll(queue)).containsExactly("high", "preemptor");
    }

    @Test
    void isNotForgottenWhenAnAttemptOfAnotherEnds() {
      preempts();
      PendingWorkload other = push(workload("other", LARGE), 9, 0);
      queue.activate(other);
      fail(other, RequeueReason.FAILED_AFTER_NOMINATION);

      assertThat(popAll(queue)).containsExactly("preemptor", "other");
    }

    @Test
    void staysStickyAfterItDidNotFitIfItIsNotForgotten() {
      PendingQueue remembering = new PendingQueue(QueueFixture.REMEMBERING, null, new Journal());
      remembering.push(fixture.pending(workload("low", SMALL), 0, 5), NOW);
      remembering.requeue(
          head(remembering), RequeueReason.PENDING_PREEMPTION, NO_DETAILS, false, NOW);
      remembering.requeue(
          head(remembering), RequeueReason.FAILED_AFTER_NOMINATION, NO_DETAILS, false, NOW);
      remembering.push(fixture.pending(workload("high", LARGE), 9, 0), NOW);

      assertThat(popAll(remembering)).containsExactly("low", "high");
    }

    @Test
    void isReplacedByTheNextOne() {
      preempts();
      PendingWorkload next = push(workload("next", LARGE), -5, 9);
      queue.activate(next);
      fail(next, RequeueReason.PENDING_PREEMPTION);

      assertThat(popAll(queue)).containsExactly("next", "preemptor");
    }

    @Test
    void isForgottenWhenItLeaves() {
      preempts();
      queue.leave(preemptor);
      queue.push(preemptor, NOW);
      push(workload("high", LARGE), 9, 0);

      assertThat(popAll(queue)).containsExactly("high", "preemptor");
    }

    @Test
    void staysStickyInAnotherVersion() {
      preempts();
      assertThat(queue.isPreemptor(preemptor)).isTrue();
      PendingWorkload changed = fixture.pending(workload("changed", SMALL), 0, 5);
      queue.replace(preemptor, changed, true, NOW);
      push(workload("high", LARGE), 9, 0);

      assertThat(queue.isPreemptor(changed)).isFalse();
      assertThat(popAll(queue)).containsExactly("changed", "high");
    }

    @Test
    void isInACopyWhatItIsInTheOriginal() {
      preempts();
      assertThat(copyOf(preemptor)).isTrue();
      PendingWorkload changed = fixture.pending(workload("changed", SMALL), 0, 5);
      queue.replace(preemptor, changed, true, NOW);
      assertThat(copyOf(changed)).isFalse();
    }

    /** {@return whether a workload is the preemptor in a copy of the queue} */
    private boolean copyOf(PendingWorkload workload) {
      return queue.copy(LocalQueueUsage.NONE, new Journal()).isPreemptor(workload);
    }

    @Test
    void isNotTheReplacedSlice() {
      preempts();
      PendingWorkload other = push(workload("other", LARGE), 0, 0);
      queue.replace(other, fixture.pending(workload("changed", LARGE), 0, 0), true, NOW);

      assertThat(queue.isPreemptor(preemptor)).isTrue();
      assertThat(popAll(queue)).containsExactly("preemptor", "changed");
    }

    @Test
    void doesNotHideOthersWhileItIsParked() {
      preempts();
      queue.activate(preemptor);
      fail(preemptor, RequeueReason.NO_FIT);
      push(workload("other", LARGE), 0, 0);

      assertThat(popAll(queue)).containsExactly("other");
    }
  }

  /** Rule U-11. */
  @Test
  void preemptorIsNoneAnyMoreOnceItsSpecHasChanged() {
    PendingWorkload head = push("a", SMALL);
    fail(head(), RequeueReason.PENDING_PREEMPTION);
    assertThat(queue.isPreemptor(head)).isTrue();

    PendingWorkload sameSpec = fixture.pending("a", SMALL);
    queue.replace(head, sameSpec, false, NOW);
    assertThat(queue.isPreemptor(sameSpec)).isTrue();

    PendingWorkload changed = fixture.pending("a", LARGE);
    queue.replace(sameSpec, changed, true, NOW);
    assertThat(queue.isPreemptor(changed)).isFalse();

    PendingWorkload again = fixture.pending("a", LARGE);
    queue.replace(changed, again, false, NOW);
    assertThat(queue.isPreemptor(again)).isFalse();

    fail(head(), RequeueReason.PENDING_PREEMPTION);
    assertThat(queue.isPreemptor(again)).isTrue();
  }
}
