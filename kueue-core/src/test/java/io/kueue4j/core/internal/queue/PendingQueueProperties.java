package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.NO_DETAILS;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** The queue, operation by operation, against {@link NaiveQueue}. */
class PendingQueueProperties {
  private enum Kind {
    PUSH,
    BRING,
    ATTEMPT,
    TAKE,
    LEAVE,
    EVENT,
    STRATEGY,
    COPY,
    USAGE
  }

  /** One operation; which numbers count depends on the kind. */
  record Step(
      Kind kind, int number, int shape, int namespace, RequeueReason reason, boolean flag) {}

  @Provide
  Arbitrary<List<Step>> histories() {
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.just(Kind.PUSH)),
                Tuple.of(2, Arbitraries.just(Kind.BRING)),
                Tuple.of(6, Arbitraries.just(Kind.ATTEMPT)),
                Tuple.of(1, Arbitraries.just(Kind.TAKE)),
                Tuple.of(1, Arbitraries.just(Kind.LEAVE)),
                Tuple.of(1, Arbitraries.just(Kind.EVENT)),
                Tuple.of(1, Arbitraries.just(Kind.STRATEGY)),
                Tuple.of(1, Arbitraries.just(Kind.COPY)),
                Tuple.of(3, Arbitraries.just(Kind.USAGE))),
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(0, 1),
            Arbitraries.of(RequeueReason.class),
            Arbitraries.of(false, false, false, true))
        .as(Step::new)
        .list()
        .ofMinSize(10)
        .ofMaxSize(60);
  }

  @Property(tries = 600)
  void everyOperationEndsAsWithPlainLists(@ForAll("histories") List<Step> history) {
    run(new Run(false, true), history);
  }

  @Property(tries = 600)
  void localQueuesAreServedByTheirUsage(@ForAll("histories") List<Step> history) {
    run(new Run(true, true), history);
  }

  @Property(tries = 300)
  void preemptorsMayBeRememberedUntilTheyLeave(@ForAll("histories") List<Step> history) {
    run(new Run(false, false), history);
  }

  private static void run(Run run, List<Step> history) {
    for (Step step : history) {
      run.take(step);
      run.compare();
    }
    run.drain();
  }

  /** Both queues and the clock, which advances by a second with every step. */
  private static final class Run {
    private final QueueFixture fixture = new QueueFixture();
    private final Map<String, Double> usages = new HashMap<>();
    private PendingQueue queue;
    private final NaiveQueue naive;
    private final List<PendingWorkload> known = new ArrayList<>();
    private Instant now = NOW;
    private int pushed;

    /** Checks that queues that were copied are as they were. */
    private final List<Runnable> unchanged = new ArrayList<>();

    Run(boolean byUsage, boolean forgetsPreemptors) {
      Settings settings = forgetsPreemptors ? Settings.defaults() : QueueFixture.REMEMBERING;
      naive = new NaiveQueue(forgetsPreemptors);
      LocalQueueUsage usage = localQueue -> usages.getOrDefault(localQueue, 1.0);
      queue = new PendingQueue(settings, byUsage ? usage : null, new Journal());
      if (byUsage) {
        naive.setUsage(usage);
      }
    }

    void take(Step step) {
      now = now.plusSeconds(1);
      switch (step.kind) {
        case PUSH -> {
          PendingWorkload pending = create(step);
          queue.push(pending, now);
          naive.push(pending, now);
        }
        case BRING -> {
          PendingWorkload pending = create(step);
          queue.bring(pending, now);
          naive.active.add(pending);
        }
        case ATTEMPT -> {
          PendingWorkload head = pop();
          if (head != null) {
            requeue(head, step);
          }
        }
        case TAKE -> {
          if (!known.isEmpty()) {
            PendingWorkload some = known.get(step.number % known.size());
            queue.activate(some);
            naive.active.remove(some);
            naive.parked.remove(some);
            requeue(some, step);
          }
        }
        case LEAVE -> {
          if (!known.isEmpty()) {
            PendingWorkload some = known.remove(step.number % known.size());
            queue.leave(some);
            naive.leave(some);
          }
        }
        case EVENT -> {
          queue.requeueParked(namespace -> step.flag || namespace.equals("n0"), now);
          naive.event(namespace -> step.flag || namespace.equals("n0"), now);
        }
        case USAGE -> {
          String localQueue = "n" + step.namespace + "/q" + step.shape % 2;
          usages.put(
              localQueue, step.number == 0 ? Double.POSITIVE_INFINITY : step.number % 4 / 2.0);
          queue.usageChanged(localQueue);
        }
        case STRATEGY -> {
          queue.setStrictFifo(step.flag);
          naive.setStrictFifo(step.flag);
        }
        case COPY -> goOnWithCopy();
      }
    }

    private void goOnWithCopy() {
      PendingQueue original = queue;
      Map<String, Object> content = content(original);
      unchanged.add(() -> assertThat(content(original)).isEqualTo(content));
      queue = original.copy(localQueue -> usages.getOrDefault(localQueue, 1.0), new Journal());
    }

    private static Map<String, Object> content(PendingQueue queue) {
      return Map.of(
          "active", Set.copyOf(queue.active()),
          "parked", Set.copyOf(queue.parked()),
          "head", String.valueOf(queue.head()),
          "events", queue.events());
    }

    private PendingWorkload create(Step step) {
      Workload.Builder workload = workload("w" + pushed++, step.shape)
          .namespace("n" + step.namespace)
          .queueName("q" + step.number % 2);
      Instant backoffEnd = step.flag ? now.plusSeconds(step.number) : Instant.MIN;
      PendingWorkload pending =
          fixture.pending(workload, step.shape % 2, step.number / 4, backoffEnd);
      known.add(pending);
      return pending;
    }

    private void requeue(PendingWorkload workload, Step step) {
      queue.requeue(workload, step.reason, NO_DETAILS, step.flag, now);
      naive.requeue(workload, step.reason, step.flag, now);
    }

    private @Nullable PendingWorkload pop() {
      PendingWorkload head = queue.head();
      assertThat(head).isSameAs(naive.pop());
      return head;
    }

    void compare() {
      assertThat(queue.active()).containsExactlyInAnyOrderElementsOf(naive.active);
      assertThat(queue.parked()).containsExactlyInAnyOrderElementsOf(naive.parked);
      assertThat(queue.active()).hasSize(naive.active.size());
      assertThat(queue.parked()).hasSize(naive.parked.size());
      assertThat(queue.active().stream().sorted(queue.serviceOrder()))
          .containsExactlyElementsOf(naive.inOrder());
      assertThat(known).allMatch(some -> queue.isActive(some) == naive.active.contains(some));
    }

    void drain() {
      unchanged.forEach(Runnable::run);
      for (PendingWorkload head = pop(); head != null; head = pop()) {
        queue.leave(head);
        naive.leave(head);
        compare();
      }
    }
  }
}
