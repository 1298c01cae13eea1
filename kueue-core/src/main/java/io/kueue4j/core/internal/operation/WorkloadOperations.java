package io.kueue4j.core.internal.operation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.decision.WorkloadRemoved;
import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.Nominator;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.cycle.SchedulingCycle;
import io.kueue4j.core.internal.elastic.ElasticSlices;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.explain.QueueingPreconditions;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.preemption.PreemptionRules;
import io.kueue4j.core.internal.preemption.VictimFinder;
import io.kueue4j.core.internal.preemption.VictimSource;
import io.kueue4j.core.internal.state.EngineRules;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.transition.WorkloadTransitions;
import io.kueue4j.core.internal.variant.VariantGuard;
import io.kueue4j.core.internal.variant.VariantSettlement;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadValidator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The calls of an engine that concern workloads. Not thread-safe.
 *
 * <p>Rules: Q-20, U-8, U-9, U-17, U-18, L-3, L-13, E-1, E-6, E-7.
 */
public final class WorkloadOperations {
  private static final String DEACTIVATED = "The workload is deactivated";

  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final VariantSettlement settlement;
  private final ElasticSlices slices;
  private final QueueingPreconditions obstacles;
  private final Explainer explainer;
  private final AdmissionFactory factory;
  private final NodeFailures nodeFailures;
  private final DelayedPlacements delayedPlacements;
  private final AdmissionBlock block;
  private final SchedulingCycle schedulingCycle;
  private final AttemptCommitter effects;
  private final Cycles cycles;

  /**
   * Creates the calls.
   *
   * @param parts the parts that are shared with other calls
   * @param wrapper wraps the source of victims
   */
  WorkloadOperations(EngineParts parts, UnaryOperator<VictimSource> wrapper) {
    this.state = parts.state();
    this.lifecycles = parts.lifecycles();
    this.settlement = parts.settlement();
    this.slices = parts.slices();
    this.nodeFailures = parts.nodeFailures();
    this.obstacles = new QueueingPreconditions(state);
    this.explainer = new Explainer(state);
    EngineRules rules = new EngineRules(state.settings());
    WorkloadPlacer placer = new WorkloadPlacer(
        state.inventories(),
        state.fleets(),
        state.catalog(),
        rules.slicesKeepPlaces(),
        state.configuration()::delaysPlacement);
    this.factory = new AdmissionFactory(state, placer);
    this.delayedPlacements = new DelayedPlacements(state, lifecycles, placer, factory);
    this.block = new AdmissionBlock(state);
    VariantGuard guard = new VariantGuard(state, lifecycles);
    PreemptionRules preemption = rules.preemption();
    Nominator nominator = new Nominator(
        state.configuration().flavors(),
        rules.assignment(),
        placer,
        preemptor ->
            wrapper.apply(new VictimFinder(preemption, state.fairness().usage(), preemptor)),
        slices::replacedBy,
        rules.cycle());
    this.schedulingCycle =
        new SchedulingCycle(nominator, rules.cycle(), obstacles::toNomination, guard);
    this.effects = new AttemptCommitter(state, lifecycles, slices);
    this.cycles = new Cycles(
        state, schedulingCycle, factory, explainer, block, slices, effects, settlement, guard);
  }

  public AdmissionResult submit(Workload workload, Instant now) {
    state.deliverEvents(now);
    WorkloadRecord known = state.submitted(workload.id());
    if (known != null) {
      checkSame(known, workload);
      return standing(known);
    }
    Optional<AdmissionResult> rejected = reject(workload);
    if (rejected.isPresent()) {
      return rejected.get();
    }
    WorkloadRecord record = state.newRecord(workload, now);
    state.pending().enqueue(record, now);
    state.add(record);
    lifecycles.synchroniseChecks(record, now);
    settlement.settle(now);
    return settled(record, now);
  }

  /**
   * {@return the state of an elastic slice, rejected if it has finished because another one
   * continues}
   */
  private AdmissionResult settled(WorkloadRecord record, Instant now) {
    WorkloadId id = record.workload().id();
    WorkloadId selected =
        slices.settle(record, now).map(slice -> slice.workload().id()).orElse(id);
    if (state.record(id) != null) {
      return standing(record);
    }
    slices.withdraw(id);
    return new AdmissionResult.Rejected(
        id,
        ImmutableList.of(Reason.of(
            ReasonCode.OBSOLETE_SLICE,
            "slice " + selected + " of the same job goes on instead; update that one")));
  }

