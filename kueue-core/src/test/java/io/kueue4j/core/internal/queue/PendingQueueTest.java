package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.active;
import static io.kueue4j.core.internal.queue.QueueFixture.name;
import static io.kueue4j.core.internal.queue.QueueFixture.parked;
import static io.kueue4j.core.internal.queue.QueueFixture.popAll;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.support.UndoLog;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PendingQueueTest {
  private static final int SMALL = 1;
  private static final int LARGE = 8;

  private final QueueFixture fixture = new QueueFixture();
  private final PendingQueue queue = new PendingQueue(true);

  private PendingWorkload push(Workload.Builder workload, long priority, long queueTimeMillis) {
    PendingWorkload pending = fixture.pending(workload, priority, queueTimeMillis);
    queue.push(pending, NOW);
    return pending;
  }

  private PendingWorkload push(String name, int gpus) {
    return push(workload(name, gpus), 0, 0);
  }

  private PendingWorkload pop() {
    PendingWorkload head = queue.pop();
    if (head == null) {
      throw new AssertionError("no workload is active");
    }
    return head;
  }

  private void fail(PendingWorkload head, RequeueReason reason) {
    queue.requeue(head, reason, false, NOW);
  }

  private void event() {
    queue.requeueParked(namespace -> true, NOW);
  }

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
    void whatIsPutBackIsAsNeverTakenOut() {
      PendingWorkload first = push(workload("first", SMALL), 1, 0);
      push(workload("second", SMALL), 0, 0);
      queue.unpop(pop());

      assertThat(queue.isActive(first)).isTrue();
      assertThat(queue.activeCount()).isEqualTo(2);
      assertThat(popAll(queue)).containsExactly("first", "second");
    }

    @Test
    void emptyQueueHasNoHead() {
      assertThat(queue.pop()).isNull();
      assertThat(queue.activeCount()).isZero();
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
      fail(pop(), reason);

      assertThat(queue.isActive(head)).isEqualTo(again);
    }

    @ParameterizedTest
    @EnumSource(RequeueReason.class)
    void strictQueueTriesAgainAtOnceUnlessTheNamespaceMismatches(RequeueReason reason) {
      queue.setStrictFifo(true);
      PendingWorkload head = push("a", SMALL);
      fail(pop(), reason);

      assertThat(queue.isActive(head)).isEqualTo(reason != RequeueReason.NAMESPACE_MISMATCH);
    }

    @ParameterizedTest
    @EnumSource(RequeueReason.class)
    void workloadWithPendingFlavorsIsTriedAgainAtOnce(RequeueReason reason) {
      PendingWorkload head = push("a", SMALL);
      queue.requeue(pop(), reason, true, NOW);

      assertThat(queue.isActive(head)).isTrue();
    }

    @Test
    void strictQueueIsBlockedByItsHead() {
      queue.setStrictFifo(true);
      push(workload("first", LARGE), 1, 0);
      push(workload("second", SMALL), 0, 0);

      fail(pop(), RequeueReason.NO_FIT);

      assertThat(popAll(queue)).containsExactly("first", "second");
    }

    @Test
    void workloadIsInOnePlaceOnly() {
      PendingWorkload head = push("a", SMALL);
      push("b", LARGE);

      pop();
      assertThat(queue.isActive(head)).isFalse();
      assertThat(active(queue)).containsExactly("b");
      assertThat(parked(queue)).isEmpty();

      fail(head, RequeueReason.GENERIC);
      assertThat(active(queue)).containsExactly("b");
      assertThat(parked(queue)).containsExactly("a");
      assertThat(queue.activeCount()).isEqualTo(1);
      assertThat(queue.parkedCount()).isEqualTo(1);
    }

    @Test
    void strategyCountsAtTheNextAttempt() {
      PendingWorkload head = push("a", SMALL);
      fail(pop(), RequeueReason.GENERIC);

      queue.setStrictFifo(true);
      assertThat(queue.isActive(head)).isFalse();

      event();
      fail(pop(), RequeueReason.GENERIC);
      assertThat(queue.isActive(head)).isTrue();
    }
  }

  @Nested
  class EqualShapes {
    @ParameterizedTest
    @CsvSource({
      "GENERIC, false",
      "NAMESPACE_MISMATCH, false",
      "NO_FIT, true",
      "PREEMPTION_NO_CANDIDATES, true",
      "PENDING_PREEMPTION, false",
      "FAILED_AFTER_NOMINATION, false"
    })
    void areParkedTogetherForSomeReasonsOnly(RequeueReason reason, boolean together) {
      push(workload("first", SMALL), 0, 0);
      PendingWorkload second = push(workload("second", SMALL), 0, 1);

      fail(pop(), reason);

      assertThat(queue.isActive(second)).isEqualTo(!together);
    }

    @Test
    void areParkedTogetherOverNamespaces() {
      push(workload("first", SMALL), 0, 0);
      PendingWorkload other = push(workload("other", SMALL).namespace("other"), 0, 1);
      PendingWorkload different = push(workload("different", LARGE), 0, 2);

      fail(pop(), RequeueReason.NO_FIT);

      assertThat(queue.isActive(other)).isFalse();
      assertThat(queue.isActive(different)).isTrue();
      assertThat(parked(queue)).containsExactly("first", "other");
      assertThat(queue.failedForShape(other)).extracting(QueueFixture::name).isEqualTo("first");
    }

    @Test
    void areToldApartByPriority() {
      push(workload("high", SMALL), 1, 0);
      PendingWorkload low = push(workload("low", SMALL), 0, 0);

      fail(pop(), RequeueReason.NO_FIT);

      assertThat(queue.isActive(low)).isTrue();
    }

    @Test
    void areParkedOnArrivalWhileRemembered() {
      push("first", SMALL);
      fail(pop(), RequeueReason.NO_FIT);

      PendingWorkload sameShape = push("same", SMALL);
      PendingWorkload otherShape = push("other", LARGE);

      assertThat(queue.isActive(sameShape)).isFalse();
      assertThat(queue.isActive(otherShape)).isTrue();
    }

    @Test
    void areRememberedAfterTheWorkloadThatFailedHasLeft() {
      PendingWorkload first = push("first", SMALL);
      fail(pop(), RequeueReason.NO_FIT);
      queue.leave(first);

      assertThat(queue.isActive(push("same", SMALL))).isFalse();
    }

    @Test
    void areForgottenByAnEvent() {
      push("first", SMALL);
      fail(pop(), RequeueReason.NO_FIT);
      event();

      assertThat(queue.isActive(push("same", SMALL))).isTrue();
    }

    @Test
    void areForgottenByAnEventThatBringsNoneBack() {
      push("first", SMALL);
      fail(pop(), RequeueReason.NO_FIT);
      queue.requeueParked(namespace -> false, NOW);

      assertThat(parked(queue)).containsExactly("first");
      assertThat(queue.isActive(push("same", SMALL))).isTrue();
    }

    @Test
    void areNotParkedTogetherIfPendingFlavorsKeepTheHeadActive() {
      push(workload("first", SMALL), 0, 0);
      PendingWorkload second = push(workload("second", SMALL), 0, 1);

      queue.requeue(pop(), RequeueReason.NO_FIT, true, NOW);

      assertThat(queue.isActive(second)).isTrue();
    }

    @Test
    void areTriedOneByOneInAStrictQueue() {
      queue.setStrictFifo(true);
      push(workload("first", SMALL), 0, 0);
      PendingWorkload second = push(workload("second", SMALL), 0, 1);

      fail(pop(), RequeueReason.NO_FIT);

      assertThat(queue.isActive(second)).isTrue();
    }

    @Test
    void areTriedOneByOneIfShapesAreNotUsed() {
      PendingQueue plain = new PendingQueue(false);
      plain.push(fixture.pending("first", SMALL), NOW);
      PendingWorkload second = fixture.pending("second", SMALL);
      plain.push(second, NOW);

      PendingWorkload head = Objects.requireNonNull(plain.pop());
      plain.requeue(head, RequeueReason.NO_FIT, false, NOW);

      assertThat(plain.isActive(second)).isTrue();
    }

    @Test
    void includeAStickyWorkload() {
      PendingWorkload sticky = push(workload("sticky", SMALL), 0, 1);
      queue.take(sticky);
      fail(sticky, RequeueReason.PENDING_PREEMPTION);
      PendingWorkload same = push(workload("same", SMALL), 0, 0);
      queue.take(same);

      fail(same, RequeueReason.NO_FIT);

      assertThat(queue.isActive(sticky)).isFalse();
    }

    @Test
    void areServedInOrderAfterComingBackTogether() {
      for (int i = 0; i < 5; i++) {
        push(workload("w" + i, SMALL), 0, 10 - i);
      }
      fail(pop(), RequeueReason.NO_FIT);
      event();

      assertThat(popAll(queue)).containsExactly("w4", "w3", "w2", "w1", "w0");
    }

    @Test
    void doNotHideThoseBehindThem() {
      push(workload("first", LARGE), 0, 0);
      push(workload("second", LARGE), 0, 1);
      push(workload("third", SMALL), 0, 2);

      fail(pop(), RequeueReason.NO_FIT);

      assertThat(popAll(queue)).containsExactly("third");
    }
  }

  @Nested
  class StickyPreemptor {
    private final PendingWorkload preemptor = push(workload("preemptor", SMALL), 0, 5);

    private void preempts() {
      queue.take(preemptor);
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

    @Test
    void staysStickyAfterItDidNotFit() {
      preempts();
      queue.take(preemptor);
      fail(preemptor, RequeueReason.NO_FIT);
      push(workload("high", LARGE), 9, 0);
      event();

      assertThat(popAll(queue)).containsExactly("preemptor", "high");
    }

    @Test
    void isReplacedByTheNextOne() {
      preempts();
      PendingWorkload next = push(workload("next", LARGE), -5, 9);
      queue.take(next);
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
    void staysStickyInAnotherVersionWhichIsNotTheOneItsVictimsWereFoundFor() {
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

    /** {@return whether the copy of {@code workload} in a copy of the queue is the preemptor} */
    private boolean copyOf(PendingWorkload workload) {
      Map<PendingWorkload, PendingWorkload> copies = new HashMap<>();
      PendingQueue copy = queue.newEmpty(LocalQueueUsage.NONE, new UndoLog(), () -> {});
      copy.fillFrom(queue, each -> copies.computeIfAbsent(each, PendingWorkload::outOfQueue));
      return copy.isPreemptor(copies.getOrDefault(workload, workload));
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
      queue.take(preemptor);
      fail(preemptor, RequeueReason.NO_FIT);
      push(workload("other", LARGE), 0, 0);

      assertThat(popAll(queue)).containsExactly("other");
    }
  }

  @Nested
  class Events {
    @Test
    void bringParkedWorkloadsBack() {
      push("a", SMALL);
      fail(pop(), RequeueReason.GENERIC);
      push("b", LARGE);
      fail(pop(), RequeueReason.NO_FIT);

      event();

      assertThat(active(queue)).containsExactly("a", "b");
      assertThat(queue.parkedCount()).isZero();
    }

    @Test
    void areAwaitedByParkedWorkloads() {
      assertThat(queue.awaitsEvent()).isFalse();
      push("active", LARGE);
      assertThat(queue.awaitsEvent()).isFalse();
      fail(pop(), RequeueReason.GENERIC);
      assertThat(queue.awaitsEvent()).isTrue();
      event();
      assertThat(queue.awaitsEvent()).isFalse();
    }

    @Test
    void areAwaitedByWorkloadsWhoseBackoffIsNotOver() {
      PendingWorkload waiting = push(workload("waiting", SMALL).requeued(false), 0, 0);
      assertThat(queue.awaitsEvent()).isTrue();
      queue.leave(waiting);
      assertThat(queue.awaitsEvent()).isFalse();
    }

    @Test
    void areAwaitedWhileAShapeIsRememberedThoughNoneIsThere() {
      PendingWorkload failed = push("failed", SMALL);
      fail(pop(), RequeueReason.NO_FIT);
      queue.leave(failed);
      assertThat(queue.awaitsEvent()).isTrue();
      event();
      assertThat(queue.awaitsEvent()).isFalse();
    }

    @Test
    void leaveWorkloadsOfOtherNamespacesParked() {
      push(workload("here", SMALL).namespace("here"), 0, 0);
      fail(pop(), RequeueReason.GENERIC);
      push(workload("there", SMALL).namespace("there"), 0, 0);
      fail(pop(), RequeueReason.GENERIC);

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

  /** Rule U-11. */
  @Test
  void preemptorIsNoneAnyMoreOnceItsSpecHasChanged() {
    PendingWorkload head = push("a", SMALL);
    fail(pop(), RequeueReason.PENDING_PREEMPTION);
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

    fail(pop(), RequeueReason.PENDING_PREEMPTION);
    assertThat(queue.isPreemptor(again)).isTrue();
  }

  @Nested
  class Backoff {
    private final Instant later = NOW.plusSeconds(60);

    @Test
    void keepsAWorkloadParkedUntilItsTime() {
      PendingWorkload pending = push(workload("a", SMALL).requeueAt(later), 0, 0);
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
      PendingWorkload pending = push(workload("a", SMALL).requeueAt(NOW), 0, 0);

      assertThat(queue.isActive(pending)).isTrue();
    }

    @Test
    void hasNoEndWhileTheWorkloadIsNotRequeued() {
      PendingWorkload pending = push(workload("a", SMALL).requeued(false), 0, 0);

      queue.requeueParked(namespace -> true, Instant.MAX);

      assertThat(queue.isActive(pending)).isFalse();
      assertThat(parked(queue)).containsExactly("a");
    }

    @Test
    void outranksAnImmediateReason() {
      PendingWorkload head = push(workload("a", SMALL).requeueAt(NOW), 0, 0);
      queue.take(head);

      queue.requeue(head, RequeueReason.FAILED_AFTER_NOMINATION, true, NOW.minusSeconds(1));

      assertThat(queue.isActive(head)).isFalse();
    }

    @Test
    void doesNotKeepTheShapeOfAFailureFromBeingRemembered() {
      PendingWorkload head = push(workload("first", SMALL).requeueAt(NOW), 0, 0);
      PendingWorkload same = push(workload("same", SMALL), 0, 0);
      queue.take(head);

      queue.requeue(head, RequeueReason.NO_FIT, false, NOW.minusSeconds(1));

      assertThat(queue.isActive(same)).isFalse();
      assertThat(queue.isActive(push("new", SMALL))).isFalse();
    }

    @Test
    void endsByTimeAlone() {
      PendingWorkload pending = push(workload("a", SMALL).requeueAt(later), 0, 0);

      queue.releaseDue(namespace -> true, later.minusMillis(1));
      assertThat(queue.isActive(pending)).isFalse();

      queue.releaseDue(namespace -> true, later);
      assertThat(queue.isActive(pending)).isTrue();
    }

    @Test
    void endsParkedIfTheShapeIsRemembered() {
      PendingWorkload pending = push(workload("a", SMALL).requeueAt(later), 0, 0);
      push("first", SMALL);
      fail(pop(), RequeueReason.NO_FIT);

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
    queue.take(parkedOne);
    fail(parkedOne, RequeueReason.GENERIC);
    PendingWorkload waiting = push(workload("waiting", SMALL).requeued(false), 0, 0);
    PendingWorkload taken = push("taken", SMALL);
    queue.take(taken);

    List.of(active, parkedOne, waiting, taken).forEach(queue::leave);

    assertThat(queue.activeCount()).isZero();
    assertThat(queue.parkedCount()).isZero();
    event();
    assertThat(queue.pop()).isNull();
  }

  @Test
  void workloadThatIsInNoQueueCannotBeTakenOut() {
    PendingWorkload stranger = fixture.pending("stranger", SMALL);

    assertThatThrownBy(() -> queue.leave(stranger))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("workload team/stranger is in no queue");
  }
}
