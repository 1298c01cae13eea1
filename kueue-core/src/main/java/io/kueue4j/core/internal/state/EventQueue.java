package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict;
import io.kueue4j.core.decision.EngineListener.StatusChange;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.support.UserCode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the decisions and the events of a call, and delivers them to the listener of the engine
 * after the call has completed. Events of variants are reported for their submitted workload, not
 * per variant. Not thread-safe.
 */
public final class EventQueue {
  private final QueueStore queues;
  private final WorkloadStore workloads;

  /** Events of completed calls. */
  private final Queue<Runnable> undelivered = new ArrayDeque<>();

  /** Events of the current call, discarded if it fails. */
  private final List<Runnable> noted = new ArrayList<>();

  /** The decisions of the current call, in order. */
  private final List<Decision> decided = new ArrayList<>();

  private @Nullable EngineListener listener;
  private Consumer<? super Throwable> onFailure = failure -> {};
  private Consumer<? super RuntimeException> onJitterFailure = failure -> {};
  private boolean quiet;
  private boolean isDelivering;

  EventQueue(QueueStore queues, WorkloadStore workloads) {
    this.queues = queues;
    this.workloads = workloads;
  }

  /** Sets the listener, and the handler of everything that it throws. */
  public void setListener(EngineListener receiver, Consumer<? super Throwable> toldOfFailures) {
    listener = receiver;
    onFailure = toldOfFailures;
  }

  /** Sets the handler of failures of the backoff jitter. */
  public void setJitterFailureHandler(Consumer<? super RuntimeException> handler) {
    onJitterFailure = handler;
  }

  /** Runs a step without events, because it restores earlier changes. */
  public void quietly(Runnable step) {
    quiet = true;
    try {
      step.run();
    } finally {
      quiet = false;
    }
  }

  void changed(
      WorkloadRecord record,
      LifecycleState before,
      LifecycleState after,
      @Nullable PreemptedBy preemptedBy) {
    if (listener != null && !quiet && !record.isVariant()) {
      Optional<String> clusterQueue = workloads.clusterQueueOf(record);
      StatusChange change = new StatusChange(
          record.workload(),
          record.submitted(),
          clusterQueue,
          clusterQueue
              .flatMap(queues::get)
              .map(queue -> queue.quota().cohortsAbove())
              .orElse(ImmutableList.of()),
          before.toStatus(),
          after.toStatus(),
          Optional.ofNullable(preemptedBy));
      note(receiver -> receiver.statusChanged(change));
    }
  }

  /**
   * Adds a decision of the current call, unless it repeats the last one, or the decision about a
   * parent covers it.
   */
  public void decided(Decision decision) {
    if (!VariantNames.isVariant(decision.workload())
        && !decision.equals(Iterables.getLast(decided, null))) {
      decided.add(decision);
    }
  }

  /** {@return the decisions of the current call, which ends with them} */
  public Decisions takeDecisions() {
    if (decided.isEmpty()) {
      return Decisions.none();
    }
    Decisions taken = Decisions.of(decided);
    decided.clear();
    note(receiver -> receiver.decided(taken));
    return taken;
  }

  /** {@return whether there are decisions that the current call has not taken} */
  public boolean hasDecisions() {
    return !decided.isEmpty();
  }

  void departed(WorkloadRecord record, WorkloadRemoved.Reason reason, Instant now) {
    if (listener != null && !record.isVariant()) {
      WorkloadRemoved departure = new WorkloadRemoved(
          record.workload(),
          workloads.clusterQueueOf(record),
          record.lifecycle().toStatus(),
          reason,
          now);
      note(receiver -> receiver.departed(departure));
    }
  }

  /** Records the conflicts among the preemptions of a cycle. */
  public void tried(List<Tried> attempts) {
    if (listener == null) {
      return;
    }
    ImmutableList<PreemptionConflict> conflicts = attempts.stream()
        .filter(tried ->
            tried.attempt().isPreemptionSkipped() || tried.attempt().recomputation() != null)
        .map(tried -> new PreemptionConflict(
            VariantNames.submitted(tried.head().compiled().source().id()),
            tried.head().queue().name(),
            tried.attempt().isPreemptionSkipped(),
            Optional.ofNullable(tried.attempt().recomputation())))
        .collect(toImmutableList());
    if (!conflicts.isEmpty()) {
      note(receiver -> receiver.preemptionsConflicted(conflicts));
    }
  }

  /** Records that the jitter of a backoff failed. */
  public void jitterFailed(RuntimeException failure) {
    noted.add(() -> UserCode.run(() -> onJitterFailure.accept(failure), dropped -> {}));
  }

  private void note(Consumer<EngineListener> event) {
    EngineListener receiver = listener;
    if (receiver != null) {
      noted.add(() -> UserCode.run(() -> event.accept(receiver), onFailure));
    }
  }

  /** Discards the events of a failed call. */
  public void abandon() {
    noted.clear();
    decided.clear();
  }

  /** Queues the events of a completed call for delivery. */
  public void commit() {
    undelivered.addAll(noted);
    noted.clear();
  }

  /**
   * Delivers all queued events, including those caused by calls of the listener. Events of calls
   * that the listener makes are delivered after it has returned.
   */
  public void deliver() {
    if (isDelivering || undelivered.isEmpty()) {
      return;
    }
    isDelivering = true;
    try {
      for (Runnable next = undelivered.poll(); next != null; next = undelivered.poll()) {
        next.run();
      }
    } finally {
      isDelivering = false;
    }
  }
}
