package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.StopPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

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
  private final AttemptOmission omission;

  /** The queues with deferred events, and some whose events were applied since. */
  private Set<QueueState> deferred = new LinkedHashSet<>();

  /** One queue of each tree with an event. */
  private List<QueueQuota> sources = new ArrayList<>();

  private Set<QuotaTree> trees = new HashSet<>();

  RequeueEvents(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      PendingWorkloads pending,
      AttemptOmission omission) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.pending = pending;
    this.omission = omission;
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
    queueOf(record).ifPresent(this::note);
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
    QuotaTree tree = queue.tree();
    if (trees.add(tree)) {
      sources.add(queue);
      context.changes().inverse(RequeueEvents::forgetLast, this, tree);
    }
  }

  private void forgetLast(QuotaTree tree) {
    trees.remove(tree);
    sources.remove(sources.size() - 1);
  }

  /**
   * Requeues the workloads that are parked in the trees with events. If attempts may be left out,
   * that is deferred until the workloads are needed, or until the next cycle.
   */
  void deliver(Instant now) {
    for (QueueQuota source : takeSources()) {
      List<QueueState> watching = new ArrayList<>();
      source
          .layout()
          .forEachWatching(member ->
              queues.of(member).ifPresentOrElse(watching::add, () -> stopWatching(member)));
      if (omission.isOn()) {
        defer(watching, now);
      } else {
        watching.forEach(queue -> requeue(queue, now));
      }
    }
  }

  private void requeue(QueueState queue, Instant now) {
    stopWatching(queue.quota());
    ClusterQueue spec = queue.quota().compiled().source();
    queue.pending().requeueParked(namespace -> configuration.mayUse(spec, namespace), now);
    pending.changed(queue);
  }

  private void defer(List<QueueState> watching, Instant now) {
    List<QueueState> added = new ArrayList<>(watching.size());
    Consumer<QueueState> event = event(now);
    for (QueueState queue : watching) {
      if (queue.attemptsSinceEvent() > 0) {
        queue.applyEvent();
      }
      if (!queue.isEventDeferred()) {
        queue.deferEvent(event);
        added.add(queue);
      }
    }
    deferred.addAll(added);
    context.changes().inverse(() -> {
      added.forEach(queue -> queue.deferEvent(null));
      deferred.removeAll(added);
    });
  }

  /** {@return an event that takes the attempts into account that were left out since} */
  private Consumer<QueueState> event(Instant now) {
    return queue -> {
      int attempts = queue.attemptsSinceEvent();
      context.changes().inverse(() -> {
        queue.deferEvent(event(now));
        queue.setAttemptsSinceEvent(attempts);
      });
      queue.setAttemptsSinceEvent(0);
      requeue(queue, now);
      for (int i = 0; i < attempts; i++) {
        pending.parkUntried(Objects.requireNonNull(pending.popHead(queue)), now);
      }
    };
  }

  /**
   * Applies the deferred events before a cycle, except to queues in which the next attempt is
   * hopeless.
   *
   * @return the largest number of attempts, one in each of the next cycles, that are left out in a
   *     queue
   */
  int settle(Instant now) {
    if (deferred.isEmpty()) {
      return 0;
    }
    Set<QueueState> taken = deferred;
    deferred = new LinkedHashSet<>();
    // Loads all of them first, which may end the omission.
    taken.forEach(QueueState::load);
    List<QueueState> dropped = new ArrayList<>(taken.size());
    Set<QueueState> kept = deferred;
    int most = 0;
    for (QueueState queue : taken) {
      if (!queue.isEventDeferred()) {
        continue;
      }
      switch (omission.prospect(queue)) {
        case OPEN -> queue.applyEvent();
        case LATER -> {
          most = Math.max(most, 1);
          kept.add(queue);
        }
        case NONE -> {
          most = Math.max(most, omission.count(queue) - queue.attemptsSinceEvent());
          dropped.add(queue);
        }
      }
    }
    leaveOut(taken, dropped, kept, now);
    return most;
  }

  private void leaveOut(
      Set<QueueState> taken, List<QueueState> dropped, Set<QueueState> kept, Instant now) {
    int[] attempts = dropped.stream().mapToInt(QueueState::attemptsSinceEvent).toArray();
    dropped.forEach(queue -> queue.deferEvent(null));
    kept.forEach(queue -> queue.setAttemptsSinceEvent(queue.attemptsSinceEvent() + 1));
    List<QueueState> advanced = List.copyOf(kept);
    context.changes().inverse(() -> {
      deferred = taken;
      advanced.forEach(queue -> queue.setAttemptsSinceEvent(queue.attemptsSinceEvent() - 1));
      for (int i = 0; i < attempts.length; i++) {
        dropped.get(i).deferEvent(event(now));
        dropped.get(i).setAttemptsSinceEvent(attempts[i]);
      }
    });
  }

  /** {@return one queue of each tree with an event, and clears the events} */
  private List<QueueQuota> takeSources() {
    if (sources.isEmpty()) {
      return List.of();
    }
    List<QueueQuota> taken = sources;
    Set<QuotaTree> treesTaken = trees;
    sources = new ArrayList<>();
    trees = new HashSet<>();
    context.changes().inverse(RequeueEvents::putSources, this, taken);
    context.changes().inverse(RequeueEvents::putTrees, this, treesTaken);
    return taken;
  }

  private void putSources(List<QueueQuota> others) {
    sources = others;
  }

  private void putTrees(Set<QuotaTree> others) {
    trees = others;
  }

  private void stopWatching(QueueQuota queue) {
    context.changes().before(queue);
    queue.setWatching(false);
    context.changes().inverse(QueueQuota::setWatching, queue, true);
  }
}
