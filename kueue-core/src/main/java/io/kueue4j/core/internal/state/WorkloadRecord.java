package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.LastAttempt;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.lifecycle.SecondPass;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
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
  private final WorkloadStore store;
  private Row row;

  /** Whether the store has it, so that forks get its row. */
  private boolean added;

  /** Its index in the list of records that have changed since the last fork, negative for none. */
  private int changedAt = -1;

  /** What is known of the workload; changed only at the moment at which it is created. */
  static final class Row implements Cloneable {
    private long moment;
    private CompiledWorkload compiled;
    private final Instant submitted;

    /** Whether it is a variant; cached because it is read at every step. */
    private final boolean variant;

    /** The ClusterQueue that it waits in or holds quota of, null while it is in no queue. */
    private @Nullable String queue;

    private @Nullable PendingWorkload pending;
    private LastAttempt lastAttempt = LastAttempt.NONE;
    private @Nullable Reservation reservation;
    private @Nullable PreemptedCondition preempted;
    private @Nullable PreemptedBy preemptedBy;
    private @Nullable FailedNode failure;
    private LifecycleState lifecycle = LifecycleState.NEW;

    /** Its variants, the best first; empty unless its queue lets it try all flavors at once. */
    private ImmutableList<WorkloadId> variants = ImmutableList.of();

    /** When another of its variants may be allowed to preempt, null if none waits for that. */
    private @Nullable Instant gateOpening;

    Row(CompiledWorkload compiled, Instant submitted, long moment) {
      this.moment = moment;
      this.compiled = compiled;
      this.submitted = submitted;
      this.variant = VariantNames.isVariant(compiled.source().id());
    }

    /** {@return a copy for the changes of another moment} */
    Row copy(long momentOfCopy) {
      try {
        Row copy = (Row) clone();
        copy.moment = momentOfCopy;
        return copy;
      } catch (CloneNotSupportedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  WorkloadRecord(WorkloadStore store, Row row, boolean added) {
    this.store = store;
    this.row = row;
    this.added = added;
  }

  /** {@return the row, to be changed at once} */
  private Row change() {
    Journal journal = store.journal();
    if (row.moment != journal.moment()) {
      Row next = row.copy(journal.moment());
      journal.add(WorkloadRecord::restore, this, row);
      restore(next);
    }
    return row;
  }

  private void restore(Row before) {
    row = before;
    if (added && changedAt < 0) {
      store.noteChanged(this);
    }
  }

  /** {@return what is known of it now} */
  Row row() {
    return row;
  }

  void setAdded(boolean isAdded) {
    added = isAdded;
    if (isAdded && changedAt < 0) {
      store.noteChanged(this);
    } else if (!isAdded && changedAt >= 0) {
      store.forgetChanged(this);
    }
  }

  /** {@return whether it is of {@code other}, and not of a fork} */
  boolean isOf(WorkloadStore other) {
    return store == other;
  }

  int changedAt() {
    return changedAt;
  }

  void setChangedAt(int index) {
    changedAt = index;
  }

  /** {@return the ClusterQueue that it waits in or holds quota of, null for none} */
  @Nullable
  public QueueState queue() {
    return row.queue == null ? null : store.queue(row.queue);
  }

  /** {@return the ClusterQueue that it waits in or holds quota of; there must be one} */
  public QueueState requireQueue() {
    return Objects.requireNonNull(queue());
  }

  /** {@return whether it waits in a queue} */
  public boolean isPending() {
    return row.pending != null;
  }

  /** {@return its place in a queue, null for none} */
  @Nullable
  PendingWorkload pending() {
    return row.pending;
  }

  /** {@return it as the head of an attempt, null if it is in no queue} */
  @Nullable
  public Head head() {
    PendingWorkload pending = row.pending;
    return pending == null ? null : head(pending, requireQueue());
  }

  /** {@return it as the head of an attempt, as which it is in a queue} */
  Head head(PendingWorkload pending, QueueState queue) {
    return new Head(this, pending, queue, row.lastAttempt);
  }

  /** {@return its reservation of quota, null for none} */
  @Nullable
  public Reservation reservation() {
    return row.reservation;
  }

  /** Sets the ClusterQueue that it waits in or holds quota of, null for none. */
  void setQueue(@Nullable QueueState newQueue) {
    String name = newQueue == null ? null : newQueue.name();
    if (!Objects.equals(row.queue, name)) {
      change().queue = name;
    }
  }

  /** Sets its place in a queue, null for none, with what it remembers of its last attempt. */
  void setPending(@Nullable PendingWorkload newPending, LastAttempt last) {
    Row next = change();
    next.pending = newPending;
    next.lastAttempt = last;
  }

  /** Sets what it remembers of its last attempt. */
  void setLastAttempt(LastAttempt last) {
    change().lastAttempt = last;
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
    return row.submitted;
  }

  public WorkloadId id() {
    return workload().id();
  }

  public Workload workload() {
    return row.compiled.source();
  }

  public CompiledWorkload compiled() {
    return row.compiled;
  }

  public Optional<Admission> admission() {
    return Optional.ofNullable(row.reservation).map(Reservation::admission);
  }

  /**
   * {@return whether it was evicted and has not stopped yet; it holds its quota until then; a
   * deactivated one only if the settings say so}
   */
  public boolean isStopping() {
    return row.lifecycle.isStopping();
  }

  /** {@return its lifecycle state} */
  public LifecycleState lifecycle() {
    return row.lifecycle;
  }

  public void setLifecycle(LifecycleState newLifecycle) {
    change().lifecycle = newLifecycle;
  }

  /** {@return the time from which it may be tried again; rule U-20} */
  public Instant backoffEnd() {
    return row.lifecycle.backoffEnd();
  }

  public String localQueueKey() {
    return row.compiled.localQueue();
  }

  /** Records that it was evicted; it was preempted if a condition is given. */
  public void setPreempted(@Nullable PreemptedCondition condition, @Nullable PreemptedBy by) {
    Row now = row;
    if (now.preempted != null || now.preemptedBy != null || condition != null || by != null) {
      Row next = change();
      next.preempted = condition;
      next.preemptedBy = by;
    }
  }

  /** {@return why it was preempted, absent if it was not, or has held quota since} */
  public Optional<PreemptedCondition> preempted() {
    return Optional.ofNullable(row.preempted);
  }

  /**
   * {@return the preemptor, absent if {@link #preempted} is absent or if only that was restored}
   */
  public Optional<PreemptedBy> preemptedBy() {
    return Optional.ofNullable(row.preemptedBy);
  }

  /** {@return its creation time, or its submission time if it has none} */
  public long creationTimeMillis() {
    return toMillis(workload().creationTime().orElse(row.submitted));
  }

  /**
   * {@return the time by which it is ordered among pending workloads; rule U-5}
   *
   * @param settings determine whether an eviction moves it back, because its pods were not ready or
   *     because a borrowing workload preempted it
   */
  long queueTimeMillis(Settings settings) {
    if (row.preempted == null && row.lifecycle.conditions().inOrder().isEmpty()) {
      // The common case: it has never been evicted.
      return creationTimeMillis();
    }
    boolean countsTimeout = settings
        .podsReady()
        .filter(policy -> policy.requeuingTimestamp() == RequeuingTimestamp.CREATION)
        .isEmpty();
    boolean countsPreemption = !settings.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT);
    EvictionReason reason = row.lifecycle.evictionReason().orElse(null);
    if (reason == EvictionReason.ADMISSION_CHECK
        || (reason == EvictionReason.PODS_READY_TIMEOUT && countsTimeout)) {
      return row.lifecycle
          .conditions()
          .get(ConditionType.EVICTED)
          .map(evicted -> toMillis(evicted.lastTransitionTime()))
          .orElseThrow();
    }
    PreemptedCondition condition = row.preempted;
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
    return row.failure;
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
    return row.variants;
  }

  /** {@return whether its variants are queued and charged in its place} */
  public boolean hasVariants() {
    return !row.variants.isEmpty();
  }

  /** {@return whether it is a variant of another workload} */
  public boolean isVariant() {
    return row.variant;
  }

  public void setVariants(ImmutableList<WorkloadId> newVariants) {
    change().variants = newVariants;
  }

  /**
   * {@return when another of its variants may be allowed to preempt, null if none waits for that}
   */
  @Nullable
  public Instant gateOpening() {
    return row.gateOpening;
  }

  public void setGateOpening(@Nullable Instant time) {
    change().gateOpening = time;
  }

  /**
   * A failed node of a running workload that has not been replaced yet.
   *
   * @param node the host name of the node in the topology
   * @param search the schedule of the search for another place
   */
  public record FailedNode(String node, SecondPass search) {}
}
