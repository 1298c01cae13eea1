package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.StopPolicy;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Recorded changes that may let parked workloads fit, not delivered yet. Recording and delivery can
 * be separate because no queue is read in between, and several events of one tree count as one.
 *
 * <p>Rules: U-16, U-17a, PS-6, PS-13.
 */
public final class RequeueEvents {
  private final Configuration configuration;
  private final QueueStore queues;
  private final PendingWorkloads pending;
  private final Promises promises;

  /** The name of one queue of each tree with an event, by the name of the tree. */
  private final VersionedMap<String, String> sources;

  RequeueEvents(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      PendingWorkloads pending,
      Promises promises) {
    this.configuration = configuration;
    this.queues = queues;
    this.pending = pending;
    this.promises = promises;
    this.sources = new VersionedMap<>(context.journal());
  }

  /**
   * {@return the queue affected by a change of a workload: the one whose quota it holds, otherwise
   * the one that it waits in; absent if its LocalQueue is stopped (U-17a)}
   *
   * <p>A holder whose LocalQueue was removed counts: otherwise workloads that wait for its quota
   * would wait for an unrelated event.
   */
  public Optional<QueueState> queueOf(WorkloadRecord record) {
    if (record.reservation() == null) {
      return pending.target(record);
    }
    Optional<LocalQueue> queue = configuration.localQueue(record.localQueueKey());
    boolean isStopped = queue.isPresent() && queue.get().stopPolicy() != StopPolicy.NONE;
    return isStopped ? Optional.empty() : Optional.of(record.requireQueue());
  }

  /** Records an event for the queue of a workload. */
  public void note(WorkloadRecord record) {
    Optional<QueueState> queue = queueOf(record);
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
        if (!Collections.disjoint(flavors, spec.flavors())) {
          note(queue);
        }
      }
    }
  }

  /** Records an event for a queue and its entire tree. */
  public void note(QueueState queue) {
    String tree = queues.forest().treeName(queue.quota());
    if (sources.get(tree) == null) {
      sources.set(tree, queue.name());
      promises.changed(tree);
    }
  }

  /** Records that a capacity window keeps something else than before, or nothing. */
  public void note(CapacityWindow window) {
    Optional<String> name = window.clusterQueue();
    if (name.isPresent()) {
      queues.get(name.get()).ifPresent(this::note);
    } else {
      queues.all().forEach(this::note);
    }
  }

  /** Requeues the workloads that are parked in the trees with events. */
  void deliver(Instant now) {
    if (sources.isEmpty()) {
      return;
    }
    List<String> delivered = sources.values();
    sources.clear();
    for (String source : delivered) {
      Optional<QueueState> queue = queues.get(source);
      if (queue.isPresent()) {
        for (QueueQuota member : queue.get().quota().tree().layout().watching()) {
          QueueState watching = queues.require(member.name());
          queues.ownQuota(watching).setWatching(false);
          pending.requeueParked(watching, now);
        }
      }
    }
  }
}
