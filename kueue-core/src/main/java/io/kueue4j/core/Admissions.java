package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.Attempt;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.cycle.Nominator;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.cycle.SchedulingCycle;
import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.PodPlacer;
import io.kueue4j.core.flavor.ReplacedSlice;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadValidator;
import io.kueue4j.core.preemption.PreemptionRules;
import io.kueue4j.core.preemption.Victim;
import io.kueue4j.core.preemption.VictimFinder;
import io.kueue4j.core.preemption.VictimSource;
import io.kueue4j.core.queue.RequeueReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The calls of an engine that concern workloads. Not safe for several threads.
 *
 * <p>Rules: U-8, U-9, U-17, U-18, S-3, S-22 … S-24, Q-14, Q-20, E-1, E-6, E-7.
 */
final class Admissions {
  private final EngineState state;
  private final Obstacles obstacles;
  private final Explainer explainer;
  private final Decisions decisions;
  private final NodeFailures nodeFailures;
  private final WorkloadSlices slices;
  private final SchedulingCycle schedulingCycle;

  Admissions(EngineState state) {
    this(state, UnaryOperator.identity());
  }

  /** Creates the calls with what finds victims wrapped, so that a test may let it fail. */
  @VisibleForTesting
  Admissions(EngineState state, UnaryOperator<VictimSource> wrapper) {
    this.state = state;
    this.obstacles = new Obstacles(state);
    this.explainer = new Explainer(state);
    this.decisions = new Decisions(state);
    this.nodeFailures = new NodeFailures(state);
    this.slices = new WorkloadSlices(state);
    EngineRules rules = new EngineRules(state.settings());
    PreemptionRules preemption = rules.preemption();
    Nominator nominator = new Nominator(
        state.configuration().flavors(),
        rules.assignment(),
        new PodPlacer(state.inventories(), state.catalog(), rules.slicesKeepPlaces()),
        preemptor ->
            wrapper.apply(new VictimFinder(preemption, state.fairness().usage(), preemptor)),
        slices::replacedBy,
        rules.cycle());
    this.schedulingCycle = new SchedulingCycle(nominator, rules.cycle(), obstacles::toNomination);
  }

  static WorkloadRecord known(EngineState state, WorkloadId id) {
    WorkloadRecord record = state.record(id);
    checkArgument(record != null, "workload %s is not known; submit it first", id);
    return record;
  }

  AdmissionResult submit(Workload workload, Instant now) {
    state.deliverEvents(now);
    WorkloadRecord known = state.record(workload.id());
    if (known != null) {
      checkSame(known, workload);
      return standing(known);
    }
    Optional<AdmissionResult> rejected = reject(workload);
    if (rejected.isPresent()) {
      return rejected.get();
    }
    WorkloadRecord record = state.newRecord(workload, now);
    state.enqueue(record, now);
    state.add(record);
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
    WorkloadRecord record = known(state, workload.id());
    Optional<AdmissionResult> rejected = reject(workload);
    if (rejected.isPresent() || record.workload().equals(workload)) {
      return rejected.orElseGet(() -> standing(record));
    }
    if (record.reservation == null) {
      boolean deactivated = record.workload().active() && !workload.active();
      state.change(record, workload, now);
      if (deactivated) {
        state.eventOf(record);
      }
      return settled(record, now);
    }
    ImmutableList<Reason> broken = ReservedWorkloads.brokenByUpdate(
        record.workload(), workload, record.reservation.admission(), slices.isSlice(workload));
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
    return standing(record);
  }

  boolean forget(WorkloadId id, Instant now) {
    WorkloadRecord record = state.record(id);
    if (record == null) {
      return false;
    }
    state.forget(record, now);
    return true;
  }

  boolean recorded(WorkloadId id) {
    WorkloadRecord record = state.record(id);
    if (record == null || record.reservation == null) {
      return false;
    }
    state.reservations().advanceGeneration(record.reservation);
    return true;
  }

  Optional<Admission> admission(WorkloadId id) {
    WorkloadRecord record = state.record(id);
    return record == null ? Optional.empty() : record.admission();
  }

  /** {@return for what a workload was told to stop that still holds its quota} */
  Optional<PreemptedCondition> preempted(WorkloadId id) {
    WorkloadRecord record = state.record(id);
    return record == null || !record.isToldToStop() ? Optional.empty() : record.preempted();
  }

