package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.Attempt;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.cycle.Nominator;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.cycle.SchedulingCycle;
import io.kueue4j.core.flavor.PodPlacer;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadValidator;
import io.kueue4j.core.preemption.PreemptionRules;
import io.kueue4j.core.preemption.VictimFinder;
import io.kueue4j.core.preemption.VictimSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The calls of an engine that concern workloads. Not safe for several threads.
 *
 * <p>Rules: U-8, U-9, U-17, U-18, Q-20, E-1, E-6, E-7.
 */
final class Admissions {
  private static final String DEACTIVATED = "The workload is deactivated";

  private final EngineState state;
  private final Obstacles obstacles;
  private final Explainer explainer;
  private final Decisions decisions;
  private final NodeFailures nodeFailures;
  private final WorkloadSlices slices;
  private final Lifecycles lifecycles;
  private final DelayedPlacements delayedPlacements;
  private final AdmissionBlock block;
  private final SchedulingCycle schedulingCycle;
  private final AttemptEffects effects;
  private final Cycles cycles;

  Admissions(EngineState state) {
    this(state, UnaryOperator.identity());
  }

  /** Creates the calls with what finds victims wrapped, so that a test may let it fail. */
  @VisibleForTesting
  Admissions(EngineState state, UnaryOperator<VictimSource> wrapper) {
    this.state = state;
    this.obstacles = new Obstacles(state);
    this.explainer = new Explainer(state);
    this.nodeFailures = new NodeFailures(state);
    this.slices = new WorkloadSlices(state);
    this.lifecycles = state.lifecycles();
    EngineRules rules = new EngineRules(state.settings());
    PodPlacer placer = new PodPlacer(
        state.inventories(),
        state.fleets(),
        state.catalog(),
        rules.slicesKeepPlaces(),
        state.configuration()::delaysPlacement);
    this.decisions = new Decisions(state, placer);
    this.delayedPlacements = new DelayedPlacements(state, placer, decisions);
    this.block = new AdmissionBlock(state);
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
        new SchedulingCycle(nominator, rules.cycle(), obstacles::toNomination, state.variants());
    this.effects = new AttemptEffects(state, slices);
    this.cycles = new Cycles(state, schedulingCycle, decisions, explainer, block, slices, effects);
  }

  static WorkloadRecord known(EngineState state, WorkloadId id) {
    WorkloadRecord record = state.record(id);
    checkArgument(record != null, "workload %s is not known; submit it first", id);
    return record;
  }

  /** {@return the workload of that id that was submitted, which variants were not} */
  static WorkloadRecord submitted(EngineState state, WorkloadId id) {
    WorkloadRecord record = state.submitted(id);
    checkArgument(record != null, "workload %s is not known; submit it first", id);
    return record;
  }

  AdmissionResult submit(Workload workload, Instant now) {
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
    state.variants().settle(now);
    return settled(record, now);
  }

  /** {@return where a slice stands, rejected if it is over because another one goes on} */
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

