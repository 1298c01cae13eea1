package io.kueue4j.core.testkit.reference;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.reference.Assignment.AssignmentMode;
import io.kueue4j.core.testkit.reference.Assignment.PodSetFlavors;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One scheduling cycle over given heads.
 *
 * <p>Rules: S-1, S-4, S-5, S-6, S-8, S-10, S-11, S-12, S-13, S-14, S-15, S-16, S-18, S-19, S-23,
 * F-25, L-25, T-72, T-73, T-74.
 */
final class Cycle {
  /**
   * A head of a queue.
   *
   * @param job the workload
   * @param queue the ClusterQueue
   * @param generation the generation of the queue
   * @param isPreemptor whether the queue has recorded it as its preemptor (U-11)
   */
  record Head(Job job, String queue, long generation, boolean isPreemptor) {}

  private final Specs specs;
  private final Snapshot snapshot;

  /** Includes the admissions of the cycle, without the quota reserved by pending workloads. */
  private final Snapshot held;

  private final long number;
  private final Map<Job, Long> generations = new LinkedHashMap<>();

  /** The victims of the cycle so far. */
  private final Set<Holder> taken = new LinkedHashSet<>();

  Cycle(Specs specs, Snapshot snapshot, long number) {
    this.specs = specs;
    this.snapshot = snapshot;
    this.held = snapshot.copy();
    this.number = number;
  }

  /** {@return the decisions, in order; inadmissible heads come first} */
  List<Outcome> run(List<Head> heads) {
    List<Outcome> outcomes = new ArrayList<>();
    Set<Entry> left = new LinkedHashSet<>();
    for (Head head : heads) {
      generations.put(head.job(), head.generation());
      Optional<RequeueReason> obstacle = obstacle(head);
      if (obstacle.isPresent()) {
        outcomes.add(Outcome.requeued(head.job(), head.queue(), obstacle.get()));
      } else {
        left.add(nominate(head));
      }
    }
    EntryOrder order = new EntryOrder(specs);
    while (!left.isEmpty()) {
      Entry next = order.next(left, snapshot);
      left.remove(next);
      outcomes.add(process(next));
    }
    return outcomes;
  }

  /** S-4, S-6. */
  private Optional<RequeueReason> obstacle(Head head) {
    String namespace = head.job().workload().namespace();
    Checks checks = head.job().checks;
    if (checks.has(CheckState.RETRY) || checks.has(CheckState.REJECTED)) {
      return Optional.of(RequeueReason.GENERIC);
    }
    if (!specs.isActive(head.queue()) || !specs.hasNamespace(namespace)) {
      return Optional.of(RequeueReason.GENERIC);
    }
    if (!specs.mayUse(head.queue(), namespace)) {
      return Optional.of(RequeueReason.NAMESPACE_MISMATCH);
    }
    return head.job().workload().admissibilityProblems().isEmpty()
        ? Optional.empty()
        : Optional.of(RequeueReason.GENERIC);
  }

  private Entry nominate(Head head) {
    dropOutdatedMemory(head);
    Job job = head.job();
    Attempt attempt =
        attempt(snapshot, job, head.queue(), Optional.ofNullable(job.memory), Optional.empty());
    Entry entry =
        new Entry(job, head.queue(), head.isPreemptor(), Nomination.of(specs, snapshot, attempt));
    remember(entry);
    return entry;
  }

  private static Attempt attempt(
      Snapshot state,
      Job job,
      String queue,
      Optional<ScanMemory> memory,
      Optional<ImmutableMap<Integer, ImmutableMap<String, String>>> pinned) {
    return new Attempt(job, queue, memory, OldSlice.of(job, state.queue(queue)), pinned);
  }

  /** F-25. */
  private void dropOutdatedMemory(Head head) {
    ScanMemory memory = head.job().memory;
    if (memory == null) {
      return;
    }
    boolean isOutdated = head.generation() > memory.generation();
    if (preservesScanProgress()) {
      isOutdated &= memory.cycle() < number - 1;
      isOutdated |= !memory.isOfShape(head.job().shape());
    }
    if (isOutdated) {
      head.job().memory = null;
    }
  }