  WorkloadRecord restore(Workload workload, Admission admission, Instant now) {
    checkArgument(
        state.record(workload.id()) == null, "workload %s is known already", workload.id());
    checkArgument(
        admission.workload().equals(workload.id()),
        "the admission is of workload %s, expected %s",
        admission.workload(),
        workload.id());
    ImmutableList<Violation> violations = WorkloadValidator.validate(workload);
    checkArgument(violations.isEmpty(), "%s", Joiner.on('\n').join(violations));
    ReservedWorkloads.checkAssignments(workload, admission);
    QueueState queue = state
        .queue(admission.clusterQueue())
        .orElseThrow(() -> new IllegalArgumentException(
            "workload " + workload.id() + " was admitted by ClusterQueue "
                + admission.clusterQueue() + ", which does not exist; apply it first"));
    state.fairness().sampleUntil(now);
    WorkloadRecord record = state.newRecord(workload, now);
    state.reservations().reserve(record, queue, admission);
    state.add(record);
    slices.settle(record, now);
    return record;
  }

  WorkloadRecord restore(
      Workload workload, Admission admission, PreemptedCondition preempted, Instant now) {
    WorkloadRecord record = restore(workload, admission, now);
    state.reservations().evict(record, preempted, null);
    return record;
  }

  Optional<Instant> tick(Instant now) {
    state.deliverEvents(now);
    state.queues().stream()
        .filter(queue -> queue.pending().hasWork())
        .forEach(queue -> state.releaseDue(queue, now));
    return Stream.concat(
            Stream.concat(
                state.fairness().nextSampling().stream(), nodeFailures.nextSearch(now).stream()),
            state.queues().stream().flatMap(queue -> queue.pending().nextRelease().stream()))
        .min(Comparator.naturalOrder());
  }

  /** Runs a cycle. All is decided before anything is done; until then a failure changes nothing. */
  CycleResult runCycle(Instant now) {
    state.deliverEvents(now);
    nodeFailures.repair(now);
    List<Candidate> heads = new ArrayList<>();
    Map<Candidate, Attempt> attempts;
    Map<Candidate, Admission> admitted = new LinkedHashMap<>();
    ImmutableList.Builder<PreemptionVictim> preempted = ImmutableList.builder();
    ImmutableList.Builder<AdmissionResult.Pending> pending = ImmutableList.builder();
    try {
      popHeads(heads, now);
      if (heads.isEmpty()) {
        return result(ImmutableList.of(), ImmutableList.of(), ImmutableList.of());
      }
      attempts = schedulingCycle.run(heads, state.cycles() + 1);
      attempts.forEach((head, attempt) -> {
        if (attempt.isAdmitted()) {
          admitted.put(head, decisions.admission(head, attempt, now));
        } else {
          attempt.victims().stream()
              .filter(victim -> !victim.holder().isEvicted())
              .forEach(victim -> preempted.add(decisions.victim(head, victim)));
          pending.add(explainer.pending(head, attempt));
        }
      });
    } catch (RuntimeException | Error failure) {
      for (Candidate head : heads) {
        head.queue().pending().unpop(head);
        state.pendingChanged(head.queue());
      }
      throw failure;
    }
    state.nextCycle();
    attempts.forEach((head, attempt) -> {
      Admission admission = admitted.get(head);
      if (admission != null) {
        admit(known(state, head.compiled().source().id()), head, attempt, admission, now);
      } else {
        preempt(head, attempt, now);
        requeue(head, attempt, now);
      }
    });
    // Only now, since a slice that is over may have been tried in the same cycle.
    admitted.keySet().forEach(head -> {
      WorkloadRecord record = state.record(head.compiled().source().id());
      if (record != null) {
        slices.settle(record, now);
      }
    });
    return result(ImmutableList.copyOf(admitted.values()), preempted.build(), pending.build());
  }

  private CycleResult result(
      ImmutableList<Admission> admitted,
      ImmutableList<PreemptionVictim> preempted,
      ImmutableList<AdmissionResult.Pending> pending) {
    NodeFailures.Repairs repairs = nodeFailures.tell();
    return new CycleResult(
        admitted, preempted, pending, repairs.replaced(), repairs.evicted(), slices.tell());
  }

  Optional<Eviction> nodeFailed(WorkloadId id, String node, Instant now) {
    return nodeFailures.report(known(state, id), node, now);
  }

  boolean nodeRecovered(WorkloadId id, String node) {
    return nodeFailures.withdraw(known(state, id), node);
  }

