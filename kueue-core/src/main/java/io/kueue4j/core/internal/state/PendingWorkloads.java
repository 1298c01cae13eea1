package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.LastAttempt;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.attempt.ScanProgress;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.versioned.Timers;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ReasonCode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The waiting workloads of an engine: the queue that each belongs to, whether it may be queued, and
 * the queues that have work for the next cycle.
 *
 * <p>Rules: U-1, U-19, U-21, PL-4.
 */
public final class PendingWorkloads {
  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final WorkloadStore workloads;
  private final Variants variants;
  private final Promises promises;

  PendingWorkloads(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      WorkloadStore workloads,
      Variants variants,
      Promises promises) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.workloads = workloads;
    this.variants = variants;
    this.promises = promises;
  }

  /** {@return the queue that a workload belongs to, if its LocalQueue is open and both exist} */
  public Optional<QueueState> target(WorkloadRecord record) {
    Optional<LocalQueue> queue = configuration.openLocalQueue(record.localQueueKey());
    return queue.isPresent() ? queues.get(queue.get().clusterQueue()) : Optional.empty();
  }

  /**
   * {@return what keeps a workload without quota out of all queues, null if nothing does}
   * {@code QueueingPreconditions} says it in words.
   */
  public @Nullable ReasonCode obstacle(WorkloadRecord record) {
    ReasonCode own = ownObstacle(record);
    if (own != null || target(record).isPresent()) {
      return own;
    }
    String localQueue = record.localQueueKey();
    if (configuration.localQueue(localQueue).isEmpty()) {
      return ReasonCode.LOCAL_QUEUE_NOT_FOUND;
    }
    return configuration.openLocalQueue(localQueue).isEmpty()
        ? ReasonCode.LOCAL_QUEUE_STOPPED
        : ReasonCode.CLUSTER_QUEUE_NOT_FOUND;
  }

  /** {@return what keeps a workload out of whichever queue, null if nothing does} */
  private @Nullable ReasonCode ownObstacle(WorkloadRecord record) {
    if (!record.workload().active()) {
      return ReasonCode.DEACTIVATED;
    }
    if (record.lifecycle().isStopping()) {
      return ReasonCode.STOPPING;
    }
    if (record.lifecycle().isOnHold()) {
      return ReasonCode.ON_HOLD;
    }
    boolean isGated = context.settings().isEnabled(FeatureGate.ADMISSION_GATED_BY)
        && !record.workload().admissionGates().isEmpty();
    return isGated ? ReasonCode.ADMISSION_GATED : null;
  }

  /** {@return whether a workload may be in a queue, if its LocalQueue leads to one} */
  public boolean isQueueable(WorkloadRecord record) {
    return record.reservation() == null && ownObstacle(record) == null;
  }

  /**
   * Adds a workload to its queue if it may be queued, and otherwise leaves it outside of all
   * queues. Does nothing if it is pending or holds quota.
   */
  public void enqueue(WorkloadRecord record, Instant now) {
    enter(record, (queue, pending) -> queue.push(pending, now));
  }

  /** Does the same with a workload whose LocalQueue has changed, which is tried at once. */
  public void bring(WorkloadRecord record, Instant now) {
    enter(record, (queue, pending) -> queue.bring(pending, now));
  }

  private void enter(WorkloadRecord record, BiConsumer<PendingQueue, PendingWorkload> enter) {
    if (record.isPending() || record.reservation() != null) {
      return;
    }
    Optional<QueueState> target = isQueueable(record) ? target(record) : Optional.empty();
    variants.note(record);
    boolean usesVariants = target.isPresent() && variants.areUsed(record.workload(), target.get());
    if (usesVariants) {
      variants.adopt(record);
    }
    if (target.isEmpty() || usesVariants) {
      record.setQueue(null);
      return;
    }
    QueueState queue = target.get();
    PendingWorkload pending = newPending(record);
    enter.accept(queues.ownPending(queue), pending);
    record.setQueue(queue);
    record.setPending(pending, LastAttempt.NONE);
    changed(queue);
    if (promises.isUsed() && !queue.pending().isActive(pending)) {
      promises.setUnsettled(queue.name());
    }
  }

  /** {@return a head for a workload, which is not added to the queue and has not been tried} */
  public Head newHead(WorkloadRecord record, QueueState queue) {
    return new Head(record, newPending(record), queue, LastAttempt.NONE);
  }

  private PendingWorkload newPending(WorkloadRecord record) {
    return new PendingWorkload(
        record.compiled(), record, queueTimeMillis(record), record.backoffEnd());
  }

  /** {@return the time by which a workload is ordered among pending ones} */
  public long queueTimeMillis(WorkloadRecord record) {
    return record.queueTimeMillis(context.settings());
  }

  /** {@return the workloads that are pending in a ClusterQueue, in no particular order} */
  public List<WorkloadRecord> in(QueueState queue) {
    PendingQueue pending = queue.pending();
    return Stream.concat(pending.active().stream(), pending.parked().stream())
        .map(workload -> workloads.require(workload.id()))
        .toList();
  }

  /** Records that the workloads of {@code queue} have changed, which may wait for an event now. */
  public void changed(QueueState queue) {
    queues.changed(queue);
    if (queue.pending().awaitsEvent() && !queue.quota().isWatching()) {
      queues.ownQuota(queue).setWatching(true);
    }
  }

  public void unqueue(WorkloadRecord record) {
    PendingWorkload pending = record.pending();
    if (pending != null) {
      QueueState queue = record.requireQueue();
      queues.ownPending(queue).leave(pending);
      queues.changed(queue);
      record.setPending(null, LastAttempt.NONE);
      if (promises.remove(record.id())) {
        promises.changed(queues.forest().treeName(queue.quota()));
      }
    }
  }

  /** Moves a workload to the place that matches its current state, unless it holds quota. */
  public void renew(WorkloadRecord record, boolean specChanged, Instant now) {
    Head old = record.head();
    if (old != null && target(record).equals(Optional.of(old.queue())) && isQueueable(record)) {
      PendingWorkload renewed = newPending(record);
      queues.ownPending(old.queue()).replace(old.pending(), renewed, specChanged, now);
      changed(old.queue());
      promises.changed(queues.forest().treeName(old.queue().quota()));
      record.setPending(
          renewed, keepsProgress(old, renewed) ? old.last().progressOnly() : LastAttempt.NONE);
    } else {
      unqueue(record);
      enqueue(record, now);
    }
  }

  private boolean keepsProgress(Head old, PendingWorkload renewed) {
    return context.settings().isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)
        && (!context.settings().isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
            || old.compiled().shape().equals(renewed.compiled().shape()));
  }

  /** Makes a pending workload active for an attempt of its own. */
  public void activate(Head head) {
    queues.ownPending(head.queue()).activate(head.pending());
    // The attempt changes usage in trials.
    QueueQuota unused = queues.ownQuota(head.queue());
    changed(head.queue());
  }

  /** Makes the workloads active whose backoff is over at {@code now}. */
  void releaseDue(Instant now) {
    for (String name : queues.backoffs().due(now)) {
      QueueState queue = queues.require(name);
      queues.ownPending(queue).releaseDue(mayUse(queue), now);
      changed(queue);
      promises.setUnsettled(name);
    }
  }

  /** Makes the workloads active of the queues whose preemptions may be allowed at {@code now}. */
  void retryPreemptions(Timers<String> retries, Instant now) {
    for (String name : retries.due(now)) {
      retries.set(name, null);
      requeueParked(queues.require(name), now);
    }
  }

  /** Makes the parked workloads of a queue active after a requeue event. */
  void requeueParked(QueueState queue, Instant now) {
    queues.ownPending(queue).requeueParked(mayUse(queue), now);
    changed(queue);
  }

  private Predicate<String> mayUse(QueueState queue) {
    return namespace -> configuration.mayUse(queue.spec(), namespace);
  }

  // ----- heads

  /** {@return the head of a queue; null if it is inactive or has no active workload} */
  public @Nullable Head head(QueueState queue) {
    PendingWorkload head = queue.quota().isActive() ? queue.pending().head() : null;
    if (head == null) {
      return null;
    }
    // The cycle changes usage in trials.
    QueueQuota unused = queues.ownQuota(queue);
    return workloads.recordOf(head).head(head, queue);
  }

  /** Stores the outcome of an attempt of a head that stays in its queue. */
  public void setLastAttempt(Head head, Attempt attempt, Instant now) {
    LastAttempt before = head.last();
    head.record()
        .setLastAttempt(new LastAttempt(before.progress(), attempt.toKeep(), now, before.events()));
  }

  /** Requeues a head that remains pending after an attempt. */
  public void requeue(Head head, Attempt attempt, Instant now) {
    RequeueReason reason = Objects.requireNonNull(attempt.requeueReason());
    ScanProgress progress = head.progress();
    boolean pendingFlavors = progress != null && progress.hasPendingFlavors();
    PendingQueue pending = queues.ownPending(head.queue());
    LastAttempt last = new LastAttempt(
        // Otherwise the next scan starts at the first flavor in any case.
        pendingFlavors ? progress : null, attempt.toKeep(), now, pending.events());
    head.record().setLastAttempt(last);
    pending.requeue(head.pending(), reason, last, pendingFlavors, now);
    changed(head.queue());
  }
}
