package io.kueue4j.core.internal.operation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.Refusal;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.preemption.PreemptionBounds;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.Tried;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs cycles: takes the heads of all queues, tries them, and commits the outcome. Also tries
 * single workloads at once, each as the only head of a cycle.
 *
 * <p>Rules: U-8, U-9, PL-2, PL-3, PL-4, S-3, S-20, S-21, S-22, S-23, S-24, L-22, E-6.
 */
final class Cycles {
  private final EngineParts parts;
  private final EngineState state;
  private final AdmissionBlock block;

  Cycles(EngineParts parts) {
    this.parts = parts;
    this.state = parts.state;
    this.block = new AdmissionBlock(state);
  }

  /** Runs a cycle, unless an admission waits for the pods of others to be ready. */
  void run(Instant now) {
    if (!block.isWaiting()) {
      Optional<Admission> due = block.takeDue(now);
      if (due.isPresent() && !parts.windows.isMetBy(due.get(), now)) {
        commit(due.get());
      } else {
        tryHeads(now);
      }
    }
  }

  /** Commits the admission before which the last cycle ended. */
  private void commit(Admission admission) {
    WorkloadRecord record = state.require(admission.workload());
    Head head = Objects.requireNonNull(record.head());
    admit(record, head.queue(), null, parts.slices.replacedBy(head), admission);
    parts.slices.settle(record, admission.quotaReservedTime());
  }

  /** Tries the heads of all queues: all are decided on before anything is committed. */
  private void tryHeads(Instant now) {
    parts.promiser.renew(now);
    List<Head> heads = heads(now);
    if (!heads.isEmpty()) {
      commit(decide(heads, now), now);
    }
  }

  private Plan decide(List<Head> heads, Instant now) {
    int admissible = block.admissible();
    List<Tried> tried = parts.schedulingCycle.run(heads, state.cycles() + 1, now, bounds(now));
    List<Outcome> outcomes = new ArrayList<>(tried.size());
    int admitted = 0;
    for (Tried each : tried) {
      Head head = each.head();
      Attempt attempt = each.attempt();
      if (!attempt.isAdmitted()) {
        outcomes.add(new Outcome(each, null, waiting(head, attempt)));
        continue;
      }
      Admission admission = parts.factory.admission(head, attempt, now);
      if (admitted == admissible) {
        return new Plan(
            outcomes, new Stop(head, admission, parts.explainer.pending(head, block.attempt())));
      }
      outcomes.add(new Outcome(each, admission, ImmutableList.of()));
      admitted++;
    }
    return new Plan(outcomes, null);
  }

  private void commit(Plan plan, Instant now) {
    state.nextCycle();
    state.announcements().tried(Lists.transform(plan.outcomes, Outcome::tried));
    for (Outcome outcome : plan.outcomes) {
      commit(outcome, now);
    }
    // Last, because a finished elastic slice may have been tried in the same cycle.
    for (Outcome outcome : plan.outcomes) {
      if (outcome.admission != null) {
        parts.slices.settle(outcome.tried.head().record(), now);
      }
    }
    Stop stop = plan.stop;
    parts.promiser.tried(Lists.transform(plan.outcomes, Outcome::tried), now);
    if (stop != null) {
      state.announcements().decided(stop.reported);
      state.pending().setLastAttempt(stop.head, block.attempt(), now);
      block.stopBefore(stop.head, stop.admission);
    }
  }

  /**
   * The outcome of one attempt.
   *
   * @param tried the head and its attempt
   * @param admission the admission of the workload, null if it is not admitted
   * @param decisions the victims to evict for it and why it waits, empty if it is admitted
   */
  private record Outcome(
      Tried tried, @Nullable Admission admission, ImmutableList<Decision> decisions) {}

  /**
   * The end of a cycle before an admission that waits for the pods of others to be ready.
   *
   * @param head the workload that would be admitted
   * @param admission its admission
   * @param reported why it waits
   */
  private record Stop(Head head, Admission admission, AdmissionResult.Pending reported) {}

  /**
   * What a cycle has decided.
   *
   * @param outcomes the outcomes, in the order in which the heads were processed
   * @param stop the end of the cycle, null if it tried all heads
   */
  private record Plan(List<Outcome> outcomes, @Nullable Stop stop) {}

  /** {@return the victims that an attempt evicts, and why the head waits} */
  private ImmutableList<Decision> waiting(Head head, Attempt attempt) {
    AdmissionResult.Pending pending = parts.explainer.pending(head, attempt);
    if (attempt.victims().isEmpty()) {
      return ImmutableList.of(pending);
    }
    List<Victim> evicted = attempt.victims().stream()
        .filter(victim -> !victim.holder().isEvicted())
        .toList();
    return ImmutableList.<Decision>builder()
        .addAll(parts.factory.victims(head, evicted))
        .add(pending)
        .build();
  }

