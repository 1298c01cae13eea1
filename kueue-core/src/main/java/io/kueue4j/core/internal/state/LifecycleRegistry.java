package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.lifecycle.Deadlines;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.versioned.Cell;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Timers;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The aggregate lifecycle state of all workloads: timers, the number of workloads whose pods are
 * not ready, and the workloads that wait for the placement of their pods. Not thread-safe.
 *
 * <p>Rules: L-22, L-23, CA-6.
 */
public final class LifecycleRegistry {
  private final EventQueue announcements;
  private final Variants variants;
  private final UsageRecorder fairness;
  private final Optional<PodsReadyPolicy> policy;
  private final boolean blocksAdmission;
  private final Timers<WorkloadId> timers;

  /** The workloads that hold quota and wait for the placement of their pods. */
  private final VersionedSet<WorkloadId> placing;

  /** The holders of quota whose pods are not ready; none unless that blocks admissions. */
  private final VersionedSet<WorkloadId> notReady;

  private final Cell<Optional<BlockedAdmission>> blocked;

  LifecycleRegistry(
      StateContext context, EventQueue announcements, Variants variants, UsageRecorder fairness) {
    Journal journal = context.journal();
    this.announcements = announcements;
    this.variants = variants;
    this.fairness = fairness;
    this.policy = context.podsReadyPolicy();
    this.blocksAdmission = policy.filter(PodsReadyPolicy::blockAdmission).isPresent();
    this.timers = new Timers<>(journal);
    this.placing = VersionedSet.inNaturalOrder(journal);
    this.notReady = VersionedSet.inNaturalOrder(journal);
    this.blocked = new Cell<>(journal, Optional.empty());
  }

  /** Takes the content of the registry of another state. */
  void share(LifecycleRegistry origin) {
    timers.share(origin.timers);
    placing.share(origin.placing);
    notReady.share(origin.notReady);
    blocked.share(origin.blocked);
  }

  /** Records a lifecycle transition of a workload. */
  public void set(WorkloadRecord record, LifecycleState changed) {
    set(record, changed, null);
  }

  /**
   * Records a lifecycle transition of a workload, by which it was {@code preemptedBy} another one.
   */
  public void set(
      WorkloadRecord record, LifecycleState changed, @Nullable PreemptedBy preemptedBy) {
    if (!changed.equals(record.lifecycle())) {
      announcements.changed(record, record.lifecycle(), changed, preemptedBy);
      setLifecycle(record, changed);
      variants.note(record);
      follow(record);
      placing.set(record.workload().id(), changed.placement() != null);
    }
  }

  /** The usage of a LocalQueue may depend on whether a workload is admitted; rule W-6. */
  private void setLifecycle(WorkloadRecord record, LifecycleState changed) {
    Reservation reservation = record.reservation();
    if (reservation == null || record.lifecycle().isAdmitted() == changed.isAdmitted()) {
      record.setLifecycle(changed);
    } else {
      fairness.discharge(record, reservation);
      record.setLifecycle(changed);
      fairness.charge(record, reservation);
    }
  }

  /** Updates the registry after a change of a workload's lifecycle, content or reservation. */
  public void follow(WorkloadRecord record) {
    setTimer(record);
    notReady.set(record.id(), blocks(record));
  }

  /** {@return whether a workload is a holder whose pods are not ready, and this counts} */
  public boolean blocks(WorkloadRecord record) {
    return blocksAdmission
        && record.reservation() != null
        && !record.lifecycle().conditions().isTrue(ConditionType.PODS_READY);
  }

  /** Sets the timer of a workload that was just added. */
  public void setTimer(WorkloadRecord record) {
    Instant deadline = record.isVariant()
        ? null
        : Deadlines.next(record.workload(), record.lifecycle(), policy)
            .map(Deadlines.Deadline::time)
            .orElse(null);
    Instant opening = record.gateOpening();
    boolean opensFirst = opening != null && (deadline == null || opening.isBefore(deadline));
    timers.set(record.workload().id(), opensFirst ? opening : deadline);
  }

  /** Removes a workload that no longer holds quota. */
  void forget(WorkloadRecord record) {
    timers.set(record.workload().id(), null);
    placing.remove(record.workload().id());
  }

  public Timers<WorkloadId> timers() {
    return timers;
  }

  /** {@return whether {@link #placing} has any} */
  public boolean isAnyPlacing() {
    return !placing.isEmpty();
  }

  /** {@return the holders of quota whose pods are not ready, if this blocks admissions} */
  public ImmutableSortedSet<WorkloadId> notReady() {
    return ImmutableSortedSet.copyOf(notReady);
  }

  /** {@return the workloads that hold quota and wait for the placement of their pods} */
  public ImmutableSortedSet<WorkloadId> placing() {
    return ImmutableSortedSet.copyOf(placing);
  }

  /** {@return whether {@link #notReady} has any} */
  public boolean isAnyNotReady() {
    return !notReady.isEmpty();
  }

  /** {@return the admission that waits for the pods of others to be ready, if any} */
  public Optional<BlockedAdmission> blocked() {
    return blocked.get();
  }

  public void setBlocked(@Nullable BlockedAdmission admission) {
    blocked.set(Optional.ofNullable(admission));
  }

  /**
   * A decided admission that waits until the pods of all previously admitted workloads are ready.
   * No cycle tries heads until then.
   *
   * @param workload the workload at the time of the decision, which is void if the workload changes
   * @param admission the decision
   */
  public record BlockedAdmission(CompiledWorkload workload, Admission admission) {}
}
