package io.kueue4j.core.internal.operation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.life.ElasticSlices;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of an engine that concern workloads. Not thread-safe.
 *
 * <p>Rules: Q-20, U-8, U-9, U-17, U-18, L-3, L-13, E-1, E-6, E-7.
 */
public final class WorkloadOperations {
  /** The message of an eviction by {@link Workload#active()}. */
  static final String DEACTIVATED = "The workload is deactivated";

  private final EngineParts parts;
  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final Cycles cycles;

  WorkloadOperations(EngineParts parts) {
    this.parts = parts;
    this.state = parts.state;
    this.lifecycles = parts.lifecycles;
    this.cycles = new Cycles(parts);
  }

  /** {@return the decisions of the current call, the settlement of variants included} */
  private Decisions decisions(Instant now) {
    parts.settlement.settle(now);
    return state.announcements().takeDecisions();
  }

  /** {@return the decisions of the current call, which is about the workload of {@code result}} */
  private Decisions decisions(AdmissionResult result) {
    return state.announcements().takeDecisions().withResult(result);
  }

  public Decisions submit(Workload workload, Instant now) {
    return decisions(submitted(workload, now));
  }

  private AdmissionResult submitted(Workload workload, Instant now) {
    WorkloadRecord known = validate(workload);
    state.deliverEvents(now);
    if (known != null) {
      return parts.explainer.current(known);
    }
    Optional<AdmissionResult> rejected = reject(workload, ImmutableSortedMap.of());
    if (rejected.isPresent()) {
      return rejected.get();
    }
    return commit(newRecord(workload, now), now);
  }

  private WorkloadRecord newRecord(Workload workload, Instant now) {
    return state.workloads().newRecord(workload, ImmutableSortedMap.of(), now);
  }

  /** Commits the submission of a valid workload. */
  private AdmissionResult commit(WorkloadRecord record, Instant now) {
    state.pending().enqueue(record, now);
    state.add(record);
    lifecycles.synchroniseChecks(record, now);
    return settled(record, now);
  }

  /**
   * {@return the state of a workload after a change; an elastic slice is rejected if it has
   * finished because another one continues}
   */
  private AdmissionResult settled(WorkloadRecord record, Instant now) {
    parts.settlement.settle(now);
    WorkloadId id = record.id();
    WorkloadId selected =
        parts.slices.settle(record, now).map(WorkloadRecord::id).orElse(id);
    return state.record(id) == null
        ? ElasticSlices.obsolete(id, selected)
        : parts.explainer.current(record);
  }

  public Decisions update(Workload workload, Instant now) {
    WorkloadRecord record = state.requireSubmitted(workload.id());
    return decisions(updated(record, workload, record.compiled().reclaimablePods(), now));
  }

  public Decisions setReclaimablePods(
      WorkloadId id, SortedMap<String, Integer> reclaimable, Instant now) {
    WorkloadRecord record = state.requireSubmitted(id);
    return decisions(updated(record, record.workload(), reclaimable, now));
  }

  private AdmissionResult updated(
      WorkloadRecord record,
      Workload workload,
      SortedMap<String, Integer> reclaimable,
      Instant now) {
    state.deliverEvents(now);
    Optional<AdmissionResult> rejected = reject(workload, reclaimable);
    if (rejected.isPresent()) {
      return rejected.get();
    }
    CompiledWorkload changed = state.workloads().compile(workload, reclaimable);
    if (record.compiled().hasContentOf(changed)) {
      return parts.explainer.current(record);
    }
    Optional<Admission> held = state.variants().admission(record);
    if (held.isEmpty()) {
      return commitOfPending(record, changed, now);
    }
    ImmutableList<Reason> broken = ReservedWorkloads.brokenByUpdate(
        record, changed, held.get(), parts.slices.isSlice(workload));
    if (!broken.isEmpty()) {
      return new AdmissionResult.Rejected(workload.id(), broken);
    }
    return commitOfHolder(record, changed, now);
  }