  private void commit(Outcome outcome, Instant now) {
    Head head = outcome.tried.head();
    Attempt attempt = outcome.tried.attempt();
    if (outcome.admission == null) {
      for (Decision decision : outcome.decisions) {
        state.announcements().decided(decision);
      }
      preempt(head, attempt, now);
      state.pending().requeue(head, attempt, now);
      retry(head, attempt);
      parts.guard.tried(head, attempt, parts.explainer, now);
    } else {
      admit(head.record(), head, attempt, outcome.admission);
    }
  }

  /** Makes due promised workloads active, and returns the heads of the cycle. */
  private List<Head> heads(Instant now) {
    List<Head> due = parts.promiser.due(now);
    due.forEach(state.pending()::activate);
    List<Head> heads = new ArrayList<>(due);
    Set<QueueState> served =
        due.isEmpty() ? Set.of() : new HashSet<>(Lists.transform(due, Head::queue));
    for (QueueState queue : state.queueStore().withWork()) {
      Head head = served.contains(queue) ? null : state.pending().head(queue);
      if (head != null) {
        heads.add(head);
      }
    }
    return heads;
  }

  // ----- effects

  private void admit(WorkloadRecord record, Head head, Attempt attempt, Admission admission) {
    Assignment assignment = Objects.requireNonNull(attempt.assignment());
    parts.promiser.starts(head, assignment, admission.quotaReservedTime());
    admit(record, head.queue(), assignment, assignment.replaced(), admission);
  }

  /**
   * Reserves the quota of {@code admission} for a workload, which takes over from the slice that it
   * replaces, if any, and records whether the workload may start.
   *
   * @param assignment the assignment of the admission, null if it is unknown
   */
  private void admit(
      WorkloadRecord record,
      QueueState queue,
      @Nullable Assignment assignment,
      @Nullable ReplacedSlice replaced,
      Admission admission) {
    Instant now = admission.quotaReservedTime();
    if (replaced != null) {
      // The assignment covers the increase over the replaced slice; both are swapped in one step.
      parts.slices.replace(replaced, record, now);
    }
    if (assignment == null || replaced != null) {
      state.reservations().reserve(record, queue, admission);
    } else {
      state.reservations().reserve(record, queue, admission, assignment);
    }
    state.fairness().quotaReserved(record, queue, now);
    Reservation reservation = Objects.requireNonNull(record.reservation());
    if (!parts.lifecycles.quotaReserved(record, reservation, now)) {
      Admission submitted = VariantNames.submitted(admission);
      state
          .announcements()
          .decided(new AdmissionResult.Reserved(submitted, Explainer.missing(record)));
      return;
    }
    state.fairness().admitted(record, queue, now);
    if (record.isVariant()) {
      // The decision names the submitted workload and keeps the order of admission.
      parts.settlement.settle(record.id(), now);
    } else {
      state.announcements().decided(new AdmissionResult.Admitted(admission));
    }
  }

  /** Evicts the victims of an attempt, unless they were evicted before. */
  private void preempt(Head preemptor, Attempt attempt, Instant now) {
    PreemptionBounds bounds = bounds(now);
    if (bounds != null && !attempt.victims().isEmpty()) {
      Assignment assignment = Objects.requireNonNull(attempt.assignment());
      bounds.count(preemptor.queue().name(), assignment, attempt.victims());
      bounds.commit();
    }
    for (Victim victim : attempt.victims()) {
      if (!victim.holder().isEvicted()) {
        parts.lifecycles.preempt(
            state.require(victim.holder().id()),
            new PreemptedCondition(victim.reason(), now),
            new PreemptedBy(
                VariantNames.submitted(preemptor.id()), preemptor.queue().name()),
            AdmissionFactory.message(preemptor, victim));
      }
    }
  }

  /** {@return the limits of preemption for a cycle, null if there are none} */
  private @Nullable PreemptionBounds bounds(Instant now) {
    return PreemptionBounds.of(
        state.preemptions(), now, id -> state.require(id).lifecycle().preemptions());
  }

  /** Has a queue tried again when the limits of preemption may allow what an attempt needs. */
  private void retry(Head head, Attempt attempt) {
    Refusal refusal = attempt.refusal();
    if (refusal != null && !refusal.retry().equals(Instant.MAX)) {
      state.preemptions().retry(head.queue().name(), refusal.retry());
    }
  }

  // ----- single workloads

  /** What a trial has decided. */
  private sealed interface TrialPlan {}

  /** Nothing changes: the workload does not fit. */
  private record DoesNotFit(AdmissionResult.Pending result) implements TrialPlan {}

  /**
   * Nothing changes: the workload waits, whether it fits or not, or it is an elastic slice that
   * would finish at once.
   */
  private record NoChange(AdmissionResult result) implements TrialPlan {}

