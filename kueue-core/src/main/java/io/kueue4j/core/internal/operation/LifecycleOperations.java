package io.kueue4j.core.internal.operation;

import static com.google.common.collect.ImmutableMultiset.toImmutableMultiset;

import com.google.common.collect.ImmutableMultiset;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.life.VariantSettlement;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The calls of {@link io.kueue4j.core.WorkloadLifecycle}. Each finds the workload or throws, and
 * then commits a transition of it and its variants, settles the consequences for other workloads,
 * and returns the decisions. Not thread-safe.
 */
public final class LifecycleOperations {
  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final VariantSettlement settlement;
  private final WorkloadOperations admissions;

  LifecycleOperations(EngineParts parts, WorkloadOperations admissions) {
    this.state = parts.state;
    this.lifecycles = parts.lifecycles;
    this.settlement = parts.settlement;
    this.admissions = admissions;
  }

  /** Commits {@code transitions}, which have been validated, and what follows from them. */
  private Decisions commit(Instant now, Runnable transitions) {
    state.deliverEvents(now);
    transitions.run();
    settlement.settle(now);
    return state.decisions().takeAll();
  }

  private Decisions commitWithVariants(
      WorkloadRecord record, Instant now, Consumer<WorkloadRecord> step) {
    return commit(now, () -> {
      step.accept(record);
      state.variants().of(record).forEach(step);
    });
  }

  public Decisions setCheck(WorkloadId id, AdmissionCheckState check, Instant now) {
    return commitWithVariants(
        state.requireSubmitted(id), now, record -> lifecycles.checkChanged(record, check, now));
  }

  public Decisions setCheck(WorkloadId id, String flavor, AdmissionCheckState check, Instant now) {
    WorkloadRecord record = state.requireSubmitted(id);
    return commit(
        now,
        () -> state.variants().of(record).stream()
            .filter(variant -> VariantNames.flavor(variant.id()).equals(flavor))
            .forEach(variant -> lifecycles.checkChanged(variant, check, now)));
  }

  public Decisions setPreemptionGate(WorkloadId id, String gate, boolean open, Instant now) {
    WorkloadRecord known = state.requireSubmitted(id);
    if (!known.workload().preemptionGates().contains(gate)) {
      throw new IllegalArgumentException("workload " + id + " has no preemption gate \"" + gate
          + "\"; expected one of " + known.workload().preemptionGates());
    }
    return commitWithVariants(known, now, record -> lifecycles.setGate(record, gate, open, now));
  }

  public Decisions setPodsReady(WorkloadId id, boolean ready, Instant now) {
    WorkloadRecord record = state.requireSubmitted(id);
    return commit(now, () -> {
      lifecycles.podsReady(record, ready, now);
      state
          .variants()
          .running(record)
          .ifPresent(variant -> lifecycles.podsReady(variant, ready, now));
    });
  }

  public Decisions setActive(WorkloadId id, boolean active, Instant now) {
    Workload known = state.requireSubmitted(id).workload();
    admissions.update(Workload.builder().from(known).active(active).build(), now);
    return state.decisions().takeAll();
  }

  public Decisions evict(WorkloadId id, EvictionReason reason, String message, Instant now) {
    if (reason == EvictionReason.PREEMPTED || reason == EvictionReason.DEACTIVATED) {
      throw new IllegalArgumentException("workload " + id + " cannot be evicted with reason "
          + reason + "; preempt it by tryAdmit or a cycle, deactivate it by setActive");
    }
    WorkloadRecord record = state.requireSubmitted(id);
    return commit(now, () -> evict(record, reason, message, now));
  }

  private void evict(WorkloadRecord record, EvictionReason reason, String message, Instant now) {
    boolean runs = record.reservation() != null || record.lifecycle().isAdmitted();
    if (runs && !record.isStopping()) {
      lifecycles.evictAndRecord(record, reason, message, now);
    }
    for (WorkloadRecord variant : state.variants().of(record)) {
      if (variant.reservation() != null && !variant.isStopping()) {
        lifecycles.evict(variant, reason, Optional.empty(), message, now);
      }
    }
  }

  public Decisions requeue(WorkloadId id, String reason, String message, Instant now) {
    return commitWithVariants(
        state.requireSubmitted(id),
        now,
        record -> lifecycles.requeue(record, reason, message, now));
  }

  public Decisions setOnHold(WorkloadId id, boolean onHold, Instant now) {
    WorkloadRecord record = state.requireSubmitted(id);
    return commit(now, () -> lifecycles.hold(record, onHold, now));
  }

  public WorkloadStatus status(WorkloadId id, Instant now) {
    WorkloadRecord record = state.requireSubmitted(id);
    state.deliverEvents(now);
    return new Explainer(state).status(record, now);
  }

  public ImmutableMultiset<Unadmitted> unadmitted(Instant now) {
    state.deliverEvents(now);
    return state.workloads().all().stream()
        .filter(record -> !record.isVariant() && !record.lifecycle().isAdmitted())
        .map(new Explainer(state)::unadmitted)
        .sorted(Unadmitted.ORDER)
        .collect(toImmutableMultiset());
  }
}