  public AdmissionResult update(Workload workload, Instant now) {
    state.deliverEvents(now);
    WorkloadRecord record = state.requireSubmitted(workload.id());
    Optional<AdmissionResult> rejected = reject(workload);
    if (rejected.isPresent() || record.workload().equals(workload)) {
      return rejected.orElseGet(() -> standing(record));
    }
    boolean deactivated = record.workload().active() && !workload.active();
    Optional<Admission> held = state.variants().admission(record);
    if (held.isEmpty()) {
      state.change(record, workload, now);
      if (deactivated) {
        lifecycles.deactivate(record, Optional.empty(), DEACTIVATED, now);
      }
      lifecycles.synchroniseChecks(record, now);
      lifecycles.reviewRequeued(record, now);
      settlement.settle(now);
      return settled(record, now);
    }
    ImmutableList<Reason> broken = ReservedWorkloads.brokenByUpdate(
        record.workload(),
        workload,
        held.get(),
        slices.isSlice(workload),
        record.lifecycle().isAdmitted());
    if (!broken.isEmpty()) {
      return new AdmissionResult.Rejected(workload.id(), broken);
    }
    long priority = record.compiled().priority();
    boolean isEvent = !record.workload().podSets().equals(workload.podSets())
        || !record.workload().reclaimablePods().equals(workload.reclaimablePods())
        || !record.workload().priorityClass().equals(workload.priorityClass());
    state.change(record, workload, now);
    if (isEvent || priority != record.compiled().priority()) {
      state.events().note(record);
    }
    if (deactivated) {
      lifecycles
          .deactivate(record, Optional.empty(), DEACTIVATED, now)
          .ifPresent(state.decisions()::add);
    }
    settlement.settle(now);
    return standing(record);
  }

  public boolean forget(WorkloadId id, WorkloadRemoved.Reason reason, Instant now) {
    WorkloadRecord record = state.submitted(id);
    if (record == null) {
      return false;
    }
    state.forget(record, reason, now);
    return true;
  }

  public boolean recorded(WorkloadId id) {
    Optional<Reservation> reservation = Optional.ofNullable(state.submitted(id))
        .flatMap(state.variants()::holder)
        .flatMap(holder -> Optional.ofNullable(holder.reservation()));
    reservation.ifPresent(state.reservations()::advanceGeneration);
    return reservation.isPresent();
  }

  public Optional<Admission> admission(WorkloadId id) {
    return Optional.ofNullable(state.submitted(id)).flatMap(state.variants()::admission);
  }

  /** {@return why a workload was preempted; absent unless it was, and still holds its quota} */
  public Optional<PreemptedCondition> preempted(WorkloadId id) {
    return Optional.ofNullable(state.submitted(id))
        .flatMap(state.variants()::holder)
        .filter(WorkloadRecord::isStopping)
        .flatMap(WorkloadRecord::preempted);
  }

  /** Acts on everything that is due at {@code now}. */
  public Decisions tick(Instant now) {
    catchUp(now);
    return state.decisions().takeAll();
  }

  /** {@return the next time at which the clock alone changes something, empty if there is none} */
  public Optional<Instant> nextTick(Instant now) {
    state.deliverEvents(now);
    return Stream.of(
            state.fairness().nextSampling().stream(),
            nodeFailures.nextSearch(now).stream(),
            delayedPlacements.nextSearch(now).stream(),
            state.books().timers().next().stream(),
            state.queueStore().backoffs().next().stream())
        .flatMap(times -> times)
        .min(Comparator.naturalOrder());
  }

  private void catchUp(Instant now) {
    state.deliverEvents(now);
    lifecycles.actOnDeadlines(now);
    settlement.settle(now);
    state.deliverEvents(now);
  }

  /** Runs a cycle, after the work that precedes popping heads. */
  public Decisions runCycle(Instant now) {
    catchUp(now);
    nodeFailures.repair(now);
    delayedPlacements.place(now);
    settlement.settle(now);
    cycles.run(now);
    settlement.settle(now);
    return state.decisions().takeAll();
  }

  public Decisions nodeFailed(WorkloadId id, String node, Instant now) {
    state
        .variants()
        .holder(state.requireSubmitted(id))
        .flatMap(holder -> nodeFailures.report(holder, node, now))
        .ifPresent(state.decisions()::add);
    settlement.settle(now);
    return state.decisions().takeAll();
  }

