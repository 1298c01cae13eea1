package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.lifecycle.LifecycleState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadValidator;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Takes workloads in to which something had happened before the engine existed.
 *
 * <p>Rules: Q-14, E-8.
 */
final class Restorations {
  private final EngineState state;
  private final Lifecycles lifecycles;
  private final WorkloadSlices slices;

  Restorations(EngineState state) {
    this.state = state;
    this.lifecycles = state.lifecycles();
    this.slices = new WorkloadSlices(state);
  }

  /** Takes a workload in that was admitted. */
  WorkloadRecord restore(Workload workload, Admission admission, Instant now) {
    WorkloadRecord record = admitted(workload, admission, now);
    new StopPolicies(state).follow(record, now);
    slices.settle(record, now);
    return record;
  }

  /** Takes a workload in that was admitted, and told to stop for another one. */
  WorkloadRecord restore(
      Workload workload, Admission admission, PreemptedCondition preempted, Instant now) {
    WorkloadRecord record = admitted(workload, admission, now);
    lifecycles.preempt(record, preempted, null);
    slices.settle(record, now);
    return record;
  }

  private WorkloadRecord admitted(Workload workload, Admission admission, Instant now) {
    WorkloadRecord record = reserve(workload, admission, now);
    lifecycles.restored(record, Objects.requireNonNull(record.reservation));
    return record;
  }

  /** Takes a workload in, as the status says. */
  WorkloadRecord restore(
      Workload workload, Optional<Admission> admission, WorkloadStatus status, Instant now) {
    LifecycleState lifecycle = LifecycleState.of(status);
    boolean isReserved = status.isTrue(ConditionType.QUOTA_RESERVED);
    // What was deactivated holds no quota any more while it stops.
    checkArgument(
        admission.isPresent() == isReserved || (admission.isEmpty() && lifecycle.isStopping()),
        "workload %s comes with %s, expected an admission if and only if its status says that quota"
            + " is reserved: %s",
        workload.id(),
        admission.isPresent() ? "an admission" : "no admission",
        status.conditions());
    WorkloadRecord record = admission.isPresent()
        ? holding(workload, admission.get(), status, now)
        : waiting(workload, status, now);
    slices.settle(record, now);
    return record;
  }

  private WorkloadRecord holding(
      Workload workload, Admission admission, WorkloadStatus status, Instant now) {
    WorkloadRecord record = reserve(workload, admission, now);
    LifecycleState lifecycle = LifecycleState.of(status);
    // As it was, so that nobody is told what the status says already.
    lifecycles.books().set(record, lifecycle);
    if (lifecycle.isStopping()) {
      state.reservations().evict(record, PreemptedBy.condition(status), null);
    } else {
      lifecycles.synchroniseChecks(record, now);
      new StopPolicies(state).follow(record, now);
    }
    return record;
  }

  private WorkloadRecord waiting(Workload workload, WorkloadStatus status, Instant now) {
    checkNew(workload);
    state.deliverEvents(now);
    WorkloadRecord record = state.newRecord(workload, now);
    record.setLifecycle(LifecycleState.of(status).at(now));
    record.setPreempted(PreemptedBy.condition(status), null);
    state.enqueue(record, now);
    state.add(record);
    lifecycles.synchroniseChecks(record, now);
    lifecycles.reviewRequeued(record, now);
    return record;
  }

  private void checkNew(Workload workload) {
    checkArgument(
        state.record(workload.id()) == null, "workload %s is known already", workload.id());
    ImmutableList<Violation> violations = WorkloadValidator.validate(workload);
    checkArgument(violations.isEmpty(), "%s", Joiner.on('\n').join(violations));
  }

  private WorkloadRecord reserve(Workload workload, Admission admission, Instant now) {
    checkArgument(
        state.record(workload.id()) == null, "workload %s is known already", workload.id());
    checkArgument(
        admission.workload().equals(workload.id()),
        "the admission is of workload %s, expected %s",
        admission.workload(),
        workload.id());
    checkNew(workload);
    ReservedWorkloads.checkAssignments(workload, admission);
    HeldSlices.checkFree(state, workload, admission);
    QueueState queue = state
        .queue(admission.clusterQueue())
        .orElseThrow(() -> new IllegalArgumentException(
            "workload " + workload.id() + " was admitted by ClusterQueue "
                + admission.clusterQueue() + ", which does not exist; apply it first"));
    state.fairness().sampleUntil(now);
    WorkloadRecord record = state.newRecord(workload, now);
    state.reservations().reserve(record, queue, admission);
    state.add(record);
    return record;
  }
}
