package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.SchedulingCycle.Tried;
import io.kueue4j.core.lifecycle.LifecycleState;
import java.time.Instant;
import java.util.ArrayDeque;
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
final class Announcements {
  private final EngineState state;
  private final Queue<Consumer<EngineListener>> untold = new ArrayDeque<>();
  private @Nullable EngineListener listener;
  private Consumer<? super RuntimeException> onFailure = failure -> {};
  private boolean quiet;
  private boolean telling;

  Announcements(EngineState state) {
    this.state = state;
  }

  /** Sets who is told, and who of what it throws. */
  void setListener(EngineListener told, Consumer<? super RuntimeException> toldOfFailures) {
    listener = told;
    onFailure = toldOfFailures;
  }

  /** Takes a step of which nobody is to be told, as it happened elsewhere before. */
  void quietly(Runnable step) {
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
      Optional<String> clusterQueue = Admissions.clusterQueue(state, record);
      StatusChange change = new StatusChange(
          record.workload(),
          record.submitted(),
          clusterQueue,
          clusterQueue
              .flatMap(state::queue)
              .map(queue -> queue.quota().cohortsAbove())
              .orElse(ImmutableList.of()),
          before.toStatus(),
          after.toStatus(),
          Optional.ofNullable(preemptedBy));
      untold.add(told -> told.statusChanged(change));
    }
  }

  void departed(WorkloadRecord record, Departure.Reason reason, Instant now) {
    if (listener != null && !record.isVariant()) {
      Departure departure = new Departure(
          record.workload(),
          Admissions.clusterQueue(state, record),
          record.lifecycle().toStatus(),
          reason,
          now);
      untold.add(told -> told.departed(departure));
    }
  }

  /** Looks in what a cycle tried for workloads whose preemptions got into each other's way. */
  void tried(List<Tried> attempts) {
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
      untold.add(told -> told.preemptionsConflicted(conflicts));
    }
  }

  /**
   * Tells everything, and what follows from what the listener does; when a listener that is being
   * told calls the engine, it is told of that when it has returned.
   */
  void tell() {
    EngineListener told = listener;
    if (told == null || telling) {
      return;
    }
    telling = true;
    try {
      for (Consumer<EngineListener> next = untold.poll(); next != null; next = untold.poll()) {
        tell(told, next);
      }
    } finally {
      telling = false;
    }
  }

  private void tell(EngineListener told, Consumer<EngineListener> what) {
    try {
      what.accept(told);
    } catch (RuntimeException failure) {
      onFailure.accept(failure);
    }
  }
}
