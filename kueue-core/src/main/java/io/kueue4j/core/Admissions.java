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
import io.kueue4j.core.flavor.Places;
import io.kueue4j.core.flavor.PodPlacer;
import io.kueue4j.core.flavor.PodSetFlavors;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadValidator;
import io.kueue4j.core.preemption.PreemptionRules;
import io.kueue4j.core.preemption.Victim;
import io.kueue4j.core.preemption.VictimFinder;
import io.kueue4j.core.preemption.VictimSource;
import io.kueue4j.core.queue.RequeueReason;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.topology.Inventory;
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
import org.jspecify.annotations.Nullable;

/**
 * The calls of an engine that concern workloads. Not safe for several threads.
 *
 * <p>Rules: U-8, U-9, U-17, U-18, S-3, S-22 … S-24, Q-14, Q-20.
 */
final class Admissions {
  private final EngineState state;
  private final Obstacles obstacles;
  private final Explainer explainer;
  private final NodeFailures nodeFailures;
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
    this.nodeFailures = new NodeFailures(state);
    EngineRules rules = new EngineRules(state.settings());
    PreemptionRules preemption = rules.preemption();
    Nominator nominator = new Nominator(
        state.configuration().flavors(),
        rules.assignment(),
        new PodPlacer(state.inventories(), state.fleets(), state.catalog()),
        preemptor ->
            wrapper.apply(new VictimFinder(preemption, state.fairness().usage(), preemptor)),
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
    return standing(record);
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
      return standing(record);
    }
    ImmutableList<Reason> broken = ReservedWorkloads.brokenByUpdate(record.workload(), workload);
    if (!broken.isEmpty()) {
      return new AdmissionResult.Rejected(workload.id(), broken);
    }
    long priority = record.compiled().priority();
    boolean isEvent = !record.workload().reclaimablePods().equals(workload.reclaimablePods())
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
    state.fairness().sampleUntil(now);
    state.eventOf(record);
    state.reservations().release(record);
    state.remove(record);
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
          admitted.put(head, toAdmission(head, attempt, now));
        } else {
          attempt.victims().stream()
              .filter(victim -> !victim.holder().isEvicted())
              .forEach(victim -> preempted.add(toVictim(head, victim)));
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
        admit(known(state, head.compiled().source().id()), head, attempt, admission);
      } else {
        preempt(head, attempt, now);
        requeue(head, attempt, now);
      }
    });
    return result(ImmutableList.copyOf(admitted.values()), preempted.build(), pending.build());
  }

  private CycleResult result(
      ImmutableList<Admission> admitted,
      ImmutableList<PreemptionVictim> preempted,
      ImmutableList<AdmissionResult.Pending> pending) {
    NodeFailures.Repairs repairs = nodeFailures.tell();
    return new CycleResult(admitted, preempted, pending, repairs.replaced(), repairs.evicted());
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

  private PreemptionVictim toVictim(Candidate preemptor, Victim victim) {
    QuotaHolder holder = victim.holder();
    ImmutableList.Builder<PreemptionVictim.HeldQuota> frees =
        ImmutableList.builderWithExpectedSize(holder.size());
    for (int i = 0; i < holder.size(); i++) {
      frees.add(new PreemptionVictim.HeldQuota(
          state.catalog().flavorName(state.catalog().flavorOfPair(holder.pair(i))),
          state.catalog().resourceName(state.catalog().resourceOfPair(holder.pair(i))),
          holder.amount(i)));
    }
    return new PreemptionVictim(
        holder.workload().source().id(),
        holder.queue().name(),
        preemptor.compiled().source().id(),
        victim.reason(),
        frees.build());
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
    state.enqueue(record, now);
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
    Admission admission = toAdmission(candidate, attempt, now);
    admit(record, candidate, attempt, admission);
    if (known == null) {
      state.add(record);
    }
    return new AdmissionResult.Admitted(admission);
  }

  private AdmissionResult preempting(
      WorkloadRecord record,
      Candidate candidate,
      Attempt attempt,
      TryAdmitOptions options,
      Instant now) {
    ImmutableList<PreemptionVictim> victims = attempt.victims().stream()
        .map(victim -> toVictim(candidate, victim))
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
      WorkloadRecord record, Candidate candidate, Attempt attempt, Admission admission) {
    state
        .reservations()
        .reserve(
            record, candidate.queue(), admission, Objects.requireNonNull(attempt.assignment()));
    state.fairness().quotaReserved(record, candidate.queue());
    state.fairness().admitted(record, candidate.queue(), admission.quotaReservedTime());
  }

  private Admission toAdmission(Candidate candidate, Attempt attempt, Instant now) {
    Admission.Builder admission = Admission.builder()
        .workload(candidate.compiled().source().id())
        .clusterQueue(candidate.queue().name())
        .quotaReservedTime(now);
    Objects.requireNonNull(attempt.assignment())
        .podSets()
        .forEach(podSet -> admission.addPodSetAssignments(
            toAssignment(candidate, podSet, attempt.assignment().places())));
    return admission.build();
  }

  private PodSetAssignment toAssignment(
      Candidate candidate, PodSetFlavors podSet, @Nullable Places places) {
    PodSetAssignment.Builder assignment = PodSetAssignment.builder()
        .name(candidate.compiled().podSet(podSet.podSet()).source().name())
        .count(podSet.count());
    for (int i = 0; i < podSet.size(); i++) {
      String resource = state.catalog().resourceName(podSet.resource(i));
      assignment.putFlavors(
          resource, state.catalog().flavorName(state.catalog().flavorOfPair(podSet.pair(i))));
      assignment.putResourceUsage(resource, podSet.amount(i));
    }
    Places.PodSetPlace place = places == null ? null : places.of(podSet.podSet());
    if (place != null) {
      assignment.topologyAssignment(toAssignment(place));
    }
    Places.PodSetSlices of = places == null ? null : places.slicesOf(podSet.podSet());
    if (of != null) {
      of.slices().forEach(slice -> assignment.addSlices(new SliceAssignment(of.poolSet(), slice)));
    }
    return assignment.build();
  }

  private TopologyAssignment toAssignment(Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(state.inventories().of(place.flavor()));
    return new TopologyAssignment(
        inventory.assignedLevels(),
        place.leaves().stream()
            .map(leaf -> new TopologyAssignment.Domain(inventory.values(leaf.leaf()), leaf.count()))
            .collect(toImmutableList()));
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