  private void popHeads(List<Candidate> heads, Instant now) {
    for (QueueState queue : state.queuesWithWork()) {
      state.releaseDue(queue, now);
      Candidate head = queue.pop();
      if (head != null) {
        heads.add(head);
      }
    }
  }

  /** Tells the victims of an attempt to stop, unless they were told before. */
  private void preempt(Candidate preemptor, Attempt attempt, Instant now) {
    for (Victim victim : attempt.victims()) {
      if (!victim.holder().isEvicted()) {
        WorkloadRecord record = known(state, victim.holder().workload().source().id());
        PreemptedBy by = new PreemptedBy(
            preemptor.compiled().source().id(), preemptor.queue().name());
        state.reservations().evict(record, new PreemptedCondition(victim.reason(), now), by);
      }
    }
  }

  /**
   * Frees what an evicted workload held and queues it again. {@return whether it was waiting for
   * that}
   */
  boolean podsStopped(WorkloadId id, Instant now) {
    WorkloadRecord record = state.record(id);
    if (record == null || !record.isToldToStop()) {
      return false;
    }
    state.fairness().sampleUntil(now);
    state.eventOf(record);
    state.reservations().release(record);
    slices.settle(record, now);
    if (state.record(id) != null) {
      state.enqueue(record, now);
    }
    return true;
  }

  AdmissionResult tryAdmit(Workload workload, TryAdmitOptions options, Instant now) {
    state.fairness().sampleUntil(now);
    WorkloadRecord known = state.record(workload.id());
    if (known != null) {
      checkSame(known, workload);
      if (known.reservation != null) {
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
    // A candidate of its own, so that the trial leaves no trace in the memory of one that is
    // queued.
    Candidate candidate = state.candidate(record, state.target(record).orElseThrow());
    Attempt attempt = Objects.requireNonNull(
        schedulingCycle.run(List.of(candidate), state.cycles()).get(candidate));
    if (!attempt.isAdmitted()) {
      return attempt.victims().isEmpty()
          ? explainer.pending(candidate, attempt)
          : preempting(record, candidate, attempt, options, now);
    }
    Admission admission = decisions.admission(candidate, attempt, now);
    admit(record, candidate, attempt, admission, now);
    if (known == null) {
      state.add(record);
    }
    slices.settle(record, now);
    return new AdmissionResult.Admitted(admission, slices.tell(workload.id()));
  }

  private AdmissionResult preempting(
      WorkloadRecord record,
      Candidate candidate,
      Attempt attempt,
      TryAdmitOptions options,
      Instant now) {
    ImmutableList<PreemptionVictim> victims = attempt.victims().stream()
        .map(victim -> decisions.victim(candidate, victim))
        .collect(toImmutableList());
    if (options.evictsVictims()) {
      preempt(candidate, attempt, now);
      Candidate queued = record.candidate;
      if (queued != null) {
        state.take(queued);
        queued.setProgress(candidate.progress());
        requeue(queued, attempt, now);
      }
    }
    return new AdmissionResult.Preempting(candidate.compiled().source().id(), victims);
  }

  private void admit(
      WorkloadRecord record,
      Candidate candidate,
      Attempt attempt,
      Admission admission,
      Instant now) {
    Assignment assignment = Objects.requireNonNull(attempt.assignment());
    ReplacedSlice replaced = assignment.replaced();
    if (replaced == null) {
      state.reservations().reserve(record, candidate.queue(), admission, assignment);
    } else {
      // The assignment tells the difference; nobody sees the one without the other.
      slices.replace(replaced, record, now);
      state.reservations().reserve(record, candidate.queue(), admission);
    }
    state.fairness().quotaReserved(record, candidate.queue());
    state.fairness().admitted(record, candidate.queue(), admission.quotaReservedTime());
  }

  private void requeue(Candidate head, Attempt attempt, Instant now) {
    head.setLastAttempt(attempt.toKeep());
    RequeueReason reason = Objects.requireNonNull(attempt.requeueReason());
    boolean pendingFlavors = head.progress() != null && head.progress().hasPendingFlavors();
    if (!pendingFlavors) {
      // The next walk starts at the first flavor in any case.
      head.setProgress(null);
    }
    head.queue().pending().requeue(head, reason, pendingFlavors, now);
    state.pendingChanged(head.queue());
  }

  private AdmissionResult standing(WorkloadRecord record) {
    return record
        .admission()
        .<AdmissionResult>map(AdmissionResult.Admitted::new)
        .orElseGet(() -> explainer.pending(record));
  }

  private static Optional<AdmissionResult> reject(Workload workload) {
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
