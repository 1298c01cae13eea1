package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.PreemptedBy;
import io.kueue4j.core.internal.lifecycle.Deadlines;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the lives of all workloads together: what is due when, how many have pods that
 * are not ready, and which wait for a place for their pods. Not safe for several threads.
 *
 * <p>Rules: L-22, L-23, CA-6.
 */
public final class LifecycleRegistry {
  private final StateContext context;
  private final EventQueue announcements;
  private final Variants variants;
  private final UsageRecorder fairness;
  private final Optional<PodsReadyPolicy> policy;
  private final Timers timers;

  /** The workloads that hold quota and wait for a place for their pods. */
  private final NavigableSet<WorkloadId> placing = new TreeSet<>();

  /** How many hold quota with pods that are not ready; counted if that blocks admissions. */
  private int notReady;

  private @Nullable BlockedAdmission blocked;

  /**
   * What forks begin with.
   *
   * @param firstTimer a time before which nothing is due, null if nothing ever is
   * @param placing the workloads that hold quota and wait for a place for their pods
   * @param notReady how many hold quota with pods that are not ready
   * @param blocked the admission that waits for them, null for none
   */
  record Summary(
      @Nullable Instant firstTimer,
      ImmutableSortedSet<WorkloadId> placing,
      int notReady,
      @Nullable BlockedAdmission blocked) {
    /** Of an engine that knows no workloads. */
    static final Summary EMPTY = new Summary(null, ImmutableSortedSet.of(), 0, null);
  }

  LifecycleRegistry(
      StateContext context,
      EventQueue announcements,
      Variants variants,
      UsageRecorder fairness,
      Summary summary) {
    this.context = context;
    this.announcements = announcements;
    this.variants = variants;
    this.fairness = fairness;
    this.policy = context.podsReadyPolicy();
    this.timers = new Timers(summary.firstTimer, () -> context.loader().takeAll());
    this.placing.addAll(summary.placing);
    this.notReady = summary.notReady;
    this.blocked = summary.blocked;
  }

  Summary summary() {
    return new Summary(
        timers.earliest(), ImmutableSortedSet.copyOfSorted(placing), notReady, blocked);
  }

  /** Notes a step in the life of a workload. */
  public void set(WorkloadRecord record, LifecycleState changed) {
    set(record, changed, null);
  }

  /** Notes a step in the life of a workload, which was {@code preemptedBy} another one by it. */
  public void set(
      WorkloadRecord record, LifecycleState changed, @Nullable PreemptedBy preemptedBy) {
    if (!changed.equals(record.lifecycle())) {
      announcements.changed(record, record.lifecycle(), changed, preemptedBy);
      setLifecycle(record, changed);
      variants.note(record);
      follow(record);
      WorkloadId id = record.workload().id();
      if (changed.placement() == null) {
        stopPlacing(id);
      } else {
        startPlacing(id);
      }
    }
  }

  /** LocalQueues use what their admitted workloads hold; rule W-6. */
  private void setLifecycle(WorkloadRecord record, LifecycleState changed) {
    Reservation reservation = record.reservation();
    boolean isStep = record.lifecycle().isAdmitted() != changed.isAdmitted();
    if (reservation == null || !isStep) {
      record.setLifecycle(changed);
    } else if (changed.isAdmitted()) {
      record.setLifecycle(changed);
      fairness.charge(record, reservation);
    } else {
      fairness.discharge(record, reservation);
      record.setLifecycle(changed);
    }
  }

  private void startPlacing(WorkloadId id) {
    if (placing.add(id)) {
      context.changes().inverse(() -> placing.remove(id));
    }
  }

  private void stopPlacing(WorkloadId id) {
    if (placing.remove(id)) {
      context.changes().inverse(() -> placing.add(id));
    }
  }

  private void setTimer(WorkloadId id, @Nullable Instant time) {
    Instant before = timers.set(id, time);
    if (!Objects.equals(before, time)) {
      context.changes().inverse(() -> timers.set(id, before));
    }
  }

  /** Takes note of what a workload has become: its life, its content, or whether it holds quota. */
  public void follow(WorkloadRecord record) {
    setTimer(record);
    boolean counts = policy.filter(PodsReadyPolicy::blockAdmission).isPresent()
        && record.reservation() != null
        && !record.lifecycle().conditions().isTrue(ConditionType.PODS_READY);
    if (counts != record.countsAsNotReady()) {
      record.setCountsAsNotReady(counts);
      addNotReady(counts ? 1 : -1);
    }
  }

  private void addNotReady(int change) {
    notReady += change;
    context.changes().inverse(() -> notReady -= change);
  }

  /** Notes when something is due for a workload that is new here. */
  public void setTimer(WorkloadRecord record) {
    Instant deadline = record.isVariant()
        ? null
        : Deadlines.next(record.workload(), record.lifecycle(), policy)
            .map(Deadlines.Deadline::time)
            .orElse(null);
    Instant opening = record.gateOpening();
    boolean opensFirst = opening != null && (deadline == null || opening.isBefore(deadline));
    setTimer(record.workload().id(), opensFirst ? opening : deadline);
  }

  /** Forgets a workload that holds no quota any more. */
  void forget(WorkloadRecord record) {
    setTimer(record.workload().id(), null);
    stopPlacing(record.workload().id());
  }

  public Timers timers() {
    return timers;
  }

  /** {@return the workloads that hold quota and wait for a place for their pods} */
  public ImmutableSortedSet<WorkloadId> placing() {
    return ImmutableSortedSet.copyOfSorted(placing);
  }

  /** {@return whether pods of a workload that holds quota are not ready, and that matters} */
  public boolean isAnyNotReady() {
    return notReady > 0;
  }

  /** {@return the admission that waits for pods of others, if there is one} */
  public Optional<BlockedAdmission> blocked() {
    return Optional.ofNullable(blocked);
  }

  public void setBlocked(@Nullable BlockedAdmission admission) {
    context.changes().tracker().beforeOtherChange();
    BlockedAdmission before = blocked;
    context.changes().inverse(() -> blocked = before);
    blocked = admission;
  }
}
