package io.kueue4j.examples.controller;

import com.google.common.collect.Iterables;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.StableRun;
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

  private Instant nextTick = Instant.MAX;

  EngineDecisions(
      EngineBook book, WorkList work, PendingEvents pendingEvents, Optional<KueueMetrics> metrics) {
    this.book = book;
    this.work = work;
    this.pendingEvents = pendingEvents;
    this.metrics = metrics;
    log = new DecisionLog(book);
  }

  /** {@return when the engine has something to do without any change, the end of time if never} */
  Instant nextTick() {
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
    boolean isToRun = book.isTouched() || isDue;
    book.setTouched(false);
    if (isToRun
        && engine.runUntilStable(MAX_CYCLES, this::runCycle).end() == StableRun.End.LIMIT_REACHED) {
      book.setTouched(true);
    }
    nextTick = engine.nextTick().orElse(Instant.MAX);
    return isToRun;
  }

  private Decisions runCycle() {
    AdmissionEngine engine = book.engine();
    Decisions decided =
        metrics.isPresent() ? metrics.get().attempt(engine::runCycle) : engine.runCycle();
    follow(decided);
    return decided;
  }

  /** Follows the decisions that were made outside of cycles. */
  void followChanges() {
    book.takeChanges().forEach(this::follow);
  }

  /** Records why jobs wait. */
  void report() {
    pendingEvents.report(work.isEmpty());
  }

  private void follow(Decisions decided) {
    log.log(decided);
    decided.mustStop().forEach(this::wake);
    decided.finishedSlices().forEach(slice -> {
      wake(slice.workload());
      book.finished(slice);
    });
    pendingEvents.forget(decided.admitted());
    Iterables.concat(decided.admitted(), decided.reserved(), decided.replaced())
        .forEach(admission -> wake(admission.workload()));
    decided.promiseChanges().forEach(change -> {
      book.record(change.workload()).ifPresent(record -> record.setPromiseChange(change));
      wake(change.workload());
    });
    pendingEvents.hear(decided.pending());
    decided.pending().forEach(pending -> book.record(pending.workload()).ifPresent(this::waitOn));
  }

  /** Of a job that waited before, only what it waits for may have changed. */
  private void waitOn(JobRecord record) {
    if (record.state() == JobState.PENDING) {
      work.behind().add(record.key());
    } else {
      work.decided().add(record.key());
    }
  }

  private void wake(WorkloadId id) {
    book.record(id).ifPresent(record -> work.decided().add(record.key()));
  }
}