  /** Commits a valid update of a workload that holds no quota. */
  private AdmissionResult commitOfPending(
      WorkloadRecord record, CompiledWorkload changed, Instant now) {
    boolean deactivated = record.workload().active() && !changed.source().active();
    state.change(record, changed, now);
    if (deactivated) {
      lifecycles.deactivate(record, Optional.empty(), DEACTIVATED, now);
    }
    lifecycles.synchroniseChecks(record, now);
    lifecycles.reviewRequeued(record, now);
    return settled(record, now);
  }

  /** Commits a valid update of a workload that holds quota. */
  private AdmissionResult commitOfHolder(
      WorkloadRecord record, CompiledWorkload changed, Instant now) {
    CompiledWorkload before = record.compiled();
    Workload old = before.source();
    Workload workload = changed.source();
    boolean isEvent = !old.podSets().equals(workload.podSets())
        || !before.reclaimablePods().equals(changed.reclaimablePods())
        || !old.priorityClass().equals(workload.priorityClass())
        || before.priority() != changed.priority();
    state.change(record, changed, now);
    if (isEvent) {
      state.events().note(record);
    }
    if (old.active() && !workload.active()) {
      lifecycles
          .deactivate(record, Optional.empty(), DEACTIVATED, now)
          .ifPresent(state.announcements()::decided);
    }
    parts.settlement.settle(now);
    return parts.explainer.current(record);
  }

  /** Removes a workload, if it is known. */
  public Decisions remove(WorkloadId id, WorkloadRemoved.Reason reason, Instant now) {
    WorkloadRecord record = state.submitted(id);
    if (record != null) {
      state.forget(record, reason, now);
      state.announcements().decided(new Decision.Removal(id, reason));
    }
    return decisions(now);
  }

  /** Removes a workload, if it holds quota. */
  public Decisions release(WorkloadId id, Instant now) {
    return admission(id).isPresent()
        ? remove(id, WorkloadRemoved.Reason.RELEASED, now)
        : decisions(now);
  }

  public Decisions recorded(WorkloadId id, Instant now) {
    holder(id).ifPresent(state.reservations()::advanceGeneration);
    return decisions(now);
  }

  /** {@return the holder of the quota of a workload, absent if there is none} */
  private Optional<WorkloadRecord> holder(WorkloadId id) {
    return Optional.ofNullable(state.submitted(id)).flatMap(state.variants()::holder);
  }

  /** {@return the present version of a workload, absent if it is unknown} */
  public Optional<Workload> workload(WorkloadId id) {
    return Optional.ofNullable(state.submitted(id)).map(WorkloadRecord::workload);
  }

  public Optional<Admission> admission(WorkloadId id) {
    return Optional.ofNullable(state.submitted(id)).flatMap(state.variants()::admission);
  }

  /** {@return why a workload was preempted; absent unless it was, and still holds its quota} */
  public Optional<PreemptedCondition> preempted(WorkloadId id) {
    return holder(id).flatMap(WorkloadRecord::preempted);
  }

  /** Acts on everything that is due at {@code now}. */
  public Decisions tick(Instant now) {
    catchUp(now);
    return decisions(now);
  }

