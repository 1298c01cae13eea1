package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.AdmissionResult;
import io.kueue4j.core.Decisions;
import io.kueue4j.core.WorkloadLifecycle;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What the engine knows of jobs, and what it wants of them. */
final class EngineBook {
  private final AdmissionEngine engine;
  private final InstantSource clock;
  private final Map<WorkloadId, JobRecord> records = new HashMap<>();
  private final List<Decisions> changesHeard = new ArrayList<>();
  private final Set<WorkloadId> held = new HashSet<>();
  private final Map<WorkloadId, ImmutableSet<String>> failedNodes = new HashMap<>();

  /** Whether the engine was told something that may let others start. */
  private boolean touched = true;

  EngineBook(AdmissionEngine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /**
   * Tells the engine what has become of a workload. It answers for all workloads: what it says is
   * kept for {@link #takeChanges}.
   */
  void tell(Function<WorkloadLifecycle, Decisions> call) {
    hear(call.apply(engine.lifecycle()));
  }

  /** Keeps decisions for {@link #takeChanges}. */
  void hear(Decisions decisions) {
    if (!decisions.isEmpty()) {
      changesHeard.add(decisions);
    }
  }

  /** {@return what the engine has decided since the last call, besides cycles} */
  ImmutableList<Decisions> takeChanges() {
    hear(engine.takeDecisions());
    ImmutableList<Decisions> taken = ImmutableList.copyOf(changesHeard);
    changesHeard.clear();
    return taken;
  }

  /** What the engine wants of a job. */
  enum Wish {
    /** Not to run, and to hold nothing. */
    WAIT,
    /** To hold quota, but not to run yet. */
    RESERVE,
    /** To run. */
    RUN,
    /** To stop, and to be reported when it has. */
    STOP
  }

  AdmissionEngine engine() {
    return engine;
  }

  Optional<JobRecord> record(WorkloadId id) {
    return Optional.ofNullable(records.get(id));
  }

  /** {@return whether there was news for the engine since the last call} */
  boolean takeTouched() {
    boolean was = touched;
    touched = false;
    return was;
  }

  void touch() {
    touched = true;
  }

  Wish wish(WorkloadId id) {
    WorkloadStatus status = engine.lifecycle().status(id);
    if (status.isTrue(ConditionType.EVICTED) && status.isTrue(ConditionType.QUOTA_RESERVED)) {
      return Wish.STOP;
    }
    if (engine.admission(id).isEmpty()) {
      return Wish.WAIT;
    }
    return status.isTrue(ConditionType.ADMITTED) ? Wish.RUN : Wish.RESERVE;
  }

  WorkloadStatus status(WorkloadId id) {
    return engine.lifecycle().status(id);
  }

  /** {@return what {@link #status} will be once the pods of a workload have stopped} */
  WorkloadStatus statusWhenStopped(WorkloadId id) {
    AdmissionEngine study = engine.view().whatIf(InstantSource.fixed(clock.instant()));
    study.podsStopped(id);
    return study.lifecycle().status(id);
  }

  /** {@return whether the engine has given a workload up} */
  static boolean isDeactivated(WorkloadStatus status) {
    return status
        .condition(ConditionType.EVICTED)
        .filter(WorkloadCondition::isTrue)
        .flatMap(condition -> EvictionReason.named(condition.reason()))
        .filter(reason -> reason == EvictionReason.DEACTIVATED)
        .isPresent();
  }

  /** Queues a workload; {@return why not, if not} */
  Optional<String> submit(JobRecord record, Workload workload, Optional<WorkloadStatus> status) {
    touched = true;
    if (status.isPresent() && restore(record, workload, Optional.empty(), status.get())) {
      return Optional.empty();
    }
    return follow(record, workload, engine.submit(workload));
  }

  /** Replaces a workload that waits; {@return why not, if not} */
  Optional<String> update(JobRecord record, Workload workload) {
    touched = true;
    return follow(record, workload, engine.update(workload));
  }

  private Optional<String> follow(JobRecord record, Workload workload, AdmissionResult result) {
    if (result instanceof AdmissionResult.Rejected rejected) {
      return Optional.of(Joiner.on("; ").join(rejected.reasons()));
    }
    know(record, workload);
    return Optional.empty();
  }

  /**
   * Takes a workload in as it is.
   *
   * @return whether that was possible
   */
  boolean restore(
      JobRecord record, Workload workload, Optional<Admission> admission, WorkloadStatus status) {
    try {
      tell(lifecycle -> lifecycle.restore(workload, admission, status));
    } catch (IllegalArgumentException e) {
      if (admission.isEmpty() || !restore(workload, admission.get())) {
        return false;
      }
    }
    know(record, workload);
    touched = true;
    return true;
  }

  /** What holds quota holds it, even if somebody has spoilt what is said of its past. */
  private boolean restore(Workload workload, Admission admission) {
    try {
      engine.restore(workload, admission);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Tells of a change to a workload that holds quota; {@return whether it can be} */
  @CanIgnoreReturnValue
  boolean changed(JobRecord record, Workload workload) {
    if (engine.update(workload) instanceof AdmissionResult.Rejected) {
      return false;
    }
    know(record, workload);
    touched = true;
    return true;
  }

  private void know(JobRecord record, Workload workload) {
    record.setWorkload(workload);
    records.put(workload.id(), record);
  }

  /** Tells that a workload is over; nothing happens if none is known. */
  void forget(JobRecord record) {
    record.id().ifPresent(id -> {
      engine.delete(id);
      records.remove(id);
      held.remove(id);
      failedNodes.remove(id);
      touched = true;
    });
    record.setWorkload(null);
  }

  boolean isHeld(WorkloadId id) {
    return held.contains(id);
  }

  /** Keeps a workload that holds no quota from being queued, or lets it be. */
  void hold(WorkloadId id, boolean isHeld) {
    if (isHeld ? held.add(id) : held.remove(id)) {
      tell(lifecycle -> lifecycle.setOnHold(id, isHeld));
      touched = true;
    }
  }

  /** Tells where the checks of a workload stand that holds quota; what it knows is no news. */
  void setChecks(WorkloadId id, Iterable<AdmissionCheckState> states) {
    for (AdmissionCheckState state : states) {
      boolean isNews = status(id).admissionChecks().stream()
          .anyMatch(known -> known.name().equals(state.name())
              && (known.state() != state.state() || !known.message().equals(state.message())));
      if (isNews) {
        tell(lifecycle -> lifecycle.setCheck(id, state));
        touched = true;
      }
    }
  }

  /** Tells on which of its nodes the pods of a workload cannot be any more, and on no others. */
  void setFailedNodes(WorkloadId id, ImmutableSet<String> failed) {
    ImmutableSet<String> before = failedNodes.getOrDefault(id, ImmutableSet.of());
    failed.forEach(node -> hear(engine.nodeFailed(id, node)));
    Sets.difference(before, failed).forEach(node -> engine.nodeRecovered(id, node));
    if (failed.isEmpty()) {
      failedNodes.remove(id);
    } else {
      failedNodes.put(id, failed);
    }
    touched |= !before.containsAll(failed);
  }

  /** Tells that the pods of a workload have stopped, if it was told to. */
  void podsStopped(WorkloadId id) {
    hear(engine.podsStopped(id));
    touched = true;
  }
}
