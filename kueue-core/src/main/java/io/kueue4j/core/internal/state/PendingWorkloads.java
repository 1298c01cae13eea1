package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.flavor.ScanProgress;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.RequeueReason;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The waiting workloads of an engine: the queue that each belongs to, whether it may be queued, and
 * the queues that have work for the next cycle.
 *
 * <p>Rules: U-1, U-19, U-21.
 */
public final class PendingWorkloads {
  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final WorkloadStore workloads;
  private final Variants variants;

  PendingWorkloads(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      WorkloadStore workloads,
      Variants variants) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.workloads = workloads;
    this.variants = variants;
  }

  /** {@return the queue that a workload belongs to, if its LocalQueue is open and both exist} */
  public Optional<QueueState> target(WorkloadRecord record) {
    Optional<LocalQueue> queue = configuration.openLocalQueue(record.localQueueKey());
    return queue.isPresent() ? queues.get(queue.get().clusterQueue()) : Optional.empty();
  }

  public boolean isQueueable(WorkloadRecord record) {
    return record.reservation() == null
        && record.workload().active()
        && !isGated(record.workload())
        && !record.lifecycle().isStopping()
        && !record.lifecycle().isOnHold();
  }

  public boolean isGated(Workload workload) {
    return context.settings().isEnabled(FeatureGate.ADMISSION_GATED_BY)
        && !workload.admissionGates().isEmpty();
  }

  /**
   * Adds a workload to its queue if it may be queued, and otherwise leaves it outside of all
   * queues. Does nothing if it is pending or holds quota.
   */
  public void enqueue(WorkloadRecord record, Instant now) {
    if (record.head() != null || record.reservation() != null) {
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
    Head head = newHead(record, queue);
    queue.pending().push(head, now);
    record.setQueue(queue);
    record.setHead(head);
    changed(queue);
  }

  /** {@return a head for a workload, which is not added to the queue and has not been tried} */
  public Head newHead(WorkloadRecord record, QueueState queue) {
    return new QueuedWorkload(record, queueTimeMillis(record), queue);
  }

  /** {@return the time by which a workload is ordered among pending ones} */
  public long queueTimeMillis(WorkloadRecord record) {
    return record.queueTimeMillis(context.settings());
  }

  /** {@return the workloads that are pending in a ClusterQueue, in no particular order} */
  public List<WorkloadRecord> in(QueueState queue) {
    PendingQueue pending = queue.pending();
    return Stream.concat(pending.active().stream(), pending.parked().stream())
        .map(workload -> workload.compiled().source().id())
        .map(id -> Objects.requireNonNull(workloads.loaded(id)))
        .toList();
  }

  /** {@return the queues that have work for a cycle, by name} */
  public List<QueueState> queuesWithWork() {
    context.loader().takeTreesWithWork();
    return queues.withWork().inOrder();
  }

  /** Records that workloads were added to {@code queue}, to wait for a cycle or for an event. */
  public void changed(QueueState queue) {
    queues.withWork().add(queue);
    QueueQuota quota = queue.quota();
    if (queue.pending().awaitsEvent() && !quota.isWatching()) {
      context.changes().before(quota);
      quota.setWatching(true);
    }
  }

  public void unqueue(WorkloadRecord record) {
    Head head = record.head();
    if (head != null) {
      head.queue().pending().leave(head);
      record.setHead(null);
    }
  }

  /** Re-evaluates a pending workload after a change that does not concern its spec. */
  public void renew(WorkloadRecord record, Instant now) {
    if (record.reservation() == null) {
      renew(record, false, now);
    }
  }

  /** Moves a workload without quota to the place that matches its current state. */
  public void renew(WorkloadRecord record, boolean specChanged, Instant now) {
    Head old = record.head();
    boolean stays = old != null && target(record).equals(Optional.of(old.queue()));
    if (old != null && stays && isQueueable(record)) {
      Head renewed = newHead(record, old.queue());
      old.queue().pending().replace(old, renewed, specChanged, now);
      changed(old.queue());
      record.setHead(renewed);
      if (keepsProgress(old, renewed)) {
        renewed.setProgress(old.progress());
      }
    } else {
      unqueue(record);
      enqueue(record, now);
    }
  }

  private boolean keepsProgress(Head old, Head renewed) {
    return context.settings().isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)
        && (!context.settings().isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
            || old.compiled().shape().equals(renewed.compiled().shape()));
  }

  /** Takes a pending workload out of its queue for an individual attempt. */
  public void take(Head head) {
    head.queue().pending().take(head);
  }

  /** Makes the workloads active whose backoff is over at {@code now}. */
  void releaseDue(Instant now) {
    for (String name : queues.backoffs().due(now)) {
      QueueState queue = queues.get(name).orElseThrow();
      ClusterQueue spec = queue.quota().compiled().source();
      queue.pending().releaseDue(namespace -> configuration.mayUse(spec, namespace), now);
    }
  }

  // ----- heads

  /** Removes and returns the head of a queue; null if the queue has none. */
  public @Nullable Head popHead(QueueState queue) {
    return queue.pop();
  }

  /** Puts a head back as if it had not been popped. */
  public void putBack(Head head) {
    head.queue().pending().unpop(head);
    changed(head.queue());
  }

  /** Sets the progress of the flavor scan, null to clear it. */
  public void setProgress(Head head, @Nullable ScanProgress progress) {
    head.setProgress(progress);
  }

  /** Stores the relevant outcome of an attempt. */
  public void setLastAttempt(Head head, Attempt attempt, Instant now) {
    head.setLastAttempt(attempt.toKeep(), now);
  }

  /** Requeues a head that remains pending after an attempt. */
  public void requeue(Head head, Attempt attempt, Instant now) {
    setLastAttempt(head, attempt, now);
    RequeueReason reason = Objects.requireNonNull(attempt.requeueReason());
    boolean pendingFlavors = head.progress() != null && head.progress().hasPendingFlavors();
    if (!pendingFlavors) {
      // The next scan starts at the first flavor in any case.
      setProgress(head, null);
    }
    head.queue().pending().requeue(head, reason, pendingFlavors, now);
    changed(head.queue());
  }
}
