package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.NO_DETAILS;
import static io.kueue4j.core.internal.queue.QueueFixture.active;
import static io.kueue4j.core.internal.queue.QueueFixture.name;
import static io.kueue4j.core.internal.queue.QueueFixture.parked;
import static io.kueue4j.core.internal.queue.QueueFixture.popAll;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.versioned.Journal;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads of equal shape: when they are parked together; rule U-15. */
class EqualShapesTest extends PendingQueueFixture {
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

    fail(head(), reason);

    assertThat(queue.isActive(second)).isEqualTo(!together);
  }

  @Test
  void areParkedTogetherOverNamespaces() {
    push(workload("first", SMALL), 0, 0);
    PendingWorkload other = push(workload("other", SMALL).namespace("other"), 0, 1);
    PendingWorkload different = push(workload("different", LARGE), 0, 2);

    fail(head(), RequeueReason.NO_FIT);

    assertThat(queue.isActive(other)).isFalse();
    assertThat(queue.isActive(different)).isTrue();
    assertThat(parked(queue)).containsExactly("first", "other");
    assertThat(queue.failureOfShape(other))
        .extracting(failure -> name(failure.workload()))
        .isEqualTo("first");
  }

  @Test
  void waitForTheirBackoffsAfterBeingParkedTogether() {
    push(workload("first", SMALL), 0, 0);
    PendingWorkload brought = fixture.pending(workload("brought", SMALL), 0, 1, NOW.plusSeconds(5));
    queue.bring(brought, NOW);
    fail(head(), RequeueReason.NO_FIT);

    event();

    assertThat(active(queue)).containsExactly("first");
    queue.requeueParked(namespace -> true, NOW.plusSeconds(5));
    assertThat(active(queue)).containsExactly("brought", "first");
  }

  @Test
  void areToldApartByPriority() {
    push(workload("high", SMALL), 1, 0);
    PendingWorkload low = push(workload("low", SMALL), 0, 0);

    fail(head(), RequeueReason.NO_FIT);

    assertThat(queue.isActive(low)).isTrue();
  }

  @Test
  void areParkedOnArrivalWhileRemembered() {
    push("first", SMALL);
    fail(head(), RequeueReason.NO_FIT);

    PendingWorkload sameShape = push("same", SMALL);
    PendingWorkload otherShape = push("other", LARGE);

    assertThat(queue.isActive(sameShape)).isFalse();
    assertThat(queue.isActive(otherShape)).isTrue();
  }

  @Test
  void areRememberedAfterTheWorkloadThatFailedHasLeft() {
    PendingWorkload first = push("first", SMALL);
    fail(head(), RequeueReason.NO_FIT);
    queue.leave(first);

    assertThat(queue.isActive(push("same", SMALL))).isFalse();
  }

  @Test
  void areForgottenByAnEvent() {
    push("first", SMALL);
    fail(head(), RequeueReason.NO_FIT);
    event();

    assertThat(queue.isActive(push("same", SMALL))).isTrue();
  }

  @Test
  void areForgottenByAnEventThatBringsNoneBack() {
    push("first", SMALL);
    fail(head(), RequeueReason.NO_FIT);
    queue.requeueParked(namespace -> false, NOW);

    assertThat(parked(queue)).containsExactly("first");
    assertThat(queue.isActive(push("same", SMALL))).isTrue();
  }

  @Test
  void areNotParkedTogetherIfPendingFlavorsKeepTheHeadActive() {
    push(workload("first", SMALL), 0, 0);
    PendingWorkload second = push(workload("second", SMALL), 0, 1);

    queue.requeue(head(), RequeueReason.NO_FIT, NO_DETAILS, true, NOW);

    assertThat(queue.isActive(second)).isTrue();
  }

  @Test
  void areTriedOneByOneInAStrictQueue() {
    queue.setStrictFifo(true);
    push(workload("first", SMALL), 0, 0);
    PendingWorkload second = push(workload("second", SMALL), 0, 1);

    fail(head(), RequeueReason.NO_FIT);

    assertThat(queue.isActive(second)).isTrue();
  }

  @Test
  void areTriedOneByOneIfShapesAreNotUsed() {
    Settings withoutShapes = Settings.builder()
        .putFeatureGates(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING, false)
        .build();
    PendingQueue plain = new PendingQueue(withoutShapes, null, new Journal());
    plain.push(fixture.pending("first", SMALL), NOW);
    PendingWorkload second = fixture.pending("second", SMALL);
    plain.push(second, NOW);

    PendingWorkload head = Objects.requireNonNull(plain.head());
    plain.requeue(head, RequeueReason.NO_FIT, NO_DETAILS, false, NOW);

    assertThat(plain.isActive(second)).isTrue();
  }

  @Test
  void includeAStickyWorkload() {
    PendingWorkload sticky = push(workload("sticky", SMALL), 0, 1);
    queue.activate(sticky);
    fail(sticky, RequeueReason.PENDING_PREEMPTION);
    PendingWorkload same = push(workload("same", SMALL), 0, 0);
    queue.activate(same);

    fail(same, RequeueReason.NO_FIT);

    assertThat(queue.isActive(sticky)).isFalse();
  }

  @Test
  void areServedInOrderAfterComingBackTogether() {
    for (int i = 0; i < 5; i++) {
      push(workload("w" + i, SMALL), 0, 10 - i);
    }
    fail(head(), RequeueReason.NO_FIT);
    event();

    assertThat(popAll(queue)).containsExactly("w4", "w3", "w2", "w1", "w0");
  }

  @Test
  void doNotHideThoseBehindThem() {
    push(workload("first", LARGE), 0, 0);
    push(workload("second", LARGE), 0, 1);
    push(workload("third", SMALL), 0, 2);

    fail(head(), RequeueReason.NO_FIT);

    assertThat(popAll(queue)).containsExactly("third");
  }
}
