package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.NO_DETAILS;
import static io.kueue4j.core.internal.queue.QueueFixture.active;
import static io.kueue4j.core.internal.queue.QueueFixture.name;
import static io.kueue4j.core.internal.queue.QueueFixture.parked;
import static io.kueue4j.core.internal.queue.QueueFixture.popAll;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.versioned.Journal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Rules U-4, U-15 with U-4, W-8: the order of heads where LocalQueues are served by usage. */
class UsageOrderTest {
  private final QueueFixture fixture = new QueueFixture();
  private final Map<String, Double> usages = new HashMap<>();
  private final PendingQueue queue = new PendingQueue(
      Settings.defaults(), localQueue -> usages.getOrDefault(localQueue, 0.0), new Journal());
  private int pushed;

  private PendingWorkload push(String name, String localQueue, int gpus, long priority) {
    pushed++;
    PendingWorkload pending =
        fixture.pending(workload(name, gpus).queueName(localQueue), priority, 1000L * pushed);
    queue.push(pending, NOW);
    return pending;
  }

  private void use(String localQueue, double usage) {
    usages.put("team/" + localQueue, usage);
    queue.usageChanged("team/" + localQueue);
  }

  private PendingWorkload pop() {
    PendingWorkload head = Objects.requireNonNull(queue.head());
    queue.leave(head);
    return head;
  }

  @Test
  void lowerUsageGoesBeforePriorityAndAge() {
    use("a", 2);
    push("old-high-a", "a", 1, 10);
    push("young-low-b", "b", 1, 0);
    assertThat(popAll(queue)).containsExactly("young-low-b", "old-high-a");
  }

  @Test
  void equalUsageLeavesPriorityAndAgeToDecideAcrossLocalQueues() {
    push("a1", "a", 1, 0);
    push("b1", "b", 1, 0);
    push("a2", "a", 1, 0);
    push("b2", "b", 1, 5);
    assertThat(popAll(queue)).containsExactly("b2", "a1", "b1", "a2");
  }

  @Test
  void aLocalQueueWithoutWeightGoesLast() {
    use("a", Double.POSITIVE_INFINITY);
    use("b", 1e12);
    push("a1", "a", 1, 10);
    push("b1", "b", 1, 0);
    assertThat(popAll(queue)).containsExactly("b1", "a1");
  }

  @Test
  void workloadsOfOneShapeMoveWithTheirOwnLocalQueueOnly() {
    for (int i = 0; i < 4; i++) {
      push("a" + i, "a", 1, 0);
      push("b" + i, "b", 1, 0);
    }
    use("a", 1);
    assertThat(name(pop())).isEqualTo("b0");
    use("b", 2);
    assertThat(popAll(queue)).containsExactly("a0", "a1", "a2", "a3", "b1", "b2", "b3");
  }

  @Test
  void allGroupsOfALocalQueueMoveWhenItsUsageChanges() {
    for (int shape = 1; shape <= 20; shape++) {
      push("a" + shape, "a", shape, shape % 3);
      push("b" + shape, "b", shape, shape % 3);
    }
    use("a", 5);
    assertThat(popAll(queue)).hasSize(40).satisfies(names -> {
      assertThat(names.subList(0, 20)).allMatch(name -> name.startsWith("b"));
      assertThat(names.subList(20, 40)).allMatch(name -> name.startsWith("a"));
    });
  }

  @Test
  void usageIsKnownForWhatComesLater() {
    use("a", 3);
    use("b", 1);
    push("a1", "a", 1, 0);
    push("b1", "b", 2, 0);
    assertThat(name(pop())).isEqualTo("b1");
  }

  @Test
  void lowerUsageGoesBeforeTheOneThatWaitsForItsVictims() {
    PendingWorkload waiting = push("a1", "a", 1, 0);
    push("a2", "a", 2, 10);
    push("b1", "b", 3, 0);
    assertThat(name(pop())).isEqualTo("a2");
    queue.leave(Objects.requireNonNull(waiting));
    queue.push(waiting, NOW);
    queue.activate(waiting);
    queue.requeue(waiting, RequeueReason.PENDING_PREEMPTION, NO_DETAILS, false, NOW);

    use("a", 1);
    assertThat(name(pop())).as("usage before stickiness").isEqualTo("b1");
  }

  @Test
  void theOneThatWaitsForItsVictimsGoesFirstAtEqualUsage() {
    PendingWorkload waiting = push("a1", "a", 1, 0);
    queue.activate(waiting);
    queue.requeue(waiting, RequeueReason.PENDING_PREEMPTION, NO_DETAILS, false, NOW);
    push("b1", "b", 2, 10);
    assertThat(name(pop())).isEqualTo("a1");
  }

  @Test
  void givingUpAShapeConcernsAllLocalQueues() {
    PendingWorkload failed = push("a1", "a", 1, 0);
    push("a2", "a", 1, 0);
    push("b1", "b", 1, 0);
    push("b2", "b", 2, 0);
    queue.activate(failed);
    queue.requeue(failed, RequeueReason.NO_FIT, NO_DETAILS, false, NOW);
    assertThat(active(queue)).containsExactly("b2");
    assertThat(parked(queue)).containsExactly("a1", "a2", "b1");
    push("c1", "c", 1, 0);
    assertThat(parked(queue)).contains("c1");

    use("a", 9);
    queue.requeueParked(namespace -> true, NOW);
    assertThat(popAll(queue)).containsExactly("b1", "b2", "c1", "a1", "a2");
  }

  @Test
  void theOrderShownIsThatOfTheMoment() {
    PendingWorkload a = push("a1", "a", 1, 10);
    PendingWorkload b = push("b1", "b", 1, 0);
    use("a", 1);
    var order = queue.serviceOrder();
    use("a", 0);
    assertThat(order.compare(b, a)).isNegative();
    assertThat(queue.serviceOrder().compare(a, b)).isNegative();
  }

  @Test
  void aQueueNotServedByUsageIgnoresIt() {
    PendingQueue plain = new PendingQueue(Settings.defaults(), null, new Journal());
    PendingWorkload a = fixture.pending(workload("a1", 1).queueName("a"), 10, 0);
    PendingWorkload b = fixture.pending(workload("b1", 1).queueName("b"), 0, 0);
    plain.push(b, NOW);
    plain.push(a, NOW);
    plain.usageChanged("team/a");
    assertThat(plain.serviceOrder().compare(a, b)).isNegative();
    assertThat(popAll(plain)).containsExactly("a1", "b1");
  }
}
