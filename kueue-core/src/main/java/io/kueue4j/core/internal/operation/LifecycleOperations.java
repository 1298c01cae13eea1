package io.kueue4j.core.internal.operation;

import static com.google.common.collect.ImmutableMultiset.toImmutableMultiset;

import com.google.common.collect.ImmutableMultiset;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.transition.WorkloadTransitions;
import io.kueue4j.core.internal.variant.VariantSettlement;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * The calls of {@link io.kueue4j.core.WorkloadLifecycle}. Each acts on the workload and its
 * variants, settles the consequences for other workloads, and returns the decisions. Not
 * thread-safe.
 */
public final class LifecycleOperations {
  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final VariantSettlement settlement;
  private final WorkloadOperations admissions;
  private final Restorations restorations;

  LifecycleOperations(EngineParts parts, WorkloadOperations admissions, Restorations restorations) {
    this.state = parts.state();
    this.lifecycles = parts.lifecycles();
    this.settlement = parts.settlement();
    this.admissions = admissions;
    this.restorations = restorations;
  }

  /** A transition of a workload, or of one of its variants. */
  private interface Step {
    void take(WorkloadRecord record);
  }

  private WorkloadRecord begin(WorkloadId id, Instant now) {
    state.deliverEvents(now);
    return state.requireSubmitted(id);
  }

  private void takeWithVariants(WorkloadRecord record, Step step) {
    step.take(record);
    state.variants().of(record).forEach(step::take);
  }

  private Decisions end(Instant now) {
    settlement.settle(now);
    return state.decisions().takeAll();
  }

  public Decisions setCheck(WorkloadId id, AdmissionCheckState check, Instant now) {
    takeWithVariants(begin(id, now), record -> lifecycles.checkChanged(record, check, now));
    return end(now);
  }

  public Decisions setCheck(WorkloadId id, String flavor, AdmissionCheckState check, Instant now) {
    state.variants().of(begin(id, now)).stream()
        .filter(variant -> VariantNames.flavor(variant.workload().id()).equals(flavor))
        .forEach(variant -> lifecycles.checkChanged(variant, check, now));
    return end(now);
  }

  public Decisions setPreemptionGate(WorkloadId id, String gate, boolean open, Instant now) {
    WorkloadRecord known = begin(id, now);
    if (!known.workload().preemptionGates().contains(gate)) {
      throw new IllegalArgumentException("workload " + id + " has no preemption gate \"" + gate
          + "\"; expected one of " + known.workload().preemptionGates());
    }
    takeWithVariants(known, record -> lifecycles.setGate(record, gate, open, now));
    return end(now);
  }

  public Decisions setPodsReady(WorkloadId id, boolean ready, Instant now) {
    WorkloadRecord record = begin(id, now);
    lifecycles.podsReady(record, ready, now);
    state
        .variants()
        .running(record)
        .ifPresent(variant -> lifecycles.podsReady(variant, ready, now));
    return end(now);
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
    WorkloadRecord record = begin(id, now);
    boolean runs = record.reservation() != null || record.lifecycle().isAdmitted();
    if (runs && !record.isStopping()) {
      state.decisions().add(lifecycles.evict(record, reason, Optional.empty(), message, now));
    }
    for (WorkloadRecord variant : state.variants().of(record)) {
      if (variant.reservation() != null && !variant.isStopping()) {
        lifecycles.evict(variant, reason, Optional.empty(), message, now);
      }
    }
    return end(now);
  }

  public Decisions requeue(WorkloadId id, String reason, String message, Instant now) {
    takeWithVariants(begin(id, now), record -> lifecycles.requeue(record, reason, message, now));
    return end(now);
  }

  public Decisions setOnHold(WorkloadId id, boolean onHold, Instant now) {
    lifecycles.hold(begin(id, now), onHold, now);
    return end(now);
  }

  public WorkloadStatus status(WorkloadId id, Instant now) {
    return new Explainer(state).status(begin(id, now), now);
  }

  public ImmutableMultiset<Unadmitted> unadmitted(Instant now) {
    state.deliverEvents(now);
    state.loader().takeAll();
    return state.workloads().all().stream()
        .filter(record -> !record.isVariant() && !record.lifecycle().isAdmitted())
        .map(new Explainer(state)::unadmitted)
        .sorted(Unadmitted.ORDER)
        .collect(toImmutableMultiset());
  }

  public Decisions restore(
      Workload workload, Optional<Admission> admission, WorkloadStatus status, Instant now) {
    restorations.restore(workload, admission, status, now);
    return state.decisions().takeAll();
  }
}
