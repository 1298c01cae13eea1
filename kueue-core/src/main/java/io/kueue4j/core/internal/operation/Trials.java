package io.kueue4j.core.internal.operation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.cycle.SchedulingCycle;
import io.kueue4j.core.internal.elastic.ElasticSlices;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.explain.QueueingPreconditions;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.variant.VariantSettlement;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tries single workloads at once, each as the only head of a cycle. */
final class Trials {
  private final EngineState state;
  private final SchedulingCycle schedulingCycle;
  private final QueueingPreconditions obstacles;
  private final AdmissionFactory factory;
  private final Explainer explainer;
  private final CurrentResults current;
  private final AdmissionBlock block;
  private final ElasticSlices slices;
  private final AttemptCommitter effects;
  private final VariantSettlement settlement;

  Trials(
      EngineParts parts,
      SchedulingCycle schedulingCycle,
      QueueingPreconditions obstacles,
      AdmissionFactory factory,
      Explainer explainer,
      AdmissionBlock block,
      AttemptCommitter effects) {
    this.state = parts.state();
    this.schedulingCycle = schedulingCycle;
    this.obstacles = obstacles;
    this.factory = factory;
    this.explainer = explainer;
    this.current = new CurrentResults(state, explainer);
    this.block = block;
    this.slices = parts.slices();
    this.effects = effects;
    this.settlement = parts.settlement();
  }

  /** What a trial has decided. */
  private sealed interface Plan {}

  /** Nothing changes: the workload does not fit. */
  private record DoesNotFit(AdmissionResult.Pending result) implements Plan {}

  /** Nothing changes: the workload is an elastic slice that would finish at once. */
  private record Reject(AdmissionResult.Rejected result) implements Plan {}

  /** Nothing changes: the workload waits, whether it fits or not. */
  private record Wait(AdmissionResult.Pending result) implements Plan {}

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
      implements Plan {}

  /**
   * Quota is reserved.
   *
   * @param record the workload, even if a variant of it was tried
   * @param head the head that was tried
   * @param attempt its outcome
   * @param admission the admission of the workload or variant that was tried
   */
  private record Admit(WorkloadRecord record, Head head, Attempt attempt, Admission admission)
      implements Plan {
    boolean ofVariant() {
      return !admission.workload().equals(record.workload().id());
    }
  }

  /** Tries a workload that is valid and holds no quota, and may be unknown to the state. */
  AdmissionResult run(WorkloadRecord record, TryAdmitOptions options, Instant now) {
    Plan plan = decide(record, now);
    if (plan instanceof Admit admit) {
      return admit.ofVariant() ? commitVariant(admit, now) : commit(admit, now);
    } else if (plan instanceof Preempt preempt) {
      return commit(preempt, options, now);
    } else if (plan instanceof Wait wait) {
      return wait.result;
    } else if (plan instanceof Reject reject) {
      return reject.result;
    }
    return ((DoesNotFit) plan).result;
  }

  private Plan decide(WorkloadRecord record, Instant now) {
    Workload workload = record.workload();
    Optional<QueueingPreconditions.Obstacle> obstacle = obstacles.toQueueing(record);
    if (obstacle.isPresent()) {
      return new Wait(new AdmissionResult.Pending(
          workload.id(), obstacle.get().cause(), ImmutableList.of(obstacle.get().reason())));
    }
    QueueState target = state.pending().target(record).orElseThrow();
    if (state.variants().areUsed(workload, target)) {
      return decideOnVariants(record, target, now);
    }
    return decide(record, record, target, now);
  }

  /** Tries the flavors one after another, each as the variant that is queued or would be. */
  private Plan decideOnVariants(WorkloadRecord record, QueueState target, Instant now) {
    List<AdmissionResult.Pending> failed = new ArrayList<>();
    for (WorkloadRecord variant : settlement.toTry(record, target, now)) {
      Plan plan = decide(record, variant, target, now);
      if (!(plan instanceof DoesNotFit unfit)) {
        return plan;
      }
      failed.add(unfit.result);
    }
    return new Wait(Explainer.together(record.workload().id(), failed));
  }

  /**
   * Tries a separate head, so that the scan progress and the last attempt of a queued one do not
   * change.
   *
   * @param record the workload
   * @param tried the workload or its variant
   */
  private Plan decide(WorkloadRecord record, WorkloadRecord tried, QueueState target, Instant now) {
    Head head = state.pending().newHead(tried, target);
    // The attempt changes usage in trials.
    QueueQuota unused = state.ownQuota(target);
    Optional<AdmissionResult.Rejected> rejection = slices.rejection(tried, head);
    if (rejection.isPresent()) {
      return new Reject(rejection.get());
    }
    Attempt attempt = schedulingCycle.run(List.of(head), state.cycles()).get(0).attempt();
    if (!attempt.victims().isEmpty()) {
      return new Preempt(tried, head, attempt, factory.victims(head, attempt.victims()));
    }
    if (!attempt.isAdmitted()) {
      return new DoesNotFit(explainer.pending(head, attempt));
    }
    return block.keepsBack(tried)
        ? new Wait(explainer.pending(head, block.attempt()))
        : new Admit(record, head, attempt, factory.admission(head, attempt, now));
  }

  private AdmissionResult commit(Admit admit, Instant now) {
    WorkloadRecord record = admit.record;
    WorkloadId id = record.workload().id();
    boolean isNew = state.record(id) == null;
    effects.admit(record, admit.head, admit.attempt, admit.admission, now);
    if (isNew) {
      state.add(record);
    }
    slices.settle(record, now);
    if (!record.lifecycle().isAdmitted()) {
      // The decisions about the elastic slices that it replaces remain to be returned.
      return current.of(record);
    }
    AdmissionResult result = new AdmissionResult.Admitted(admit.admission, slices.takeFinished(id));
    state.decisions().announce(result);
    return result;
  }

  private AdmissionResult commitVariant(Admit admit, Instant now) {
    WorkloadRecord record = admit.record;
    WorkloadId id = admit.admission.workload();
    if (state.record(id) == null) {
      state.pending().enqueue(record, now);
      state.add(record);
      settlement.settle(now);
    }
    effects.admit(state.require(id), admit.head, admit.attempt, admit.admission, now);
    settlement.settle(now);
    // The result returned below reports this admission.
    state
        .decisions()
        .take(decision -> decision instanceof AdmissionResult.Admitted
            && decision.workload().equals(record.workload().id()));
    return current.of(record);
  }

  private AdmissionResult commit(Preempt preempt, TryAdmitOptions options, Instant now) {
    Head head = preempt.head;
    if (options.evictsVictims()) {
      preempt.victims.forEach(state.decisions()::announce);
      effects.preempt(head, preempt.attempt, now);
      Head queued = preempt.record.head();
      if (queued != null) {
        state.pending().take(queued);
        queued.setProgress(head.progress());
        state.pending().requeue(queued, preempt.attempt, now);
      }
      settlement.settle(now);
    }
    return new AdmissionResult.Preempting(
        VariantNames.submitted(head.compiled().source().id()), preempt.victims);
  }
}
