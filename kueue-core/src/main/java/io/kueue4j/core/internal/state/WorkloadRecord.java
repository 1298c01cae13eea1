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
import io.kueue4j.core.internal.versioned.Cell;
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

  private final Cell<Row> row;

  /** What is known of the workload at one moment; replaced, never changed. */
  private static final class Row {
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

    /** Its variants, the best first; empty unless its queue lets it try all flavors at once. */
    private ImmutableList<WorkloadId> variants = ImmutableList.of();

    /** When another of its variants may be allowed to preempt, null if none waits for that. */
    private @Nullable Instant gateOpening;

    Row(CompiledWorkload compiled) {
      this.compiled = compiled;
    }

    Row(Row other) {
      compiled = other.compiled;
      queue = other.queue;
      head = other.head;
      reservation = other.reservation;
      preempted = other.preempted;
      preemptedBy = other.preemptedBy;
      failure = other.failure;
      lifecycle = other.lifecycle;
      countsAsNotReady = other.countsAsNotReady;
      variants = other.variants;
      gateOpening = other.gateOpening;
    }
  }

  WorkloadRecord(CompiledWorkload compiled, Instant now, ChangeLog changes) {
    this.changes = changes;
    this.submitted = now;
    this.variant = VariantNames.isVariant(compiled.source().id());
    this.row = new Cell<>(changes.journal(), new Row(compiled));
  }

  private WorkloadRecord(WorkloadRecord other, Row row, ChangeLog changes) {
    this.changes = changes;
    this.submitted = other.submitted;
    this.variant = other.variant;
    this.row = new Cell<>(changes.journal(), row);
  }

  /** {@return a copy in a copy of its ClusterQueue, with its head there, null for none} */
  public WorkloadRecord copy(
      @Nullable QueueState newQueue, ChangeLog changesOfCopy, @Nullable Head newHead) {
    Row copy = new Row(row.get());
    Reservation held = copy.reservation;
    copy.queue = newQueue;
    copy.head = newHead;
    copy.reservation = held == null || newQueue == null ? null : held.copy(newQueue);
    return new WorkloadRecord(this, copy, changesOfCopy);
  }

  /** {@return the next row, to be changed at once} */
  private Row change() {
    changes.before(this);
    Row next = new Row(row.get());
    row.set(next);
    return next;
  }

  /** {@return the ClusterQueue that it waits in or holds quota of, null for none} */
  @Nullable
  public QueueState queue() {
    return row.get().queue;
  }

  /** {@return its head in a queue, null for none} */
  @Nullable
  public Head head() {
    return row.get().head;
  }

  /** {@return its reservation of quota, null for none} */
  @Nullable
  public Reservation reservation() {
    return row.get().reservation;
  }

  /** Sets the ClusterQueue that it waits in or holds quota of, null for none. */
  void setQueue(@Nullable QueueState newQueue) {
    if (newQueue == null) {
      changes.tracker().beforeLeavingQueues();
    }
    if (!Objects.equals(row.get().queue, newQueue)) {
      change().queue = newQueue;
    }
  }

  /** Sets its head in a queue, null for none. */
  void setHead(@Nullable Head newHead) {
    change().head = newHead;
  }

  /** Sets its reservation of quota, null for none. */
  void setReservation(@Nullable Reservation newReservation) {
    change().reservation = newReservation;
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
    return row.get().compiled.source();
  }

  public CompiledWorkload compiled() {
    return row.get().compiled;
  }

  public Optional<Admission> admission() {
    return Optional.ofNullable(row.get().reservation).map(Reservation::admission);
  }

  /**
   * {@return whether it was evicted and has not stopped yet; it holds its quota until then, unless
   * it was deactivated}
   */
  public boolean isStopping() {
    return row.get().lifecycle.isStopping();
  }

  /** {@return its lifecycle state} */
  public LifecycleState lifecycle() {
    return row.get().lifecycle;
  }

  public void setLifecycle(LifecycleState newLifecycle) {
    change().lifecycle = newLifecycle;
  }

  /** {@return whether it counts as a workload whose pods are not ready} */
  public boolean countsAsNotReady() {
    return row.get().countsAsNotReady;
  }

  void setCountsAsNotReady(boolean counts) {
    change().countsAsNotReady = counts;
  }

  /** {@return the time from which it may be tried again; rule U-20} */
  public Instant backoffEnd() {
    if (!workload().requeued()) {
      return Instant.MAX;
    }
    Instant own = row.get().lifecycle.backoffEnd();
    Optional<Instant> given = workload().requeueAt();
    return given.isPresent() && own.isBefore(given.get()) ? given.get() : own;
  }

  public String localQueueKey() {
    return row.get().compiled.localQueue();
  }

  /** Records that it was evicted; it was preempted if a condition is given. */
  public void setPreempted(@Nullable PreemptedCondition condition, @Nullable PreemptedBy by) {
    Row now = row.get();
    if (now.preempted != null || now.preemptedBy != null || condition != null || by != null) {
      Row next = change();
      next.preempted = condition;
      next.preemptedBy = by;
    }
  }

  /** {@return why it was preempted, absent if it was not, or has held quota since} */
  public Optional<PreemptedCondition> preempted() {
    return Optional.ofNullable(row.get().preempted);
  }

  /**
   * {@return the preemptor, absent if {@link #preempted} is absent or if only that was restored}
   */
  public Optional<PreemptedBy> preemptedBy() {
    return Optional.ofNullable(row.get().preemptedBy);
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
    if (row.get().preempted == null
        && row.get().lifecycle.conditions().inOrder().isEmpty()) {
      // The common case: it has never been evicted.
      return creationTimeMillis();
    }
    boolean countsTimeout = settings
        .podsReady()
        .filter(policy -> policy.requeuingTimestamp() == RequeuingTimestamp.CREATION)
        .isEmpty();
    boolean countsPreemption = !settings.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT);
    Optional<EvictionReason> reason = row.get().lifecycle.evictionReason();
    boolean countsEviction = reason
        .filter(known -> known == EvictionReason.ADMISSION_CHECK
            || (known == EvictionReason.PODS_READY_TIMEOUT && countsTimeout))
        .isPresent();
    if (countsEviction) {
      return row.get()
          .lifecycle
          .conditions()
          .get(ConditionType.EVICTED)
          .map(evicted -> toMillis(evicted.lastTransitionTime()))
          .orElseThrow();
    }
    PreemptedCondition condition = row.get().preempted;
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
    return row.get().failure;
  }

  void setFailure(@Nullable FailedNode mark) {
    change().failure = mark;
  }

  /** Replaces the workload by another version. */
  void change(CompiledWorkload newCompiled) {
    change().compiled = newCompiled;
  }

  // ----- variants

  /** {@return its variants, the best first; empty unless it tries all flavors concurrently} */
  public ImmutableList<WorkloadId> variants() {
    return row.get().variants;
  }

  /** {@return whether its variants are queued and charged in its place} */
  public boolean hasVariants() {
    return !row.get().variants.isEmpty();
  }

  /** {@return whether it is a variant of another workload} */
  public boolean isVariant() {
    return variant;
  }

  public void setVariants(ImmutableList<WorkloadId> newVariants) {
    change().variants = newVariants;
  }

  /**
   * {@return when another of its variants may be allowed to preempt, null if none waits for that}
   */
  @Nullable
  public Instant gateOpening() {
    return row.get().gateOpening;
  }

  public void setGateOpening(@Nullable Instant time) {
    change().gateOpening = time;
  }
}
