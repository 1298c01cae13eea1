package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.PreemptedBy;
import io.kueue4j.core.decision.PreemptionConflict;
import io.kueue4j.core.decision.StatusChange;
import io.kueue4j.core.decision.WorkloadRemoved;
import io.kueue4j.core.internal.cycle.SchedulingCycle.Tried;
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
 * What the listener of an engine is to be told as soon as the call is done that changes the engine.
 * Of a workload that tries several flavors at a time it is told, not of each attempt. Not safe for
 * several threads.
 */
public final class EventQueue {
  private final QueueStore queues;
  private final WorkloadStore workloads;

  /** What follows from calls that are done. */
  private final Queue<Runnable> untold = new ArrayDeque<>();

  /** What follows from the call that is being made, if it succeeds. */
  private final List<Runnable> noted = new ArrayList<>();

  /** What the call that is being made has decided. */
  private final List<Decision> decided = new ArrayList<>();

  private @Nullable EngineListener listener;
  private Consumer<? super Throwable> onFailure = failure -> {};
  private Consumer<? super RuntimeException> onJitterFailure = failure -> {};
  private boolean quiet;
  private boolean telling;

  EventQueue(QueueStore queues, WorkloadStore workloads) {
    this.queues = queues;
    this.workloads = workloads;
  }

  /** Sets the listener, and what receives everything it throws. */
  public void setListener(EngineListener told, Consumer<? super Throwable> toldOfFailures) {
    listener = told;
    onFailure = toldOfFailures;
  }

  /** Sets what receives failures of the jitter of backoffs. */
  public void setJitterFailureHandler(Consumer<? super RuntimeException> handler) {
    onJitterFailure = handler;
  }

  /** Takes a step of which nobody is to be told, as it happened elsewhere before. */
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
      note(told -> told.statusChanged(change));
    }
  }

  /** Notes a decision of the call that is being made. */
  void decided(Decision decision) {
    if (listener != null) {
      decided.add(decision);
    }
  }

  void departed(WorkloadRecord record, WorkloadRemoved.Reason reason, Instant now) {
    if (listener != null && !record.isVariant()) {
      WorkloadRemoved departure = new WorkloadRemoved(
          record.workload(),
          workloads.clusterQueueOf(record),
          record.lifecycle().toStatus(),
          reason,
          now);
      note(told -> told.departed(departure));
    }
  }

  /** Looks in what a cycle tried for workloads whose preemptions got into each other's way. */
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
      note(told -> told.preemptionsConflicted(conflicts));
    }
  }

  /** Notes that the jitter of a backoff failed. */
  public void jitterFailed(RuntimeException failure) {
    noted.add(() -> UserCode.run(() -> onJitterFailure.accept(failure), dropped -> {}));
  }

  private void note(Consumer<EngineListener> event) {
    EngineListener told = listener;
    if (told != null) {
      noted.add(() -> UserCode.run(() -> event.accept(told), onFailure));
    }
  }

  /** Forgets what was noted by a call that failed, which did not happen. */
  public void abandon() {
    noted.clear();
    decided.clear();
  }

  /** Keeps the events of a call that is done; they are reported next. */
  public void commit() {
    if (!decided.isEmpty()) {
      Decisions decisions = Decisions.of(decided);
      decided.clear();
      note(receiver -> receiver.decided(decisions));
    }
    if (!noted.isEmpty()) {
      untold.addAll(noted);
      noted.clear();
    }
  }

  /**
   * Tells everything, and what follows from what the listener does; when a listener that is being
   * told calls the engine, it is told of that when it has returned.
   */
  public void tell() {
    if (telling || untold.isEmpty()) {
      return;
    }
    telling = true;
    try {
      for (Runnable next = untold.poll(); next != null; next = untold.poll()) {
        next.run();
      }
    } finally {
      telling = false;
    }
  }
}
