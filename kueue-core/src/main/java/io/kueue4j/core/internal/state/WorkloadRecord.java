package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.PreemptedBy;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workload that the engine knows: waiting outside the queues, pending in one, or holding quota.
 *
 * <p>Rules: U-5, U-6, U-20, L-19, L-20.
 */
public final class WorkloadRecord {
  private final ChangeLog changes;
  private final Instant submitted;

  /** Whether it is a variant; asked at every step. */
  private final boolean variant;

  private CompiledWorkload compiled;

  /** The ClusterQueue that it waits in or holds quota of, null while it is in no queue. */
  private @Nullable QueueState queue;

  private @Nullable Head candidate;
  private @Nullable Reservation reservation;

  private @Nullable PreemptedCondition preempted;
  private @Nullable PreemptedBy preemptedBy;
  private @Nullable FailedNode failure;
  private LifecycleState lifecycle = LifecycleState.NEW;
  private boolean countsAsNotReady;

  /** Its variants, the best first; empty unless its queue lets it try all flavors at a time. */
  private ImmutableList<WorkloadId> variants = ImmutableList.of();

  /** When another of its variants may be let preempt, null if none waits for that. */
  private @Nullable Instant gateOpening;

  WorkloadRecord(CompiledWorkload compiled, Instant now, ChangeLog changes) {
    this.changes = changes;
    this.compiled = compiled;
    this.submitted = now;
    this.variant = VariantNames.isVariant(compiled.source().id());
  }

  private WorkloadRecord(WorkloadRecord other, @Nullable QueueState newQueue, ChangeLog changes) {
    this.changes = changes;
    compiled = other.compiled;
    submitted = other.submitted;
    variant = other.variant;
    preempted = other.preempted;
    preemptedBy = other.preemptedBy;
    failure = other.failure;
    lifecycle = other.lifecycle;
    countsAsNotReady = other.countsAsNotReady;
    variants = other.variants;
    gateOpening = other.gateOpening;
    queue = newQueue;
    Reservation held = other.reservation;
    reservation = held == null || newQueue == null ? null : held.copy(newQueue);
  }

  /** {@return the same with another ClusterQueue, a copy of its own; the candidate is missing} */
  public WorkloadRecord copy(@Nullable QueueState newQueue, ChangeLog changesOfCopy) {
    return new WorkloadRecord(this, newQueue, changesOfCopy);
  }

  /** {@return the ClusterQueue that it waits in or holds quota of, null for none} */
  @Nullable
  public QueueState queue() {
    return queue;
  }

  /** {@return what stands for it in a queue, null for nothing} */
  @Nullable
  public Head candidate() {
    return candidate;
  }

  /** {@return what it holds of quotas, null for nothing} */
  @Nullable
  public Reservation reservation() {
    return reservation;
  }

  /**
   * {@return the same with another ClusterQueue, a copy of its own, and what stands for it there}
   */
  WorkloadRecord copyPending(QueueState newQueue, ChangeLog changesOfCopy, Head newCandidate) {
    WorkloadRecord copy = copy(newQueue, changesOfCopy);
    copy.candidate = newCandidate;
    return copy;
  }

  /** Sets the ClusterQueue that it waits in or holds quota of, null for none. */
  void setQueue(@Nullable QueueState newQueue) {
    if (newQueue == null) {
      changes.tracker().beforeLeavingQueues();
    }
    QueueState before = queue;
    if (!Objects.equals(before, newQueue)) {
      changes.before(this);
      changes.inverse(() -> queue = before);
      queue = newQueue;
    }
  }

  /** Sets what stands for it in a queue, null for nothing. */
  void setCandidate(@Nullable Head newCandidate) {
    Head before = candidate;
    changes.before(this);
    changes.inverse(() -> candidate = before);
    candidate = newCandidate;
  }

  /** Sets what it holds of quotas, null for nothing. */
  void setReservation(@Nullable Reservation newReservation) {
    Reservation before = reservation;
    changes.before(this);
    changes.inverse(() -> reservation = before);
    reservation = newReservation;
  }

  /** {@return {@code time} cut to whole seconds; rule U-6} */
  static long toMillis(Instant time) {
    return LongMath.saturatedMultiply(time.getEpochSecond(), 1000);
  }

  /** {@return when it was submitted, or came in otherwise} */
  public Instant submitted() {
    return submitted;
  }

  public Workload workload() {
    return compiled.source();
  }

  public CompiledWorkload compiled() {
    return compiled;
  }

  public Optional<Admission> admission() {
    return Optional.ofNullable(reservation).map(Reservation::admission);
  }

  /**
   * {@return whether it was told to stop and has not yet; it holds its quota until then, unless it
   * was deactivated}
   */
  public boolean isStopping() {
    return lifecycle.isStopping();
  }

  /** {@return what has happened to it so far} */
  public LifecycleState lifecycle() {
    return lifecycle;
  }

  public void setLifecycle(LifecycleState newLifecycle) {
    LifecycleState before = lifecycle;
    changes.before(this);
    changes.inverse(() -> lifecycle = before);
    lifecycle = newLifecycle;
  }