  /**
   * Victims have to stop first.
   *
   * @param record the workload or its variant
   * @param head the head that was tried
   * @param attempt its outcome
   * @param victims the victims
   */
  private record Preempt(
      WorkloadRecord record, Head head, Attempt attempt, ImmutableList<PreemptionVictim> victims)
      implements TrialPlan {}

  /**
   * Quota is reserved.
   *
   * @param record the workload, even if a variant of it was tried
   * @param head the head that was tried
   * @param attempt its outcome
   * @param admission the admission of the workload or variant that was tried
   */
  private record Admit(WorkloadRecord record, Head head, Attempt attempt, Admission admission)
      implements TrialPlan {}

  /** Tries a workload that is valid and holds no quota, and may be unknown to the state. */
  AdmissionResult tryAdmit(WorkloadRecord record, TryAdmitOptions options, Instant now) {
    TrialPlan plan = decide(record, now);
    if (plan instanceof Admit admit) {
      commit(admit, now);
      return parts.explainer.current(record);
    } else if (plan instanceof Preempt preempt) {
      return commit(preempt, options, now);
    } else if (plan instanceof NoChange unchanged) {
      return unchanged.result;
    }
    return ((DoesNotFit) plan).result;
  }

  private TrialPlan decide(WorkloadRecord record, Instant now) {
    parts.promiser.renew(now);
    Workload workload = record.workload();
    Optional<AdmissionResult.Pending> obstacle = parts.obstacles.toQueueing(record);
    if (obstacle.isPresent()) {
      return new NoChange(obstacle.get());
    }
    QueueState target = state.pending().target(record).orElseThrow();
    if (state.variants().areUsed(workload, target)) {
      return decideOnVariants(record, target, now);
    }
    return decide(record, record, target, now);
  }

  /** Tries the flavors one after another, each as the variant that is queued or would be. */
  private TrialPlan decideOnVariants(WorkloadRecord record, QueueState target, Instant now) {
    List<AdmissionResult.Pending> failed = new ArrayList<>();
    for (WorkloadRecord variant : parts.settlement.toTry(record, target, now)) {
      TrialPlan plan = decide(record, variant, target, now);
      if (!(plan instanceof DoesNotFit unfit)) {
        return plan;
      }
      failed.add(unfit.result);
    }
    return new NoChange(Explainer.together(record.id(), failed));
  }

  /**
   * Tries a separate head, so that the scan progress and the last attempt of a queued one do not
   * change.
   *
   * @param record the workload
   * @param tried the workload or its variant
   */
  private TrialPlan decide(
      WorkloadRecord record, WorkloadRecord tried, QueueState target, Instant now) {
    Head head = state.pending().newHead(tried, target);
    // The attempt changes usage in trials.
    QueueQuota unused = state.queueStore().ownQuota(target);
    Optional<AdmissionResult.Rejected> rejection = parts.slices.rejection(tried, head);
    if (rejection.isPresent()) {
      return new NoChange(rejection.get());
    }
    Attempt attempt = parts
        .schedulingCycle
        .run(List.of(head), state.cycles(), now, bounds(now))
        .get(0)
        .attempt();
    if (!attempt.victims().isEmpty()) {
      return new Preempt(tried, head, attempt, parts.factory.victims(head, attempt.victims()));
    }
    if (!attempt.isAdmitted()) {
      return new DoesNotFit(parts.explainer.pending(head, attempt));
    }
    return block.keepsBack(tried)
        ? new NoChange(parts.explainer.pending(head, block.attempt()))
        : new Admit(record, head, attempt, parts.factory.admission(head, attempt, now));
  }

  private void commit(Admit admit, Instant now) {
    WorkloadRecord record = admit.record;
    WorkloadId id = admit.admission.workload();
    boolean isOfVariant = !id.equals(record.id());
    if (isOfVariant && state.record(id) == null) {
      state.pending().enqueue(record, now);
      state.add(record);
      parts.settlement.settle(now);
    }
    WorkloadRecord tried = isOfVariant ? state.require(id) : record;
    boolean isNew = state.record(id) == null;
    admit(tried, admit.head, admit.attempt, admit.admission);
    if (isNew) {
      state.add(tried);
    }
    parts.settlement.settle(now);
    parts.slices.settle(tried, now);
  }

  private AdmissionResult commit(Preempt preempt, TryAdmitOptions options, Instant now) {
    Head head = preempt.head;
    if (options.evictsVictims()) {
      preempt.victims.forEach(state.announcements()::decided);
      preempt(head, preempt.attempt, now);
      Head queued = preempt.record.head();
      if (queued != null) {
        state.pending().activate(queued);
        queued.setProgress(head.progress());
        state.pending().requeue(queued, preempt.attempt, now);
      }
      parts.settlement.settle(now);
    }
    return new AdmissionResult.Preempting(VariantNames.submitted(head.id()), preempt.victims);
  }
}
