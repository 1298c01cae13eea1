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
 * The record of a workload: waiting outside of all queues, pending in one, or holding quota.
 *
 * <p>Rules: U-5, U-6, U-20, L-19, L-20.
 */
public final class WorkloadRecord {
  private final ChangeLog changes;
  private final Instant submitted;

  /** Whether it is a variant; cached because it is read at every step. */
  private final boolean variant;

  private CompiledWorkload compiled;

  /** The ClusterQueue that it waits in or holds quota of, null while it is in no queue. */
  private @Nullable QueueState queue;

  private @Nullable Head head;
  private @Nullable Reservation reservation;

  private @Nullable PreemptedCondition preempted;
  private @Nullable PreemptedBy preemptedBy;
  private @Nullable FailedNode failure;
  private LifecycleState lifecycle = LifecycleState.NEW;
  private boolean countsAsNotReady;

  /** Its variants, the best first; empty unless its queue lets it try all flavors concurrently. */
  private ImmutableList<WorkloadId> variants = ImmutableList.of();

  /** When another of its variants may be allowed to preempt, null if none waits for that. */
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

  /** {@return a copy in a copy of its ClusterQueue, without a head} */
  public WorkloadRecord copy(@Nullable QueueState newQueue, ChangeLog changesOfCopy) {
    return new WorkloadRecord(this, newQueue, changesOfCopy);
  }

  /** {@return the ClusterQueue that it waits in or holds quota of, null for none} */
  @Nullable
  public QueueState queue() {
    return queue;
  }

  /** {@return its head in a queue, null for none} */
  @Nullable
  public Head head() {
    return head;
  }

  /** {@return its reservation of quota, null for none} */
  @Nullable
  public Reservation reservation() {
    return reservation;
  }

  /** {@return a copy in a copy of its ClusterQueue, with its head there} */
  WorkloadRecord copyPending(QueueState newQueue, ChangeLog changesOfCopy, Head newHead) {
    WorkloadRecord copy = copy(newQueue, changesOfCopy);
    copy.head = newHead;
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
      changes.inverse(WorkloadRecord::putQueue, this, before);
      queue = newQueue;
    }
  }

  private void putQueue(@Nullable QueueState other) {
    queue = other;
  }

  /** Sets its head in a queue, null for none. */
  void setHead(@Nullable Head newHead) {
    Head before = head;
    changes.before(this);
    changes.inverse(WorkloadRecord::putHead, this, before);
    head = newHead;
  }

  private void putHead(@Nullable Head other) {
    head = other;
  }

  /** Sets its reservation of quota, null for none. */
  void setReservation(@Nullable Reservation newReservation) {
    Reservation before = reservation;
    changes.before(this);
    changes.inverse(WorkloadRecord::putReservation, this, before);
    reservation = newReservation;
  }

  private void putReservation(@Nullable Reservation other) {
    reservation = other;
  }

  /** {@return {@code time} truncated to whole seconds; rule U-6} */
  static long toMillis(Instant time) {
    return LongMath.saturatedMultiply(time.getEpochSecond(), 1000);
  }

  /** {@return when it was submitted or restored} */
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
   * {@return whether it was evicted and has not stopped yet; it holds its quota until then, unless
   * it was deactivated}
   */
  public boolean isStopping() {
    return lifecycle.isStopping();
  }

  /** {@return its lifecycle state} */
  public LifecycleState lifecycle() {
    return lifecycle;
  }

  public void setLifecycle(LifecycleState newLifecycle) {
    LifecycleState before = lifecycle;
    changes.before(this);
    changes.inverse(WorkloadRecord::putLifecycle, this, before);
    lifecycle = newLifecycle;
  }

  private void putLifecycle(LifecycleState other) {
    lifecycle = other;
  }

  /** {@return whether it counts as a workload whose pods are not ready} */
  boolean countsAsNotReady() {
    return countsAsNotReady;
  }

  void setCountsAsNotReady(boolean counts) {
    boolean before = countsAsNotReady;
    changes.before(this);
    changes.inverse(() -> countsAsNotReady = before);
    countsAsNotReady = counts;
  }

  /** {@return the time from which it may be tried again; rule U-20} */
  public Instant backoffEnd() {
    if (!workload().requeued()) {
      return Instant.MAX;
    }
    Instant own = lifecycle.backoffEnd();
    Optional<Instant> given = workload().requeueAt();
    return given.isPresent() && own.isBefore(given.get()) ? given.get() : own;
  }

  public String localQueueKey() {
    return compiled.localQueue();
  }

  /** Records that it was evicted; it was preempted if a condition is given. */
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

  /** {@return why it was preempted, absent if it was not, or has held quota since} */
  public Optional<PreemptedCondition> preempted() {
    return Optional.ofNullable(preempted);
  }

  /**
   * {@return the preemptor, absent if {@link #preempted} is absent or if only that was restored}
   */
  public Optional<PreemptedBy> preemptedBy() {
    return Optional.ofNullable(preemptedBy);
  }

  /** {@return its creation time, or its submission time if it has none} */
  public long creationTimeMillis() {
    return toMillis(workload().creationTime().orElse(submitted));
  }

  /**
   * {@return the time by which it is ordered among pending workloads; rule U-5}
   *
   * @param settings determine whether an eviction moves it back, because its pods were not ready or
   *     because a borrowing workload preempted it
   */
  long queueTimeMillis(Settings settings) {
    if (preempted == null && lifecycle.conditions().inOrder().isEmpty()) {
      // The common case: it has never been evicted.
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

  /** Clears the preemption, because it holds quota again. */
  public void clearPreempted() {
    setPreempted(null, null);
  }

  /** {@return its failed node that has not been replaced yet, null if there is none} */
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

  /** Replaces the workload by another version. */
  void change(CompiledWorkload newCompiled) {
    CompiledWorkload before = compiled;
    changes.before(this);
    changes.inverse(() -> compiled = before);
    compiled = newCompiled;
  }

  // ----- variants

  /** {@return its variants, the best first; empty unless it tries all flavors concurrently} */
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

  /**
   * {@return when another of its variants may be allowed to preempt, null if none waits for that}
   */
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
