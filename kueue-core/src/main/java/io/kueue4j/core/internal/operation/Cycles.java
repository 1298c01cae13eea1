package io.kueue4j.core.internal.operation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.cycle.SchedulingCycle;
import io.kueue4j.core.internal.cycle.SchedulingCycle.Tried;
import io.kueue4j.core.internal.elastic.ElasticSlices;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.flavor.ScanProgress;
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
      block.takeDue(now).ifPresentOrElse(this::resume, () -> tryHeads(now));
    }
  }

  /** Makes the admission before which the last cycle ended. */
  private void resume(Admission admission) {
    WorkloadRecord record = state.require(admission.workload());
    Head head = Objects.requireNonNull(record.candidate());
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

  /** Tries heads. All decisions are made before any change. */
  private void tryHeads(Instant now) {
    List<Head> heads = popHeads();
    if (heads.isEmpty()) {
      return;
    }
    List<@Nullable ScanProgress> progress = new ArrayList<>();
    int admissible = block.admissible();
    if (admissible < heads.size()) {
      heads.forEach(head -> progress.add(head.progress()));
    }
    heads.forEach(state.pending()::keepProgress);
    Plan plan = plan(schedulingCycle.run(heads, state.cycles() + 1), admissible, now);
    state.nextCycle();
    state.announcements().tried(plan.tried.subList(0, plan.end()));
    for (int i = 0; i < plan.end(); i++) {
      putIntoEffect(plan.tried.get(i), plan.outcomes.get(i), now);
    }
    for (Tried late : plan.tried.subList(plan.end(), plan.tried.size())) {
      state.pending().setProgress(late.head(), progress.get(heads.indexOf(late.head())));
      state.pending().putBack(late.head());
    }
    // Last, because a finished elastic slice may have been tried in the same cycle.
    for (int i = 0; i < plan.end(); i++) {
      if (plan.outcomes.get(i).admission != null) {
        settle(QueuedWorkload.record(plan.tried.get(i).head()), now);
      }
    }
    if (plan.stoppedBefore != null) {
      Head head = plan.tried.get(plan.end()).head();
      decisions.add(explainer.pending(head, block.attempt()));
      state.pending().setLastAttempt(head, block.attempt());
      block.stopBefore(head, plan.stoppedBefore);
    }
  }

  /**
   * The outcome of one attempt.
   *
   * @param admission the admission of the workload, null if it is not admitted
   * @param decisions the victims to evict for it and why it waits, empty if it is admitted
   */
  private record Outcome(@Nullable Admission admission, ImmutableList<Decision> decisions) {}

  /**
   * The planned outcomes of a cycle.
   *
   * @param tried the heads in the order in which they were processed
   * @param outcomes the outcomes of the first of them; the others return to their queues as if they
   *     had not been tried
   * @param stoppedBefore the admission of the first of the others, null if there are none
   */
  private record Plan(
      List<Tried> tried, List<Outcome> outcomes, @Nullable Admission stoppedBefore) {
    int end() {
      return outcomes.size();
    }
  }

  private Plan plan(List<Tried> tried, int admissible, Instant now) {
    List<Outcome> outcomes = new ArrayList<>(tried.size());
    int admitted = 0;
    for (Tried each : tried) {
      Head head = each.head();
      Attempt attempt = each.attempt();
      if (!attempt.isAdmitted()) {
        outcomes.add(new Outcome(null, waiting(head, attempt)));
        continue;
      }
      Admission admission = factory.admission(head, attempt, now);
      if (admitted == admissible) {
        return new Plan(tried, outcomes, admission);
      }
      outcomes.add(new Outcome(admission, ImmutableList.of()));
      admitted++;
    }
    return new Plan(tried, outcomes, null);
  }

  /** {@return the victims that an attempt evicts, and why the head waits} */
  private ImmutableList<Decision> waiting(Head head, Attempt attempt) {
    AdmissionResult.Pending pending = explainer.pending(head, attempt);
    if (attempt.victims().isEmpty()) {
      return ImmutableList.of(pending);
    }
    return ImmutableList.<Decision>builder()
        .addAll(factory.victims(
            head,
            attempt.victims().stream()
                .filter(victim -> !victim.holder().isEvicted())
                .filter(victim -> !state.variants().isIdle(victim.holder()))
                .toList()))
        .add(pending)
        .build();
  }

  private void putIntoEffect(Tried tried, Outcome outcome, Instant now) {
    Head head = tried.head();
    if (outcome.admission == null) {
      outcome.decisions.forEach(decisions::add);
      effects.preempt(head, tried.attempt(), now);
      state.pending().requeue(head, tried.attempt(), now);
      guard.tried(head, tried.attempt(), explainer, now);
    } else {
      WorkloadRecord record = QueuedWorkload.record(head);
      report(
          record,
          outcome.admission,
          effects.admit(record, head, tried.attempt(), outcome.admission, now));
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