  /** {@return whether it is counted among those whose pods are not ready} */
  boolean countsAsNotReady() {
    return countsAsNotReady;
  }

  void setCountsAsNotReady(boolean counts) {
    boolean before = countsAsNotReady;
    changes.before(this);
    changes.inverse(() -> countsAsNotReady = before);
    countsAsNotReady = counts;
  }

  /** {@return from when on it may be tried again; rule U-20} */
  public Instant backoffEnd() {
    if (!workload().requeued()) {
      return Instant.MAX;
    }
    Instant own = lifecycle.backoffEnd();
    return workload().requeueAt().filter(own::isBefore).orElse(own);
  }

  public String localQueueKey() {
    return compiled.localQueue();
  }

  /** Notes that it was told to stop, for another workload if a condition is given. */
  public void setPreempted(@Nullable PreemptedCondition condition, @Nullable PreemptedBy by) {
    PreemptedCondition conditionBefore = preempted;
    PreemptedBy byBefore = preemptedBy;
    if (conditionBefore != null || byBefore != null || condition != null || by != null) {
      changes.before(this);
      changes.inverse(() -> {
        preempted = conditionBefore;
        preemptedBy = byBefore;
      });
    }
    preempted = condition;
    preemptedBy = by;
  }

  /** {@return for what it was told to stop, absent if it has held quota since, or never was} */
  public Optional<PreemptedCondition> preempted() {
    return Optional.ofNullable(preempted);
  }

  /** {@return for whom, absent if {@link #preempted} is or if only that was restored} */
  public Optional<PreemptedBy> preemptedBy() {
    return Optional.ofNullable(preemptedBy);
  }

  /** {@return when it was created; when it was submitted if it does not say} */
  public long creationTimeMillis() {
    return toMillis(workload().creationTime().orElse(submitted));
  }

  /**
   * {@return the time that it is ordered by among pending ones; rule U-5}
   *
   * @param settings say whether having been told to stop puts it behind because its pods were not
   *     ready, or because one preempted it who borrowed
   */
  long queueTimeMillis(Settings settings) {
    if (preempted == null && lifecycle.conditions().inOrder().isEmpty()) {
      // Nothing has happened to it yet, as to most that are admitted.
      return creationTimeMillis();
    }
    boolean countsTimeout = settings
        .podsReady()
        .filter(policy -> policy.requeuingTimestamp() == RequeuingTimestamp.CREATION)
        .isEmpty();
    boolean countsPreemption = !settings.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT);
    Optional<EvictionReason> reason = lifecycle.evictionReason();
    boolean countsEviction = reason
        .filter(known -> known == EvictionReason.ADMISSION_CHECK
            || (known == EvictionReason.PODS_READY_TIMEOUT && countsTimeout))
        .isPresent();
    if (countsEviction) {
      return lifecycle
          .conditions()
          .get(ConditionType.EVICTED)
          .map(evicted -> toMillis(evicted.lastTransitionTime()))
          .orElseThrow();
    }
    PreemptedCondition condition = preempted;
    return countsPreemption
            && condition != null
            && condition.reason() == PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING
        ? LongMath.saturatedAdd(toMillis(condition.lastTransitionTime()), 1)
        : creationTimeMillis();
  }

  /** Notes that it holds quota again. */
  public void clearPreempted() {
    setPreempted(null, null);
  }

  /** {@return the node of it that has failed and is not replaced yet, null if there is none} */
  @Nullable
  public FailedNode failure() {
    return failure;
  }

  void setFailure(@Nullable FailedNode mark) {
    @Nullable FailedNode before = failure;
    changes.before(this);
    changes.inverse(() -> failure = before);
    failure = mark;
  }

  /** Puts another version of the workload in its place. */
  void change(CompiledWorkload newCompiled) {
    CompiledWorkload before = compiled;
    changes.before(this);
    changes.inverse(() -> compiled = before);
    compiled = newCompiled;
  }

  // ----- variants

  /** {@return its variants, the best first; empty unless it tries all flavors at a time} */
  public ImmutableList<WorkloadId> variants() {
    return variants;
  }

  /** {@return whether its variants are queued and charged in its place} */
  public boolean hasVariants() {
    return !variants.isEmpty();
  }

  /** {@return whether it is a variant of another workload} */
  public boolean isVariant() {
    return variant;
  }

  public void setVariants(ImmutableList<WorkloadId> newVariants) {
    ImmutableList<WorkloadId> before = variants;
    changes.before(this);
    changes.inverse(() -> variants = before);
    variants = newVariants;
  }

  /** {@return when another of its variants may be let preempt, null if none waits for that} */
  @Nullable
  public Instant gateOpening() {
    return gateOpening;
  }

  public void setGateOpening(@Nullable Instant time) {
    @Nullable Instant before = gateOpening;
    changes.before(this);
    changes.inverse(() -> gateOpening = before);
    gateOpening = time;
  }
}
