package io.kueue4j.core.internal.operation;

import io.kueue4j.core.decision.PreemptedBy;
import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.flavor.Assignment;
import io.kueue4j.core.internal.flavor.ReplacedSlice;
import io.kueue4j.core.internal.life.ElasticSlices;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.preemption.Victim;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Commits the outcomes of attempts: reserves quota, evicts victims, and requeues the other heads.
 *
 * <p>Rules: U-8, U-9, S-20, S-21, S-22, S-23, S-24, E-6.
 */
final class AttemptCommitter {
  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final ElasticSlices slices;

  AttemptCommitter(EngineState state, WorkloadTransitions lifecycles, ElasticSlices slices) {
    this.state = state;
    this.lifecycles = lifecycles;
    this.slices = slices;
  }

  /**
   * Reserves quota for a workload.
   *
   * @return whether it may start
   */
  boolean admit(
      WorkloadRecord record, Head head, Attempt attempt, Admission admission, Instant now) {
    Assignment assignment = Objects.requireNonNull(attempt.assignment());
    ReplacedSlice replaced = assignment.replaced();
    if (replaced != null) {
      // The assignment covers the increase over the replaced slice; both are swapped in one step.
      return admit(record, head.queue(), replaced, admission, now);
    }
    state.reservations().reserve(record, head.queue(), admission, assignment);
    return quotaReserved(record, head.queue(), admission);
  }

  /**
   * Reserves the quota of {@code admission} for a workload, which takes over from the slice that it
   * replaces, if any.
   *
   * @return whether it may start
   */
  boolean admit(
      WorkloadRecord record,
      QueueState queue,
      @Nullable ReplacedSlice replaced,
      Admission admission,
      Instant now) {
    if (replaced != null) {
      slices.replace(replaced, record, now);
    }
    state.reservations().reserve(record, queue, admission);
    return quotaReserved(record, queue, admission);
  }

  private boolean quotaReserved(WorkloadRecord record, QueueState queue, Admission admission) {
    Instant now = admission.quotaReservedTime();
    state.fairness().quotaReserved(record, queue, now);
    boolean starts =
        lifecycles.quotaReserved(record, Objects.requireNonNull(record.reservation()), now);
    if (starts) {
      state.fairness().admitted(record, queue, now);
    }
    return starts;
  }

  /** Evicts the victims of an attempt, unless they were evicted before. */
  void preempt(Head preemptor, Attempt attempt, Instant now) {
    for (Victim victim : attempt.victims()) {
      if (!victim.holder().isEvicted()) {
        WorkloadRecord record =
            state.require(victim.holder().workload().source().id());
        PreemptedBy by = new PreemptedBy(
            VariantNames.submitted(preemptor.compiled().source().id()),
            preemptor.queue().name());
        lifecycles.preempt(
            record,
            new PreemptedCondition(victim.reason(), now),
            by,
            PreemptionMessage.of(preemptor, victim));
      }
    }
  }
}