  /** {@return the next time at which the clock alone changes something, empty if there is none} */
  public Optional<Instant> nextTick(Instant now) {
    state.deliverEvents(now);
    return Stream.of(
            state.fairness().ledger().nextSampling(),
            parts.secondPasses.next(now),
            state.books().timers().next(),
            state.queueStore().backoffs().next(),
            state.promises().nextDeadline(),
            state.configuration().windows().nextEnd(),
            state.preemptions().retries().next())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  private void catchUp(Instant now) {
    state.deliverEvents(now);
    lifecycles.actOnDeadlines(now);
    parts.settlement.settle(now);
    state.deliverEvents(now);
  }

  /** Runs a cycle, after the work that precedes popping heads. */
  public Decisions runCycle(Instant now) {
    catchUp(now);
    parts.secondPasses.run(now);
    parts.settlement.settle(now);
    cycles.run(now);
    return decisions(now);
  }

  public Decisions nodeFailed(WorkloadId id, String node, Instant now) {
    state
        .variants()
        .holder(state.requireSubmitted(id))
        .ifPresent(holder -> parts.secondPasses.report(holder, node, now));
    return decisions(now);
  }

  public Decisions nodeRecovered(WorkloadId id, String node, Instant now) {
    state
        .variants()
        .holder(state.requireSubmitted(id))
        .ifPresent(holder -> parts.secondPasses.withdraw(holder, node));
    return decisions(now);
  }

  /** {@return whether a workload was evicted and its pods have not been reported as stopped} */
  public boolean isStopping(WorkloadId id) {
    WorkloadRecord record = state.submitted(id);
    return record != null && record.isStopping();
  }

  /** Releases the quota of an evicted workload and requeues it. */
  public Decisions podsStopped(WorkloadId id, Instant now) {
    WorkloadRecord record = state.submitted(id);
    if (record != null && record.isStopping()) {
      state.fairness().sampleUntil(now);
      lifecycles.stopped(record, now);
      parts.slices.settle(record, now);
    }
    return decisions(now);
  }

  public Decisions tryAdmit(Workload workload, TryAdmitOptions options, Instant now) {
    return decisions(tried(workload, options, now));
  }

  private AdmissionResult tried(Workload workload, TryAdmitOptions options, Instant now) {
    WorkloadRecord known = validate(workload);
    state.fairness().sampleUntil(now);
    if (known != null && state.variants().admission(known).isPresent()) {
      return parts.explainer.current(known);
    }
    Optional<AdmissionResult> rejected = reject(workload, ImmutableSortedMap.of());
    if (rejected.isPresent()) {
      return rejected.get();
    }
    return cycles.tryAdmit(known == null ? newRecord(workload, now) : known, options, now);
  }

  // ----- events of workloads between admission and finish: each call finds the workload or throws,
  // commits a transition of it and its variants, and settles the consequences for other workloads

  /** Commits {@code transitions}, which have been validated, and what follows from them. */
  private Decisions commit(Instant now, Runnable transitions) {
    state.deliverEvents(now);
    transitions.run();
    return decisions(now);
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
    return update(Workload.builder().from(known).active(active).build(), now);
  }

  public Decisions evict(WorkloadId id, EvictionReason reason, String message, Instant now) {
    if (reason == EvictionReason.PREEMPTED || reason == EvictionReason.DEACTIVATED) {
      throw new IllegalArgumentException("workload " + id + " cannot be evicted with reason "
          + reason + "; preempt it by tryAdmit or a cycle, deactivate it by setActive");
    }
    return commitWithVariants(state.requireSubmitted(id), now, record -> {
      if (record.reservation() != null && !record.isStopping()) {
        lifecycles.evict(record, reason, message, now);
      }
    });
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
    return parts.explainer.status(record, now);
  }

  public Map<Unadmitted, Integer> unadmitted(Instant now) {
    state.deliverEvents(now);
    return state.workloads().all().stream()
        .filter(record -> !record.isVariant() && !record.lifecycle().isAdmitted())
        .map(parts.explainer::unadmitted)
        .collect(toImmutableSortedMap(Unadmitted.ORDER, group -> group, group -> 1, Integer::sum));
  }

  // ----- validation

  private Optional<AdmissionResult> reject(
      Workload workload, SortedMap<String, Integer> reclaimable) {
    List<Violation> violations = state.violations(workload, reclaimable);
    return violations.isEmpty()
        ? Optional.empty()
        : Optional.of(new AdmissionResult.Rejected(
            workload.id(),
            violations.stream()
                .map(violation -> Reason.of(ReasonCode.INVALID, violation.toString()))
                .collect(toImmutableList())));
  }

  /**
   * {@return the known workload of the id, null if there is none}
   *
   * @throws IllegalArgumentException if it has other content
   */
  private @Nullable WorkloadRecord validate(Workload workload) {
    WorkloadRecord known = state.submitted(workload.id());
    checkArgument(
        known == null || known.workload().equals(workload),
        "workload %s is known with other content; update it, or use another name",
        workload.id());
    return known;
  }
}