  private boolean preservesScanProgress() {
    return specs.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS);
  }

  private void remember(Entry entry) {
    entry.job.memory = new ScanMemory(
        entry.nomination.assignment().triedIndexes(),
        number,
        generations.getOrDefault(entry.job, 0L),
        entry.job.shape());
  }

  /** S-10. */
  private Outcome process(Entry entry) {
    boolean isRecomputed = overlaps(entry)
        && specs.isEnabled(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP);
    if (isRecomputed) {
      recompute(entry, snapshot.without(taken));
    } else if (lacksOnlyNodes(entry)
        && specs.isEnabled(FeatureGate.TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE)) {
      recompute(entry, snapshot);
    }
    Assignment assignment = entry.nomination.assignment();
    ImmutableList<Victim> victims = entry.nomination.victims();
    if (assignment.mode() == AssignmentMode.NO_FIT) {
      return Outcome.requeued(entry.job, entry.queue, RequeueReason.NO_FIT);
    }
    if (assignment.mode() == AssignmentMode.PREEMPT && victims.isEmpty()) {
      holdRoom(entry);
      return Outcome.requeued(entry.job, entry.queue, RequeueReason.PREEMPTION_NO_CANDIDATES);
    }
    if (assignment.mode() == AssignmentMode.PREEMPT && !entry.job.mayPreempt()) {
      entry.job.memory = null;
      return Outcome.requeued(entry.job, entry.queue, RequeueReason.PREEMPTION_GATED);
    }
    if (assignment.mode() == AssignmentMode.FIT && isRecomputed) {
      // Deferred: it fits as soon as the victims of other workloads have stopped.
      charge(entry);
      entry.job.memory = null;
      return Outcome.requeued(entry.job, entry.queue, RequeueReason.PENDING_PREEMPTION);
    }
    boolean isAdmitted = assignment.mode() == AssignmentMode.FIT;
    if (overlaps(entry) || !fits(entry) || (isAdmitted && !fitsStrictly(entry))) {
      return skipped(entry);
    }
    if (isAdmitted) {
      held.addUsage(entry.queue, entry.usage());
    }
    taken.addAll(entry.leaving());
    charge(entry);
    entry.job.memory = null;
    return new Outcome(
        entry.job,
        entry.queue,
        victims.isEmpty() ? Optional.of(assignment) : Optional.empty(),
        entry.nomination.old().map(old -> old.holder().job()),
        victims,
        RequeueReason.PENDING_PREEMPTION);
  }

  private boolean overlaps(Entry entry) {
    return entry.leaving().stream().anyMatch(taken::contains);
  }

  /** S-14, S-15. */
  private void recompute(Entry entry, Snapshot state) {
    Attempt attempt = attempt(
        state, entry.job, entry.queue, Optional.empty(), Optional.of(flavors(entry.nomination)));
    entry.nomination = Nomination.of(specs, state, attempt);
    remember(entry);
  }

  /** F-9. */
  private static ImmutableMap<Integer, ImmutableMap<String, String>> flavors(
      Nomination nomination) {
    return nomination.assignment().podSets().stream()
        .collect(toImmutableMap(
            PodSetFlavors::index,
            podSet -> podSet.picks().entrySet().stream()
                .collect(
                    toImmutableMap(Map.Entry::getKey, pick -> pick.getValue().flavor()))));
  }

  /** S-12, T-72. */
  private void charge(Entry entry) {
    snapshot.addUsage(entry.queue, entry.usage());
    snapshot.addPods(entry.nomination.assignment().pods());
  }

  private boolean fits(Entry entry) {
    Snapshot state = whenVictimsAreGone(entry);
    return state.fits(entry.queue, entry.usage())
        && state.nodes.haveRoomFor(entry.nomination.assignment().pods());
  }

  /** S-14: quota would be available. */
  private boolean lacksOnlyNodes(Entry entry) {
    return entry.nomination.assignment().mode() != AssignmentMode.NO_FIT
        && whenVictimsAreGone(entry).fits(entry.queue, entry.usage())
        && !fits(entry);
  }

  /** S-11: as if all victims so far, and its own, had stopped. */
  private Snapshot whenVictimsAreGone(Entry entry) {
    Set<Holder> gone = new LinkedHashSet<>(taken);
    gone.addAll(entry.leaving());
    return snapshot.without(gone);
  }

  /** With strict quota, quota of victims is not available until they have stopped. */
  private boolean fitsStrictly(Entry entry) {
    return !specs.settings().strictQuota() || held.fits(entry.queue, entry.usage());
  }

  /** S-16. */
  private Outcome skipped(Entry entry) {
    if (!preservesScanProgress()) {
      entry.job.memory = null;
    }
    return Outcome.requeued(entry.job, entry.queue, RequeueReason.FAILED_AFTER_NOMINATION);
  }

  /** S-18, S-19, X-6. */
  private void holdRoom(Entry entry) {
    boolean canReclaimLater =
        specs.queue(entry.queue).preemption().reclaimWithinCohort() == Preemption.Policy.ANY;
    boolean isPreemptor =
        entry.isPreemptor && specs.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS);
    if (canReclaimLater && !isPreemptor) {
      return;
    }
    Node queue = snapshot.queue(entry.queue);
    int level = entry.borrowLevel();
    entry.usage().forEach((pair, wanted) -> queue.add(pair, room(queue, pair, wanted, level)));
    snapshot.addPods(entry.nomination.assignment().pods());
  }

  private static long room(Node queue, FlavorResource pair, long wanted, int borrowLevel) {
    long used = queue.usage(pair);
    long nominal = queue.subtree(pair);
    if (borrowLevel == 0) {
      return Math.max(0, Math.min(wanted, Amount.subtract(nominal, used)));
    }
    OptionalLong limit = queue.borrowingLimit(pair);
    return limit.isEmpty()
        ? wanted
        : Math.min(wanted, Amount.subtract(Amount.add(nominal, limit.getAsLong()), used));
  }
}
