package io.kueue4j.core.internal.operation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.cycle.SchedulingCycle;
import io.kueue4j.core.internal.cycle.SchedulingCycle.Tried;
import io.kueue4j.core.internal.elastic.ElasticSlices;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.preemption.Victim;
import io.kueue4j.core.internal.state.DecisionLog;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueuedWorkload;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.variant.VariantGuard;
import io.kueue4j.core.internal.variant.VariantSettlement;
import io.kueue4j.core.model.Admission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pops the heads of all queues, tries them in one cycle, and commits the outcome.
 *
 * <p>Rules: U-8, U-9, S-3, S-22, S-23, S-24, L-22.
 */
final class Cycles {
  private final EngineState state;
  private final SchedulingCycle schedulingCycle;
  private final AdmissionFactory factory;
  private final Explainer explainer;
  private final AdmissionBlock block;
  private final ElasticSlices slices;
  private final AttemptCommitter effects;
  private final DecisionLog decisions;
  private final VariantSettlement settlement;
  private final VariantGuard guard;

  Cycles(
      EngineState state,
      SchedulingCycle schedulingCycle,
      AdmissionFactory factory,
      Explainer explainer,
      AdmissionBlock block,
      ElasticSlices slices,
      AttemptCommitter effects,
      VariantSettlement settlement,
      VariantGuard guard) {
    this.state = state;
    this.schedulingCycle = schedulingCycle;
    this.factory = factory;
    this.explainer = explainer;
    this.block = block;
    this.slices = slices;
    this.effects = effects;
    this.decisions = state.decisions();
    this.settlement = settlement;
    this.guard = guard;
  }

  /** Runs a cycle, unless an admission waits for the pods of others to be ready. */
  void run(Instant now) {
    if (!block.isWaiting()) {
      Optional<Admission> due = block.takeDue(now);
      if (due.isPresent()) {
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
    Instant now = admission.quotaReservedTime();
    report(
        record,
        admission,
        effects.admit(record, head.queue(), slices.replacedBy(head), admission, now));
    slices.settle(record, now);
  }

  private void report(WorkloadRecord record, Admission admission, boolean starts) {
    if (starts && record.isVariant()) {
      // The decision names the submitted workload and keeps the order of admission.
      settlement.settle(admission.workload(), admission.quotaReservedTime());
    } else if (starts) {
      decisions.add(new AdmissionResult.Admitted(admission));
    } else {
      decisions.add(new AdmissionResult.Reserved(
          VariantNames.submitted(admission), Explainer.missing(record)));
    }
  }

  /** Tries the heads of all queues: all are decided on before anything is committed. */
  private void tryHeads(Instant now) {
    List<Head> heads = popHeads();
    if (!heads.isEmpty()) {
      commit(decide(heads, now), now);
    }
  }

  private Plan decide(List<Head> heads, Instant now) {
    int admissible = block.admissible();
    List<Tried> tried = schedulingCycle.run(heads, state.cycles() + 1);
    List<Outcome> outcomes = new ArrayList<>(tried.size());
    int admitted = 0;
    for (Tried each : tried) {
      Head head = each.head();
      Attempt attempt = each.attempt();
      if (!attempt.isAdmitted()) {
        outcomes.add(new Outcome(each, null, waiting(head, attempt)));
        continue;
      }
      Admission admission = factory.admission(head, attempt, now);
      if (admitted == admissible) {
        return new Plan(
            outcomes,
            tried.subList(outcomes.size(), tried.size()).stream()
                .map(Tried::head)
                .toList(),
            new Stop(head, admission, explainer.pending(head, block.attempt())));
      }
      outcomes.add(new Outcome(each, admission, ImmutableList.of()));
      admitted++;
    }
    return new Plan(outcomes, List.of(), null);
  }

  private void commit(Plan plan, Instant now) {
    state.nextCycle();
    state.announcements().tried(Lists.transform(plan.outcomes, Outcome::tried));
    for (Outcome outcome : plan.outcomes) {
      commit(outcome, now);
    }
    plan.untried.forEach(state.pending()::putBack);
    // Last, because a finished elastic slice may have been tried in the same cycle.
    for (Outcome outcome : plan.outcomes) {
      if (outcome.admission != null) {
        settle(QueuedWorkload.record(outcome.tried.head()), now);
      }
    }
    Stop stop = plan.stop;
    if (stop != null) {
      decisions.add(stop.reported);
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
   * @param untried the heads after the end of the cycle, the head of {@code stop} included, which
   *     return to their queues as if they had not been tried
   * @param stop the end of the cycle, null if it tried all heads
   */
  private record Plan(
      List<Outcome> outcomes, List<Head> untried, @Nullable Stop stop) {}

  /** {@return the victims that an attempt evicts, and why the head waits} */
  private ImmutableList<Decision> waiting(Head head, Attempt attempt) {
    AdmissionResult.Pending pending = explainer.pending(head, attempt);
    if (attempt.victims().isEmpty()) {
      return ImmutableList.of(pending);
    }
    List<Victim> evicted = new ArrayList<>(attempt.victims().size());
    for (Victim victim : attempt.victims()) {
      if (!victim.holder().isEvicted() && !state.variants().isIdle(victim.holder())) {
        evicted.add(victim);
      }
    }
    return ImmutableList.<Decision>builderWithExpectedSize(evicted.size() + 1)
        .addAll(factory.victims(head, evicted))
        .add(pending)
        .build();
  }

  private void commit(Outcome outcome, Instant now) {
    Head head = outcome.tried.head();
    Attempt attempt = outcome.tried.attempt();
    if (outcome.admission == null) {
      for (Decision decision : outcome.decisions) {
        decisions.add(decision);
      }
      effects.preempt(head, attempt, now);
      state.pending().requeue(head, attempt, now);
      guard.tried(head, attempt, explainer, now);
    } else {
      WorkloadRecord record = QueuedWorkload.record(head);
      report(
          record, outcome.admission, effects.admit(record, head, attempt, outcome.admission, now));
    }
  }

  /**
   * Finishes the superseded elastic slices of the same job, unless the one just admitted is
   * superseded itself.
   */
  private void settle(WorkloadRecord record, Instant now) {
    if (record.reservation() != null) {
      slices.settle(record, now);
    }
  }

  /** {@return the heads for the next cycle, removed from their queues} */
  private List<Head> popHeads() {
    List<Head> heads = new ArrayList<>();
    for (QueueState queue : state.pending().queuesWithWork()) {
      Head head = state.pending().popHead(queue);
      if (head != null) {
        heads.add(head);
      }
    }
    return heads;
  }
}
