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
import io.kueue4j.core.decision.Decisions;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
   * Passes a change of a workload to the engine that may let others start. The resulting decisions
   * may concern any workload, and are kept for {@link #takeChanges}.
   */
  public void apply(Function<WorkloadLifecycle, Decisions> call) {
    hear(call.apply(engine.lifecycle()));
    touched = true;
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

  /** {@return whether the engine has received a change that no cycle has seen} */
  public boolean isTouched() {
    return touched;
  }

  public void setTouched(boolean isTouched) {
    touched = isTouched;
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
    return reclaimablePods(id).equals(pods)
        || follow(engine.lifecycle().setReclaimablePods(id, pods)).isEmpty();
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
        .equals(Optional.of(EvictionReason.DEACTIVATED));
  }

  /**
   * Queues a workload, instead of the present one of its job.
   *
   * @return why that failed, empty on success
   */
  public Optional<String> submit(
      JobRecord record, Workload workload, Optional<WorkloadStatus> status) {
    forget(record);
    return status.isPresent() && restore(record, workload, Optional.empty(), status.get())
        ? Optional.empty()
        : follow(record, workload, engine.submit(workload));
  }

  /**
   * Replaces the workload of a job by another version of it.
   *
   * @return why that failed, empty on success
   */
  public Optional<String> update(JobRecord record, Workload workload) {
    if (admission(workload.id()).isEmpty()) {
      // The numbers of before need not fit into the pod sets of now.
      reclaim(workload.id(), ImmutableSortedMap.of());
    }
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
    touched = true;
    hear(decided);
    if (decided.result() instanceof AdmissionResult.Pending pending) {
      hear(Decisions.of(ImmutableList.of(pending)));
    }
    return decided.result() instanceof AdmissionResult.Rejected rejected
        ? Optional.of(Joiner.on("; ").join(rejected.reasons()))
        : Optional.empty();
  }

  /**
   * Restores a workload with its status; if that is corrupt, with its admission alone.
   *
   * @return whether that was possible
   */
  public boolean restore(
      JobRecord record, Workload workload, Optional<Admission> admission, WorkloadStatus status) {
    boolean isRestored = restore(lifecycle -> lifecycle.restore(workload, admission, status))
        || (admission.isPresent()
            && restore(lifecycle -> lifecycle.restore(workload, admission.get())));
    if (isRestored) {
      know(record, workload);
    }
    return isRestored;
  }

  private boolean restore(Function<WorkloadLifecycle, Decisions> call) {
    try {
      apply(call);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
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
    Optional<String> rejection =
        follow(record.growth().isPresent() ? engine.update(slice) : engine.submit(slice));
    if (rejection.isPresent()) {
      forgetGrowth(record);
    } else {
      record.setGrowth(slice);
      records.put(slice.id(), record);
    }
    return rejection;
  }

  /** Removes the elastic slice of a job that waits; has no effect if there is none. */
  public void forgetGrowth(JobRecord record) {
    record.growth().map(Workload::id).ifPresent(this::delete);
    record.setGrowth(null);
  }

  /** An elastic slice has left the engine, because another one of its job continues. */
  public void finished(FinishedSlice slice) {
    JobRecord record = records.remove(slice.workload());
    if (record == null) {
      return;
    }
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
    record.id().ifPresent(this::delete);
    record.setWorkload(null);
  }

  private void delete(WorkloadId id) {
    engine.delete(id);
    records.remove(id);
    touched = true;
  }

  private boolean isOnHold(WorkloadId id) {
    return status(id)
        .condition(ConditionType.QUOTA_RESERVED)
        .filter(condition ->
            !condition.isTrue() && condition.reason().equals(PendingCause.ON_HOLD.toString()))
        .isPresent();
  }

  /** Holds a workload without quota back from its queue, or stops holding it back. */
  public void hold(WorkloadId id, boolean isHeld) {
    if (isOnHold(id) != isHeld) {
      apply(lifecycle -> lifecycle.setOnHold(id, isHeld));
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
      }
    }
  }

  /** Passes to the engine whether all pods of a workload are ready. */
  public void setPodsReady(WorkloadId id, boolean areReady) {
    boolean wereReady = status(id).isTrue(ConditionType.PODS_READY);
    hear(engine.lifecycle().setPodsReady(id, areReady));
    // It is repeated whenever the job is looked at.
    touched |= status(id).isTrue(ConditionType.PODS_READY) != wereReady;
  }

  /** Passes the failed nodes of a workload to the engine; all its other nodes are healthy. */
  public void setFailedNodes(WorkloadId id, ImmutableSet<String> failed) {
    ImmutableSet<String> before = ImmutableSet.copyOf(status(id).unhealthyNodes());
    Sets.difference(failed, before)
        .forEach(node -> apply(lifecycle -> lifecycle.nodeFailed(id, node)));
    Sets.difference(before, failed)
        .forEach(node -> apply(lifecycle -> lifecycle.nodeRecovered(id, node)));
  }

  /** Reports that the pods of a workload have stopped, if it was evicted. */
  public void podsStopped(WorkloadId id) {
    hear(engine.podsStopped(id));
    touched = true;
  }
}
