package io.kueue4j.examples.controller;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.job.WorkList;
import io.kueue4j.examples.controller.state.DecisionLog;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.PendingEvents;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.time.Instant;
import java.util.Optional;

/** Lets the engine decide, and marks the jobs that its decisions concern as due. */
final class EngineDecisions {
  private static final int MAX_CYCLES = 1000;

  private final EngineBook book;
  private final WorkList work;
  private final PendingEvents pendingEvents;
  private final Optional<KueueMetrics> metrics;
  private final DecisionLog log;

  private Optional<Instant> nextTick = Optional.empty();

  EngineDecisions(
      EngineBook book, WorkList work, PendingEvents pendingEvents, Optional<KueueMetrics> metrics) {
    this.book = book;
    this.work = work;
    this.pendingEvents = pendingEvents;
    this.metrics = metrics;
    log = new DecisionLog(book);
  }

  /** {@return when the engine has something to do without any change, empty if never} */
  Optional<Instant> nextTick() {
    return nextTick;
  }

  /** Counts the promises that were restored from the cluster. */
  void promisesRestored() {
    metrics.ifPresent(counts -> book.engine().promises().forEach(counts::promiseRestored));
  }

  /**
   * Runs cycles until a further one would decide the same, if anything has changed or is due.
   *
   * @return whether any was run
   */
  boolean decide(boolean isDue) {
    AdmissionEngine engine = book.engine();
    follow(engine.tick());
    boolean isToRun = book.takeTouched() || isDue;
    if (isToRun
        && engine.runUntilStable(MAX_CYCLES, this::runCycle).end() == StableRun.End.LIMIT_REACHED) {
      book.touch();
    }
    nextTick = engine.nextTick();
    return isToRun;
  }

  private Decisions runCycle() {
    AdmissionEngine engine = book.engine();
    Decisions decided =
        metrics.isPresent() ? metrics.get().attempt(engine::runCycle) : engine.runCycle();
    follow(decided);
    pendingEvents.hear(decided.pending());
    return decided;
  }

  /** Follows the decisions that were made outside of cycles. */
  void followChanges() {
    book.takeChanges().forEach(this::follow);
    pendingEvents.hear(book.takePending());
  }

  /** Records why jobs wait. */
  void report() {
    pendingEvents.report(work.isEmpty());
  }

  private void follow(Decisions decided) {
    log.log(decided);
    decided.evicted().forEach(eviction -> wake(eviction.workload()));
    decided.preempted().forEach(victim -> wake(victim.workload()));
    decided.suspended().forEach(this::wake);
    decided.finishedSlices().forEach(slice -> {
      wake(slice.workload());
      book.finished(slice);
    });
    decided.admitted().forEach(this::wake);
    pendingEvents.forget(decided.admitted());
    decided.reserved().forEach(this::wake);
    decided.promiseChanges().forEach(change -> {
      book.promised(change);
      wake(change.workload());
    });
    decided.replaced().forEach(this::wake);
    decided.pending().forEach(pending -> book.record(pending.workload()).ifPresent(this::waitOn));
  }

  /** Of a job that waited before, only what it waits for may have changed. */
  private void waitOn(JobRecord record) {
    if (record.state() == JobState.PENDING) {
      work.addBehind(record.key());
    } else {
      work.addDecided(record.key());
    }
  }

  private void wake(Admission admission) {
    wake(admission.workload());
  }

  private void wake(WorkloadId id) {
    book.record(id).ifPresent(record -> work.addDecided(record.key()));
  }
}
