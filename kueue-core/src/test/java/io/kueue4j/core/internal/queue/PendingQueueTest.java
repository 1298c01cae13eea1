package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.NO_DETAILS;
import static io.kueue4j.core.internal.queue.QueueFixture.active;
import static io.kueue4j.core.internal.queue.QueueFixture.parked;
import static io.kueue4j.core.internal.queue.QueueFixture.popAll;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.attempt.RequeueReason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PendingQueueTest extends PendingQueueFixture {
  @Nested
  class Order {
    @Test
    void higherPriorityGoesFirst() {
      push(workload("low", SMALL), -1, 0);
      push(workload("high", LARGE), 5, 9);
      push(workload("middle", SMALL), 0, 0);

      assertThat(popAll(queue)).containsExactly("high", "middle", "low");
    }

    @Test
    void earlierTimeGoesFirstAmongEqualPriorities() {
      push(workload("late", SMALL), 0, 30);
      push(workload("early", LARGE), 0, 10);
      push(workload("middle", SMALL), 0, 20);

      assertThat(popAll(queue)).containsExactly("early", "middle", "late");
    }

    @Test
    void smallerUidGoesFirstAmongEqualTimes() {
      push(workload("one", SMALL).uid("b"), 0, 0);
      push(workload("two", LARGE).uid("a"), 0, 0);
      push(workload("three", SMALL).uid("B"), 0, 0);

      assertThat(popAll(queue)).containsExactly("three", "two", "one");
    }

    @Test
    void strategyDoesNotChangeIt() {
      queue.setStrictFifo(true);
      push(workload("late", SMALL), 0, 30);
      push(workload("early", SMALL), 0, 10);
      push(workload("high", SMALL), 1, 50);

      assertThat(popAll(queue)).containsExactly("high", "early", "late");
    }

    @Test
    void emptyQueueHasNoHead() {
      assertThat(queue.head()).isNull();
      assertThat(queue.active()).isEmpty();
    }
  }

  @Nested
  class FailedAttempts {
    @ParameterizedTest
    @CsvSource({
      "GENERIC, false",
      "NAMESPACE_MISMATCH, false",
      "NO_FIT, false",
      "PREEMPTION_NO_CANDIDATES, false",
      "PENDING_PREEMPTION, true",
      "FAILED_AFTER_NOMINATION, true"
    })
    void bestEffortQueueTriesAgainAtOnceForSomeReasonsOnly(RequeueReason reason, boolean again) {
      PendingWorkload head = push("a", SMALL);
      fail(head(), reason);

      assertThat(queue.isActive(head)).isEqualTo(again);
    }

    @ParameterizedTest
    @EnumSource(RequeueReason.class)
    void strictQueueTriesAgainAtOnceUnlessTheNamespaceMismatches(RequeueReason reason) {
      queue.setStrictFifo(true);
      PendingWorkload head = push("a", SMALL);
      fail(head(), reason);

      assertThat(queue.isActive(head)).isEqualTo(reason != RequeueReason.NAMESPACE_MISMATCH);
    }

    @ParameterizedTest
    @EnumSource(RequeueReason.class)
    void workloadWithPendingFlavorsIsTriedAgainAtOnce(RequeueReason reason) {
      PendingWorkload head = push("a", SMALL);
      queue.requeue(head(), reason, NO_DETAILS, true, NOW);

      assertThat(queue.isActive(head)).isTrue();
    }

    @Test
    void strictQueueIsBlockedByItsHead() {
      queue.setStrictFifo(true);
      push(workload("first", LARGE), 1, 0);
      push(workload("second", SMALL), 0, 0);

      fail(head(), RequeueReason.NO_FIT);

      assertThat(popAll(queue)).containsExactly("first", "second");
    }

    @Test
    void workloadIsInOnePlaceOnly() {
      PendingWorkload head = push("a", SMALL);
      push("b", LARGE);

      queue.leave(head());
      assertThat(queue.isActive(head)).isFalse();
      assertThat(active(queue)).containsExactly("b");
      assertThat(parked(queue)).isEmpty();

      fail(head, RequeueReason.GENERIC);
      assertThat(active(queue)).containsExactly("b");
      assertThat(parked(queue)).containsExactly("a");
      assertThat(queue.active()).hasSize(1);
      assertThat(queue.parked()).hasSize(1);
    }

    @Test
    void strategyCountsAtTheNextAttempt() {
      PendingWorkload head = push("a", SMALL);
      fail(head(), RequeueReason.GENERIC);

      queue.setStrictFifo(true);
      assertThat(queue.isActive(head)).isFalse();

      event();
      fail(head(), RequeueReason.GENERIC);
      assertThat(queue.isActive(head)).isTrue();
    }
  }

  @Nested
  class Events {
    @Test
    void bringParkedWorkloadsBack() {
      push("a", SMALL);
      fail(head(), RequeueReason.GENERIC);
      push("b", LARGE);
      fail(head(), RequeueReason.NO_FIT);

      event();

      assertThat(active(queue)).containsExactly("a", "b");
      assertThat(queue.parked()).isEmpty();
    }

    @Test
    void areAwaitedByParkedWorkloads() {
      assertThat(queue.awaitsEvent()).isFalse();
      push("active", LARGE);
      assertThat(queue.awaitsEvent()).isFalse();
      fail(head(), RequeueReason.GENERIC);
      assertThat(queue.awaitsEvent()).isTrue();
      event();
      assertThat(queue.awaitsEvent()).isFalse();
    }

    @Test
    void areAwaitedByWorkloadsWhoseBackoffIsNotOver() {
      PendingWorkload waiting = pushUntil(Instant.MAX, "waiting");
      assertThat(queue.awaitsEvent()).isTrue();
      queue.leave(waiting);
      assertThat(queue.awaitsEvent()).isFalse();
    }

    @Test
    void areAwaitedWhileAShapeIsRememberedThoughNoneIsThere() {
      PendingWorkload failed = push("failed", SMALL);
      fail(head(), RequeueReason.NO_FIT);
      queue.leave(failed);
      assertThat(queue.awaitsEvent()).isTrue();
      event();
      assertThat(queue.awaitsEvent()).isFalse();
    }

    @Test
    void leaveWorkloadsOfOtherNamespacesParked() {
      push(workload("here", SMALL).namespace("here"), 0, 0);
      fail(head(), RequeueReason.GENERIC);
      push(workload("there", SMALL).namespace("there"), 0, 0);
      fail(head(), RequeueReason.GENERIC);

      queue.requeueParked("here"::equals, NOW);

      assertThat(active(queue)).containsExactly("here");
      assertThat(parked(queue)).containsExactly("there");
    }

    @Test
    void leaveWorkloadsOfAGoneNamespaceActive() {
      push(workload("there", SMALL).namespace("there"), 0, 0);

      queue.requeueParked(namespace -> false, NOW);

      assertThat(active(queue)).containsExactly("there");
    }
  }

  @Nested
  class Backoff {
    private final Instant later = NOW.plusSeconds(60);

    @Test
    void keepsAWorkloadParkedUntilItsTime() {
      PendingWorkload pending = pushUntil(later, "a");
      assertThat(queue.isActive(pending)).isFalse();

      event();
      assertThat(queue.isActive(pending)).isFalse();

      queue.requeueParked(namespace -> true, later.minusMillis(1));
      assertThat(queue.isActive(pending)).isFalse();

      queue.requeueParked(namespace -> true, later);
      assertThat(queue.isActive(pending)).isTrue();
    }

    @Test
    void isOverAtItsTime() {
      PendingWorkload pending = pushUntil(NOW, "a");

      assertThat(queue.isActive(pending)).isTrue();
    }

    @Test
    void hasNoEndWhileTheWorkloadIsNotRequeued() {
      PendingWorkload pending = pushUntil(Instant.MAX, "a");

      queue.requeueParked(namespace -> true, Instant.MAX);

      assertThat(queue.isActive(pending)).isFalse();
      assertThat(parked(queue)).containsExactly("a");
    }

    @Test
    void outranksAnImmediateReason() {
      PendingWorkload head = pushUntil(NOW, "a");
      queue.activate(head);

      queue.requeue(
          head, RequeueReason.FAILED_AFTER_NOMINATION, NO_DETAILS, true, NOW.minusSeconds(1));

      assertThat(queue.isActive(head)).isFalse();
    }

    @Test
    void doesNotKeepTheShapeOfAFailureFromBeingRemembered() {
      PendingWorkload head = pushUntil(NOW, "first");
      PendingWorkload same = push(workload("same", SMALL), 0, 0);
      queue.activate(head);

      queue.requeue(head, RequeueReason.NO_FIT, NO_DETAILS, false, NOW.minusSeconds(1));

      assertThat(queue.isActive(same)).isFalse();
      assertThat(queue.isActive(push("new", SMALL))).isFalse();
    }

    @Test
    void endsByTimeAlone() {
      PendingWorkload pending = pushUntil(later, "a");

      queue.releaseDue(namespace -> true, later.minusMillis(1));
      assertThat(queue.isActive(pending)).isFalse();

      queue.releaseDue(namespace -> true, later);
      assertThat(queue.isActive(pending)).isTrue();
    }

    @Test
    void endsParkedIfTheShapeIsRemembered() {
      PendingWorkload pending = pushUntil(later, "a");
      push("first", SMALL);
      fail(head(), RequeueReason.NO_FIT);

      queue.releaseDue(namespace -> true, later);

      assertThat(queue.isActive(pending)).isFalse();
      queue.requeueParked(namespace -> true, later);
      assertThat(queue.isActive(pending)).isTrue();
    }
  }

  @Test
  void workloadThatLeavesIsGoneWhereverItStood() {
    PendingWorkload active = push("active", SMALL);
    PendingWorkload parkedOne = push("parked", LARGE);
    queue.activate(parkedOne);
    fail(parkedOne, RequeueReason.GENERIC);
    PendingWorkload waiting = pushUntil(Instant.MAX, "waiting");
    PendingWorkload taken = push("taken", SMALL);
    queue.activate(taken);

    List.of(active, parkedOne, waiting, taken).forEach(queue::leave);

    assertThat(queue.active()).isEmpty();
    assertThat(queue.parked()).isEmpty();
    event();
    assertThat(queue.head()).isNull();
  }
}
