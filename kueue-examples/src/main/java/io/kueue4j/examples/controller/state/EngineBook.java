package io.kueue4j.examples.controller.state;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.WorkloadLifecycle;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * The connection between jobs and the engine: the workloads of jobs, and the states that the engine
 * wants for them.
 */
public final class EngineBook {
  private final AdmissionEngine engine;
  private final InstantSource clock;
  private final Map<WorkloadId, JobRecord> records = new HashMap<>();
  private final List<Decisions> changesHeard = new ArrayList<>();
  private final List<AdmissionResult.Pending> pendingHeard = new ArrayList<>();
  private final Set<WorkloadId> held = new HashSet<>();
  private final Map<WorkloadId, ImmutableSet<String>> failedNodes = new HashMap<>();

  /** Whether the engine has received a change that may let others start. */
  private boolean touched = true;

  public EngineBook(AdmissionEngine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /** {@return the time} */
  public Instant now() {
    return clock.instant();
  }

  /**
   * Passes a change of a workload to the engine. The resulting decisions may concern any workload,
   * and are kept for {@link #takeChanges}.
   */
  public void apply(Function<WorkloadLifecycle, Decisions> call) {
    hear(call.apply(engine.lifecycle()));
  }

  /** Keeps decisions for {@link #takeChanges}. */
  public void hear(Decisions decisions) {
    if (!decisions.isEmpty()) {
      changesHeard.add(decisions);
    }
  }

  /** {@return the decisions of the engine since the last call, except decisions of cycles} */
  public ImmutableList<Decisions> takeChanges() {
    ImmutableList<Decisions> taken = ImmutableList.copyOf(changesHeard);
    changesHeard.clear();
    return taken;
  }

  /** {@return why workloads wait that were queued since the last call} */
  public ImmutableList<AdmissionResult.Pending> takePending() {
    ImmutableList<AdmissionResult.Pending> taken = ImmutableList.copyOf(pendingHeard);
    pendingHeard.clear();
    return taken;
  }

  /** The state that the engine wants for a job. */
  public enum DesiredState {
    /** Does not run, and holds no quota. */
    WAIT,
    /** Holds quota, but does not run yet. */
    RESERVE,
    /** Runs. */
    RUN,
    /** Stops, and is reported when it has stopped. */
    STOP
  }

  public AdmissionEngine engine() {
    return engine;
  }

  public Optional<JobRecord> record(WorkloadId id) {
    return Optional.ofNullable(records.get(id));
  }

  /** {@return whether the engine has received a change since the last call} */
  public boolean takeTouched() {
    boolean was = touched;
    touched = false;
    return was;
  }

  /** {@return whether the engine has received a change that no cycle has seen} */
  public boolean isTouched() {
    return touched;
  }

  public void touch() {
    touched = true;
  }

  public DesiredState desiredState(WorkloadId id) {
    WorkloadStatus status = engine.lifecycle().status(id);
    if (status.isTrue(ConditionType.EVICTED) && status.isTrue(ConditionType.QUOTA_RESERVED)) {
      return DesiredState.STOP;
    }
    if (admission(id).isEmpty()) {
      return DesiredState.WAIT;
    }
    return status.isTrue(ConditionType.ADMITTED) ? DesiredState.RUN : DesiredState.RESERVE;
  }

  /** {@return whether the workload of a job holds quota} */
  public boolean holdsQuota(JobRecord record) {
    return record.id().flatMap(this::admission).isPresent();
  }

  /** {@return what a workload holds, empty if it holds no quota} */
  public Optional<Admission> admission(WorkloadId id) {
    return engine.admission(id);
  }

  /** {@return the start that a workload is promised, empty if there is none} */
  public Optional<Promise> promise(WorkloadId id) {
    return engine.lifecycle().promise(id);
  }

  /** The promised start of a workload has changed. */
  public void promised(PromiseChange change) {
    record(change.workload()).ifPresent(record -> record.setPromiseChange(change));
  }

  /**
   * Restores what a waiting workload was promised.
   *
   * @throws IllegalArgumentException if that cannot be
   */
  public void restore(Promise promise) {
    engine.lifecycle().restore(promise);
    touched = true;
  }

  /** The admission of a workload is stored in the cluster. */
  public void admissionRecorded(WorkloadId id) {
    engine.lifecycle().admissionRecorded(id);
  }

  public WorkloadStatus status(WorkloadId id) {
    return engine.lifecycle().status(id);
  }

  /** {@return the numbers of pods of a workload that have ended, by pod set, as reported last} */
  public SortedMap<String, Integer> reclaimablePods(WorkloadId id) {
    return status(id).reclaimablePods();
  }

  /**
   * Reports how many pods of a workload have ended.
   *
   * @return whether that is possible
   */
  @CanIgnoreReturnValue
  public boolean reclaim(WorkloadId id, SortedMap<String, Integer> pods) {
    if (reclaimablePods(id).equals(pods)) {
      return true;
    }
    touched = true;
    Decisions decided = engine.lifecycle().setReclaimablePods(id, pods);
    hear(decided);
    return !(decided.result() instanceof AdmissionResult.Rejected);
  }

  /** {@return the value of {@link #status} after the pods of a workload have stopped} */
  public WorkloadStatus statusWhenStopped(WorkloadId id) {
    AdmissionEngine study = engine.view().whatIf(InstantSource.fixed(now()));
    study.podsStopped(id);
    return study.lifecycle().status(id);
  }

  /** {@return whether the engine has deactivated the workload} */
  public static boolean isDeactivated(WorkloadStatus status) {
    return status
        .condition(ConditionType.EVICTED)
        .filter(WorkloadCondition::isTrue)
        .flatMap(condition -> EvictionReason.named(condition.reason()))
        .filter(reason -> reason == EvictionReason.DEACTIVATED)
        .isPresent();
  }

  /**
   * Queues a workload, instead of the present one of its job.
   *
   * @return why that failed, empty on success
   */
  public Optional<String> submit(
      JobRecord record, Workload workload, Optional<WorkloadStatus> status) {
    forget(record);
    touched = true;
    if (status.isPresent() && restore(record, workload, Optional.empty(), status.get())) {
      return Optional.empty();
    }
    return follow(record, workload, engine.submit(workload));
  }

  /**
   * Replaces a pending workload.
   *
   * @return why that failed, empty on success
   */
  public Optional<String> update(JobRecord record, Workload workload) {
    touched = true;
    // The numbers of before need not fit into the pod sets of now.
    reclaim(workload.id(), ImmutableSortedMap.of());
    return follow(record, workload, engine.update(workload));
  }

  private Optional<String> follow(JobRecord record, Workload workload, Decisions decided) {
    Optional<String> rejection = follow(decided);
    if (rejection.isEmpty()) {
      know(record, workload);
    }
    return rejection;
  }

  /** {@return why the engine has rejected the workload, empty if it has not} */
  private Optional<String> follow(Decisions decided) {
    hear(decided);
    AdmissionResult result = decided.result();
    if (result instanceof AdmissionResult.Pending pending) {
      pendingHeard.add(pending);
    }
    return result instanceof AdmissionResult.Rejected rejected
        ? Optional.of(Joiner.on("; ").join(rejected.reasons()))
        : Optional.empty();
  }

  /**
   * Restores a workload with its status.
   *
   * @return whether that was possible
   */
  public boolean restore(
      JobRecord record, Workload workload, Optional<Admission> admission, WorkloadStatus status) {
    try {
      apply(lifecycle -> lifecycle.restore(workload, admission, status));
    } catch (IllegalArgumentException e) {
      if (admission.isEmpty() || !restore(workload, admission.get())) {
        return false;
      }
    }
    know(record, workload);
    if (isOnHold(engine.lifecycle().status(workload.id()))) {
      held.add(workload.id());
    }
    touched = true;
    return true;
  }

  /** Falls back to restoring the admission alone if the status is corrupt. */
  private boolean restore(Workload workload, Admission admission) {
    try {
      apply(lifecycle -> lifecycle.restore(workload, admission));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Passes a change of a workload with quota to the engine.
   *
   * @return whether the change is possible
   */
  @CanIgnoreReturnValue
  public boolean changed(JobRecord record, Workload workload) {
    boolean isPossible = follow(record, workload, engine.update(workload)).isEmpty();
    touched |= isPossible;
    return isPossible;
  }

  /**
   * Queues an elastic slice that is to replace the workload of a job, or changes it while it waits.
   *
   * @return why that failed, empty on success
   */
  public Optional<String> grow(JobRecord record, Workload slice) {
    if (record.growth().equals(Optional.of(slice))) {
      return Optional.empty();
    }
    touched = true;
    Optional<String> rejection =
        follow(record.growth().isPresent() ? engine.update(slice) : engine.submit(slice));
    if (rejection.isPresent()) {
      forgetGrowth(record);
      return rejection;
    }
    record.setGrowth(slice);
    records.put(slice.id(), record);
    return Optional.empty();
  }

  /** Removes the elastic slice of a job that waits; has no effect if there is none. */
  public void forgetGrowth(JobRecord record) {
    record.growth().ifPresent(slice -> {
      engine.delete(slice.id());
      records.remove(slice.id());
      touched = true;
    });
    record.setGrowth(null);
  }

  /** An elastic slice has left the engine, because another one of its job continues. */
  public void finished(FinishedSlice slice) {
    JobRecord record = records.get(slice.workload());
    if (record == null) {
      return;
    }
    remove(slice.workload());
    if (record.growth().map(Workload::id).equals(Optional.of(slice.successor()))) {
      record.grown();
    } else {
      // It is submitted again if the job still has to grow.
      record.setGrowth(null);
    }
  }

  private void know(JobRecord record, Workload workload) {
    record.setWorkload(workload);
    records.put(workload.id(), record);
  }

  /** Passes the workload of a job, with what it holds, to another record. */
  public void pass(JobRecord from, JobRecord to) {
    forgetGrowth(from);
    from.workload().ifPresent(workload -> know(to, workload));
    from.setWorkload(null);
  }

  /** Removes a workload that has finished from the engine; has no effect if it is unknown. */
  public void finish(JobRecord record) {
    record.id().ifPresent(engine::finish);
    forget(record);
  }

  /** Removes a workload from the engine; has no effect if it is unknown. */
  public void forget(JobRecord record) {
    forgetGrowth(record);
    record.forgetReplaced();
    record.id().ifPresent(id -> {
      engine.delete(id);
      remove(id);
      touched = true;
    });
    record.setWorkload(null);
  }

  private void remove(WorkloadId id) {
    records.remove(id);
    held.remove(id);
    failedNodes.remove(id);
  }

  /** {@return whether a workload is held back from its queue, maybe since an earlier term} */
  public boolean isHeld(WorkloadId id) {
    return held.contains(id);
  }

  private static boolean isOnHold(WorkloadStatus status) {
    return status
        .condition(ConditionType.QUOTA_RESERVED)
        .filter(condition ->
            !condition.isTrue() && condition.reason().equals(PendingCause.ON_HOLD.toString()))
        .isPresent();
  }

  /** Holds a workload without quota back from its queue, or stops holding it back. */
  public void hold(WorkloadId id, boolean isHeld) {
    if (isHeld ? held.add(id) : held.remove(id)) {
      apply(lifecycle -> lifecycle.setOnHold(id, isHeld));
      touched = true;
    }
  }

  /**
   * Passes the states of the checks of a workload that holds quota to the engine, until one of them
   * evicts the workload, which outdates the others; repeated states have no effect, unless they
   * evict the workload.
   */
  public void setChecks(WorkloadId id, Iterable<AdmissionCheckState> states) {
    for (AdmissionCheckState state : states) {
      if (desiredState(id) == DesiredState.STOP) {
        return;
      }
      boolean isNews = status(id).admissionChecks().stream()
          .anyMatch(known -> known.name().equals(state.name())
              && (known.state() != state.state()
                  || !known.message().equals(state.message())
                  || !known.podSetUpdates().equals(state.podSetUpdates())));
      // The state may have been restored by a controller before it could act on it.
      boolean isToBeStopped =
          state.state() == CheckState.RETRY || state.state() == CheckState.REJECTED;
      if (isNews || isToBeStopped) {
        apply(lifecycle -> lifecycle.setCheck(id, state));
        touched = true;
      }
    }
  }

  /** Passes the failed nodes of a workload to the engine; all its other nodes are healthy. */
  public void setFailedNodes(WorkloadId id, ImmutableSet<String> failed) {
    ImmutableSet<String> before = failedNodes.getOrDefault(id, ImmutableSet.of());
    failed.forEach(node -> hear(engine.lifecycle().nodeFailed(id, node)));
    Sets.difference(before, failed).forEach(node -> engine.lifecycle().nodeRecovered(id, node));
    if (failed.isEmpty()) {
      failedNodes.remove(id);
    } else {
      failedNodes.put(id, failed);
    }
    touched |= !before.containsAll(failed);
  }

  /** Reports that the pods of a workload have stopped, if it was evicted. */
  public void podsStopped(WorkloadId id) {
    hear(engine.podsStopped(id));
    touched = true;
  }
}
