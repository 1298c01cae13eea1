package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.StopPolicy;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Recorded changes that may let parked workloads fit, not delivered yet. Recording and delivery can
 * be separate because no queue is read in between, and several events of one tree count as one.
 *
 * <p>Rules: U-16, U-17a.
 */
public final class RequeueEvents {
  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final PendingWorkloads pending;

  /** One queue of each tree with an event. */
  private final VersionedMap<QuotaTree, QueueQuota> sources;

  RequeueEvents(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      PendingWorkloads pending) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.pending = pending;
    this.sources = new VersionedMap<>(context.journal());
  }

  /**
   * {@return the queue affected by a change of a workload: the one whose quota it holds, otherwise
   * the one that it waits in; absent if its LocalQueue is stopped (U-17a)}
   *
   * <p>A holder whose LocalQueue was removed counts: otherwise workloads that wait for its quota
   * would wait for an unrelated event.
   */
  public Optional<QueueQuota> queueOf(WorkloadRecord record) {
    Reservation reservation = record.reservation();
    if (reservation == null) {
      return pending.target(record).map(QueueState::quota);
    }
    Optional<LocalQueue> queue = configuration.localQueue(record.localQueueKey());
    boolean isStopped = queue.isPresent() && queue.get().stopPolicy() != StopPolicy.NONE;
    return isStopped ? Optional.empty() : Optional.of(reservation.queue().quota());
  }

  /** Records an event for the queue of a workload. */
  public void note(WorkloadRecord record) {
    Optional<QueueQuota> queue = queueOf(record);
    if (queue.isPresent()) {
      note(queue.get());
    }
  }

  /** Records that TPU slices are free, which all queues with a flavor of their pools may use. */
  void noteReleased(Admission admission) {
    Set<String> flavors = new TreeSet<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      for (SliceAssignment slice : podSet.slices()) {
        flavors.addAll(configuration.fleets().flavorsOf(slice.poolSet()));
      }
    }
    if (!flavors.isEmpty()) {
      for (QueueState queue : queues.all()) {
        ClusterQueue spec = queue.quota().compiled().source();
        if (flavors.stream().anyMatch(flavor -> Configuration.uses(spec, flavor))) {
          note(queue.quota());
        }
      }
    }
  }

  /** Records an event for a queue and its entire tree. */
  public void note(QueueQuota queue) {
    if (sources.get(queue.tree()) == null) {
      sources.set(queue.tree(), queue);
    }
  }

  /** Requeues the workloads that are parked in the trees with events. */
  void deliver(Instant now) {
    for (QueueQuota source : sources.clear().values()) {
      for (QueueQuota member : source.layout().watching()) {
        Optional<QueueState> queue = queues.of(member);
        if (queue.isPresent()) {
          requeue(queue.get(), now);
        } else {
          stopWatching(member);
        }
      }
    }
  }

  private void requeue(QueueState queue, Instant now) {
    stopWatching(queue.quota());
    ClusterQueue spec = queue.quota().compiled().source();
    queue.pending().requeueParked(namespace -> configuration.mayUse(spec, namespace), now);
    pending.changed(queue);
  }

  private void stopWatching(QueueQuota queue) {
    context.changes().before(queue);
    queue.setWatching(false);
  }
}
