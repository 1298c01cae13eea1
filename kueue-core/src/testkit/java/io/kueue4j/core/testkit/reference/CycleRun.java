package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.CycleDecisions;
import io.kueue4j.core.testkit.ObservedPreemption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the heads of all queues, tries them, and puts the decisions into effect.
 *
 * <p>Rules: U-8, U-9, S-1, S-3, S-24, L-23, E-8; E-8, L-23 as section 17 of the rule index has it.
 */
final class CycleRun {
  private final State state;
  private final Turns turns;
  private final Instant now;
  private final Effects effects;
  private final ImmutableList.Builder<Admission> admitted = ImmutableList.builder();
  private final ImmutableList.Builder<Admission> reserved = ImmutableList.builder();
  private final ImmutableList.Builder<ObservedPreemption> evictions = ImmutableList.builder();
  private final ImmutableSortedSet.Builder<WorkloadId> waiting = ImmutableSortedSet.naturalOrder();

  CycleRun(State state, Turns turns, Instant now) {
    this.state = state;
    this.turns = turns;
    this.now = now;
    this.effects = new Effects(state, now);
  }

  CycleDecisions run() {
    NodeRepairs.Result repairs = new NodeRepairs(state, now).repairAll();
    ImmutableList<Admission> placed = new Lives(state, now).placeAll();
    if (!turns.isWaiting()) {
      turns.takeNext().ifPresentOrElse(this::admitFirst, this::tryHeads);
    }
    return new CycleDecisions(
        ImmutableList.<Admission>builder()
            .addAll(placed)
            .addAll(admitted.build())
            .addAll(reserved.build())
            .build(),
        evictions.build(),
        waiting.build(),
        repairs.replaced(),
        repairs.stopped());
  }

  /** L-23: the admission that the cycle before ended with, as it was found there. */
  private void admitFirst(Admission found) {
    Job job = state.job(found.workload()).orElseThrow();
    Optional<Job> replaced = OldSlice.of(job, state.snapshot().queue(found.clusterQueue()))
        .map(old -> old.holder().job());
    admit(
        job,
        Admission.builder()
            .workload(found.workload())
            .clusterQueue(found.clusterQueue())
            .quotaReservedTime(now)
            .addAllPodSetAssignments(found.podSetAssignments())
            .build(),
        replaced);
    Slices.settle(state, job);
  }

  private void admit(Job job, Admission admission, Optional<Job> replaced) {
    effects.admit(job, admission, replaced);
    (job.isAdmitted() ? admitted : reserved).add(admission);
  }

  private void tryHeads() {
    List<Cycle.Head> heads = heads();
    if (heads.isEmpty()) {
      return;
    }
    state.cycles++;
    Map<Job, @Nullable ScanMemory> memories = new HashMap<>();
    heads.forEach(head -> memories.put(head.job(), head.job().memory));
    List<Outcome> outcomes = new Cycle(state.specs, state.snapshot(), state.cycles).run(heads);
    int count = turns.count(outcomes);
    @Nullable
    Admission next = count == outcomes.size() ? null : effects.admission(outcomes.get(count));
    outcomes.subList(0, count).forEach(this::putIntoEffect);
    for (Outcome late : outcomes.subList(count, outcomes.size())) {
      late.job().memory = memories.get(late.job());
      state.queue(late.queue()).putBack(late.job());
    }
    outcomes.subList(0, count).forEach(this::settle);
    if (next != null) {
      turns.beginNextWith(outcomes.get(count).job(), next);
      waiting.add(next.workload());
    }
  }

  private void putIntoEffect(Outcome outcome) {
    Job job = outcome.job();
    if (outcome.admitted().isPresent()) {
      admit(job, effects.admission(outcome), outcome.replaced());
    } else {
      evictions.addAll(effects.evict(outcome));
      state.queue(outcome.queue()).requeue(job, outcome.reason(), now);
      waiting.add(job.id());
    }
  }

  /** E-8: after all outcomes, since a superseded slice may have been tried in the same cycle. */
  private void settle(Outcome outcome) {
    if (outcome.admitted().isPresent() && outcome.job().admission().isPresent()) {
      Slices.settle(state, outcome.job());
    }
  }

  /** U-8, U-9. */
  private List<Cycle.Head> heads() {
    List<Cycle.Head> heads = new ArrayList<>();
    state.queues().forEach((name, contents) -> {
      if (state.specs.isActive(name)) {
        contents
            .pop()
            .ifPresent(job -> heads.add(
                new Cycle.Head(job, name, contents.generation(), contents.isPreemptor(job))));
      }
    });
    return heads;
  }
}