  public boolean nodeRecovered(WorkloadId id, String node) {
    return state
        .variants()
        .holder(state.requireSubmitted(id))
        .filter(holder -> nodeFailures.withdraw(holder, node))
        .isPresent();
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
      settlement.settle(now);
      slices.settle(record, now);
    }
    return state.decisions().takeAll();
  }

  public AdmissionResult tryAdmit(Workload workload, TryAdmitOptions options, Instant now) {
    state.fairness().sampleUntil(now);
    WorkloadRecord known = state.submitted(workload.id());
    if (known != null) {
      checkSame(known, workload);
      if (state.variants().admission(known).isPresent()) {
        return standing(known);
      }
    }
    Optional<AdmissionResult> rejected = reject(workload);
    if (rejected.isPresent()) {
      return rejected.get();
    }
    WorkloadRecord record = known == null ? state.newRecord(workload, now) : known;
    Optional<QueueingPreconditions.Obstacle> obstacle = obstacles.toQueueing(record);
    if (obstacle.isPresent()) {
      return new AdmissionResult.Pending(
          workload.id(), obstacle.get().cause(), ImmutableList.of(obstacle.get().reason()));
    }
    QueueState target = state.pending().target(record).orElseThrow();
    if (state.variants().areUsed(workload, target)) {
      return tryVariants(record, target, options, now);
    }
    Head candidate = state.pending().candidate(record, target);
    Attempt attempt = attempt(candidate);
    if (!attempt.isAdmitted()) {
      return attempt.victims().isEmpty()
          ? explainer.pending(candidate, attempt)
          : preempting(record, candidate, attempt, options, now);
    }
    if (block.keepsBack(record)) {
      return explainer.pending(candidate, block.attempt());
    }
    Admission admission = factory.admission(candidate, attempt, now);
    effects.admit(record, candidate, attempt, admission, now);
    if (known == null) {
      state.add(record);
    }
    slices.settle(record, now);
    // Until it is admitted, the decisions about it and its elastic slices remain to be returned.
    return record.lifecycle().isAdmitted()
        ? announced(new AdmissionResult.Admitted(admission, slices.takeFinished(workload.id())))
        : standing(record);
  }

  /**
   * {@return the outcome of a trial of a separate head, so that a queued head's scan progress and
   * last attempt do not change}
   */
  private Attempt attempt(Head candidate) {
    return schedulingCycle.run(List.of(candidate), state.cycles()).get(0).attempt();
  }

  /** Tries the flavors one after another, each as the variant that is queued or would be. */
  private AdmissionResult tryVariants(
      WorkloadRecord record, QueueState target, TryAdmitOptions options, Instant now) {
    List<AdmissionResult.Pending> failed = new ArrayList<>();
    for (WorkloadRecord variant : settlement.toTry(record, target, now)) {
      Head candidate = state.pending().candidate(variant, target);
      Attempt attempt = attempt(candidate);
      if (!attempt.victims().isEmpty()) {
        return preempting(variant, candidate, attempt, options, now);
      }
      if (!attempt.isAdmitted()) {
        failed.add(explainer.pending(candidate, attempt));
      } else if (block.keepsBack(variant)) {
        return explainer.pending(candidate, block.attempt());
      } else {
        return admitVariant(record, candidate, attempt, now);
      }
    }
    return Explainer.together(record.workload().id(), failed);
  }

  private AdmissionResult admitVariant(
      WorkloadRecord record, Head candidate, Attempt attempt, Instant now) {
    WorkloadId id = candidate.compiled().source().id();
    if (state.record(id) == null) {
      state.pending().enqueue(record, now);
      state.add(record);
      settlement.settle(now);
    }
    Admission admission = factory.admission(candidate, attempt, now);
    effects.admit(state.require(id), candidate, attempt, admission, now);
    settlement.settle(now);
    // The result returned below reports this admission.
    state
        .decisions()
        .take(decision -> decision instanceof AdmissionResult.Admitted
            && decision.workload().equals(record.workload().id()));
    return standing(record);
  }

  private AdmissionResult preempting(
      WorkloadRecord record,
      Head candidate,
      Attempt attempt,
      TryAdmitOptions options,
      Instant now) {
    ImmutableList<PreemptionVictim> victims = factory.victims(candidate, attempt.victims());
    if (options.evictsVictims()) {
      victims.forEach(state.decisions()::announce);
      effects.preempt(candidate, attempt, now);
      Head queued = record.candidate();
      if (queued != null) {
        state.pending().take(queued);
        state.pending().setProgress(queued, candidate.progress());
        state.pending().requeue(queued, attempt, now);
      }
      settlement.settle(now);
    }
    return new AdmissionResult.Preempting(
        VariantNames.submitted(candidate.compiled().source().id()), victims);
  }

  private AdmissionResult announced(AdmissionResult result) {
    state.decisions().announce(result);
    return result;
  }

  private AdmissionResult standing(WorkloadRecord record) {
    Optional<WorkloadRecord> holder = state.variants().holder(record);
    Optional<Admission> admission = state.variants().admission(record);
    if (holder.isEmpty() || admission.isEmpty()) {
      return explainer.pending(record);
    }
    return holder.get().lifecycle().isAdmitted()
        ? new AdmissionResult.Admitted(admission.get())
        : new AdmissionResult.Reserved(admission.get(), Explainer.missing(holder.get()));
  }

  static Optional<AdmissionResult> reject(Workload workload) {
    ImmutableList<Reason> broken = WorkloadValidator.validate(workload).stream()
        .map(violation -> Reason.of(ReasonCode.INVALID, violation.toString()))
        .collect(toImmutableList());
    return broken.isEmpty()
        ? Optional.empty()
        : Optional.of(new AdmissionResult.Rejected(workload.id(), broken));
  }

  private static void checkSame(WorkloadRecord known, Workload workload) {
    checkArgument(
        known.workload().equals(workload),
        "workload %s is known with other content; update it, or use another name",
        workload.id());
  }
}