  AdmissionResult update(Workload workload, Instant now) {
    state.deliverEvents(now);
    WorkloadRecord record = submitted(state, workload.id());
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
      state.variants().settle(now);
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
      state.eventOf(record);
    }
    if (deactivated) {
      lifecycles
          .deactivate(record, Optional.empty(), DEACTIVATED, now)
          .ifPresent(lifecycles.books()::tell);
    }
    state.variants().settle(now);
    return standing(record);
  }

  boolean forget(WorkloadId id, Departure.Reason reason, Instant now) {
    WorkloadRecord record = state.submitted(id);
    if (record == null) {
      return false;
    }
    state.forget(record, reason, now);
    return true;
  }

  boolean recorded(WorkloadId id) {
    Optional<Reservation> reservation = Optional.ofNullable(state.submitted(id))
        .flatMap(state.variants()::holder)
        .flatMap(holder -> Optional.ofNullable(holder.reservation));
    reservation.ifPresent(state.reservations()::advanceGeneration);
    return reservation.isPresent();
  }

  Optional<Admission> admission(WorkloadId id) {
    return Optional.ofNullable(state.submitted(id)).flatMap(state.variants()::admission);
  }

  /** {@return for what a workload was told to stop that still holds its quota} */
  Optional<PreemptedCondition> preempted(WorkloadId id) {
    return Optional.ofNullable(state.submitted(id))
        .flatMap(state.variants()::holder)
        .filter(WorkloadRecord::isToldToStop)
        .flatMap(WorkloadRecord::preempted);
  }

  Optional<Instant> tick(Instant now) {
    state.deliverEvents(now);
    lifecycles.actOnDeadlines(now);
    state.variants().settle(now);
    state.deliverEvents(now);
    state.queues().stream()
        .filter(QueueState::hasWork)
        .forEach(queue -> state.pending().releaseDue(queue, now));
    return Stream.of(
            state.fairness().nextSampling().stream(),
            nodeFailures.nextSearch(now).stream(),
            delayedPlacements.nextSearch(now).stream(),
            lifecycles.books().timers().next().stream(),
            state.queues().stream().flatMap(queue -> queue.pending().nextRelease().stream()))
        .flatMap(times -> times)
        .min(Comparator.naturalOrder());
  }

  /** Runs a cycle, after what is to be done before heads are taken. */
  CycleResult runCycle(Instant now) {
    state.deliverEvents(now);
    lifecycles.actOnDeadlines(now);
    state.variants().settle(now);
    state.deliverEvents(now);
    nodeFailures.repair(now);
    delayedPlacements.place(now);
    state.variants().settle(now);
    CycleReport report = new CycleReport();
    cycles.run(report, now);
    state.variants().settle(now);
    return report.toResult(
        lifecycles.books().takeChanges(), nodeFailures.takeReplaced(), slices.tell());
  }

  Optional<Eviction> nodeFailed(WorkloadId id, String node, Instant now) {
    Optional<Eviction> told = state
        .variants()
        .holder(submitted(state, id))
        .flatMap(holder -> nodeFailures.report(holder, node, now));
    state.variants().settle(now);
    return told.flatMap(eviction ->
        VariantNames.isVariant(eviction.workload()) ? lifecycles.books().take(id) : told);
  }

  boolean nodeRecovered(WorkloadId id, String node) {
    return state
        .variants()
        .holder(submitted(state, id))
        .filter(holder -> nodeFailures.withdraw(holder, node))
        .isPresent();
  }

  /**
   * Frees what an evicted workload held and queues it again. {@return whether it was waiting for
   * that}
   */
  boolean podsStopped(WorkloadId id, Instant now) {
    WorkloadRecord record = state.submitted(id);
    if (record == null || !record.isToldToStop()) {
      return false;
    }
    state.fairness().sampleUntil(now);
    lifecycles.stopped(record, now);
    state.variants().settle(now);
    slices.settle(record, now);
    return true;
  }

  AdmissionResult tryAdmit(Workload workload, TryAdmitOptions options, Instant now) {
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
    Optional<Obstacles.Obstacle> obstacle = obstacles.toQueueing(record);
    if (obstacle.isPresent()) {
      return new AdmissionResult.Pending(
          workload.id(), obstacle.get().cause(), ImmutableList.of(obstacle.get().reason()));
    }
    QueueState target = state.pending().target(record).orElseThrow();
    if (state.variants().areUsed(workload, target)) {
      return tryVariants(record, target, options, now);
    }
    Candidate candidate = state.pending().candidate(record, target);
    Attempt attempt = attempt(candidate);
    if (!attempt.isAdmitted()) {
      return attempt.victims().isEmpty()
          ? explainer.pending(candidate, attempt)
          : preempting(record, candidate, attempt, options, now);
    }
    if (block.keepsBack(record)) {
      return explainer.pending(candidate, block.attempt());
    }
    Admission admission = decisions.admission(candidate, attempt, now);
    effects.admit(record, candidate, attempt, admission, now);
    if (known == null) {
      state.add(record);
    }
    slices.settle(record, now);
    // What has only its quota yet is told of when it may start, and so are the slices.
    return record.lifecycle().isAdmitted()
        ? new AdmissionResult.Admitted(admission, slices.tell(workload.id()))
        : standing(record);
  }

  /**
   * {@return how a trial ends of a candidate of its own, so that it leaves no trace in the memory
   * of one that is queued}
   */
  private Attempt attempt(Candidate candidate) {
    return schedulingCycle.run(List.of(candidate), state.cycles()).get(0).attempt();
  }

  /** Tries the flavors one after another, each as the variant that is or would be queued. */
  private AdmissionResult tryVariants(
      WorkloadRecord record, QueueState target, TryAdmitOptions options, Instant now) {
    List<AdmissionResult.Pending> failed = new ArrayList<>();
    for (WorkloadRecord variant : state.variants().toTry(record, target, now)) {
      Candidate candidate = state.pending().candidate(variant, target);
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
      WorkloadRecord record, Candidate candidate, Attempt attempt, Instant now) {
    WorkloadId id = candidate.compiled().source().id();
    if (state.record(id) == null) {
      state.pending().enqueue(record, now);
      state.add(record);
      state.variants().settle(now);
    }
    Admission admission = decisions.admission(candidate, attempt, now);
    effects.admit(known(state, id), candidate, attempt, admission, now);
    state.variants().settle(now);
    // It is told by the answer.
    lifecycles.books().takeAdmitted(record.workload().id());
    return standing(record);
  }

  private AdmissionResult preempting(
      WorkloadRecord record,
      Candidate candidate,
      Attempt attempt,
      TryAdmitOptions options,
      Instant now) {
    ImmutableList<PreemptionVictim> victims = decisions.victims(candidate, attempt.victims());
    if (options.evictsVictims()) {
      effects.preempt(candidate, attempt, now);
      Candidate queued = record.candidate;
      if (queued != null) {
        state.pending().take(queued);
        effects.setProgress(queued, candidate.progress());
        effects.requeue(queued, attempt, now);
      }
      state.variants().settle(now);
    }
    return new AdmissionResult.Preempting(
        VariantNames.submitted(candidate.compiled().source().id()), victims);
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

  /**
   * {@return the ClusterQueue whose quota a workload holds, else the one that its LocalQueue leads
   * to, which need not exist}
   */
  static Optional<String> clusterQueue(EngineState state, WorkloadRecord record) {
    Reservation reservation = record.reservation;
    return reservation != null
        ? Optional.of(reservation.queue().name())
        : state.configuration().localQueue(record.localQueueKey()).map(LocalQueue::clusterQueue);
  }
}
