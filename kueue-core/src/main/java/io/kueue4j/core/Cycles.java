package io.kueue4j.core;

import io.kueue4j.core.cycle.Attempt;
import io.kueue4j.core.cycle.Head;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.cycle.SchedulingCycle;
import io.kueue4j.core.cycle.SchedulingCycle.Tried;
import io.kueue4j.core.flavor.ScanProgress;
import io.kueue4j.core.model.Admission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the heads of all queues, tries them in one cycle, and puts the outcome into effect.
 *
 * <p>Rules: U-8, U-9, S-3, S-22, S-23, S-24, L-22.
 */
final class Cycles {
  private final EngineState state;
  private final SchedulingCycle schedulingCycle;
  private final Decisions decisions;
  private final Explainer explainer;
  private final AdmissionBlock block;
  private final WorkloadSlices slices;
  private final AttemptEffects effects;
  private final LifecycleBooks books;
  private final VariantSettlement settlement;
  private final VariantGuard guard;

  Cycles(
      EngineState state,
      SchedulingCycle schedulingCycle,
      Decisions decisions,
      Explainer explainer,
      AdmissionBlock block,
      WorkloadSlices slices,
      AttemptEffects effects,
      VariantSettlement settlement,
      VariantGuard guard) {
    this.state = state;
    this.schedulingCycle = schedulingCycle;
    this.decisions = decisions;
    this.explainer = explainer;
    this.block = block;
    this.slices = slices;
    this.effects = effects;
    this.books = state.books();
    this.settlement = settlement;
    this.guard = guard;
  }

  /** Runs one, unless an admission waits for pods of others. */
  void run(CycleReport report, Instant now) {
    if (!block.isWaiting()) {
      block.takeDue(now).ifPresentOrElse(due -> resume(due, report), () -> tryHeads(report, now));
    }
  }

  /** Admits what the last cycle ended before. */
  private void resume(Admission admission, CycleReport report) {
    WorkloadRecord record = state.require(admission.workload());
    Head candidate = Objects.requireNonNull(record.candidate);
    Instant now = admission.quotaReservedTime();
    report(
        record,
        admission,
        effects.admit(record, candidate.queue(), slices.replacedBy(candidate), admission, now),
        report);
    slices.settle(record, now);
  }

  private void report(
      WorkloadRecord record, Admission admission, boolean starts, CycleReport report) {
    if (starts && record.isVariant()) {
      // Its workload is told, in the order of admission.
      settlement.settle(admission.workload(), admission.quotaReservedTime());
    } else if (starts) {
      books.tellAdmitted(admission);
    } else {
      report.reserved.add(VariantNames.submitted(admission));
    }
  }

  /** Tries heads. All is decided before anything is done. */
  private void tryHeads(CycleReport report, Instant now) {
    List<Head> heads = popHeads(now);
    if (heads.isEmpty()) {
      return;
    }
    List<@Nullable ScanProgress> progress = new ArrayList<>();
    int admissible = block.admissible();
    if (admissible < heads.size()) {
      heads.forEach(head -> progress.add(head.progress()));
    }
    heads.forEach(effects::keepProgress);
    Plan plan = plan(schedulingCycle.run(heads, state.cycles() + 1), admissible, report, now);
    state.nextCycle();
    state.announcements().tried(plan.tried.subList(0, plan.end()));
    for (int i = 0; i < plan.end(); i++) {
      putIntoEffect(plan.tried.get(i), plan.admissions.get(i), report, now);
    }
    for (Tried late : plan.tried.subList(plan.end(), plan.tried.size())) {
      late.head().setProgress(progress.get(heads.indexOf(late.head())));
      putBack(late.head());
    }
    // Only now, since a slice that is over may have been tried in the same cycle.
    for (int i = 0; i < plan.end(); i++) {
      if (plan.admissions.get(i) != null) {
        settle(QueuedWorkload.record(plan.tried.get(i).head()), now);
      }
    }
    if (plan.stoppedBefore != null) {
      Head head = plan.tried.get(plan.end()).head();
      effects.setLastAttempt(head, block.attempt());
      block.stopBefore(head, plan.stoppedBefore);
    }
  }

  /**
   * What a cycle is going to do.
   *
   * @param tried the heads in the order in which they were processed
   * @param admissions the admissions of the first of them, null for those that are not admitted;
   *     the others are put back as if they had never been tried
   * @param stoppedBefore what the first of the others would be admitted with, null if there are
   *     none
   */
  private record Plan(
      List<Tried> tried,
      List<@Nullable Admission> admissions,
      @Nullable Admission stoppedBefore) {
    int end() {
      return admissions.size();
    }
  }

  private Plan plan(List<Tried> tried, int admissible, CycleReport report, Instant now) {
    List<@Nullable Admission> admissions = new ArrayList<>(tried.size());
    int admitted = 0;
    for (Tried each : tried) {
      Head head = each.head();
      Attempt attempt = each.attempt();
      if (attempt.isAdmitted()) {
        Admission admission = decisions.admission(head, attempt, now);
        if (admitted == admissible) {
          report.pending.add(explainer.pending(head, block.attempt()));
          return new Plan(tried, admissions, admission);
        }
        admissions.add(admission);
        admitted++;
      } else {
        if (!attempt.victims().isEmpty()) {
          report.preempted.addAll(decisions.victims(
              head,
              attempt.victims().stream()
                  .filter(victim -> !victim.holder().isEvicted())
                  .filter(victim -> !state.variants().isIdle(victim.holder()))
                  .toList()));
        }
        report.pending.add(explainer.pending(head, attempt));
        admissions.add(null);
      }
    }
    return new Plan(tried, admissions, null);
  }

  private void putIntoEffect(
      Tried tried, @Nullable Admission admission, CycleReport report, Instant now) {
    Head head = tried.head();
    if (admission == null) {
      effects.preempt(head, tried.attempt(), now);
      effects.requeue(head, tried.attempt(), now);
      guard.tried(head, tried.attempt(), explainer, now);
    } else {
      WorkloadRecord record = QueuedWorkload.record(head);
      report(
          record, admission, effects.admit(record, head, tried.attempt(), admission, now), report);
    }
  }

  /** Ends the slices of the same job that are over, unless the one just admitted is itself. */
  private void settle(WorkloadRecord record, Instant now) {
    if (record.reservation != null) {
      slices.settle(record, now);
    }
  }

  private List<Head> popHeads(Instant now) {
    List<Head> heads = new ArrayList<>();
    for (QueueState queue : state.pending().queuesWithWork()) {
      state.pending().releaseDue(queue, now);
      Head head = queue.pop();
      if (head != null) {
        heads.add(head);
      }
    }
    return heads;
  }

  private void putBack(Head head) {
    head.queue().pending().unpop(head);
    state.pending().changed(head.queue());
  }
}
