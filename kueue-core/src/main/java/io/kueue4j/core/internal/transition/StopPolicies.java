package io.kueue4j.core.internal.transition;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.StopPolicy;
import java.time.Instant;
import java.util.Optional;

/**
 * Applies the stop policies of queues to workloads that hold quota.
 *
 * <p>Rules: U-22, L-11.
 */
public final class StopPolicies {
  private final EngineState state;
  private final WorkloadTransitions lifecycles;

  public StopPolicies(EngineState state, WorkloadTransitions lifecycles) {
    this.state = state;
    this.lifecycles = lifecycles;
  }

  static boolean isStopped(QueueState queue) {
    return queue.quota().compiled().source().stopPolicy() != StopPolicy.NONE;
  }

  /**
   * Applies the stop policies of its queues to a workload: it releases its quota, is evicted, or
   * continues.
   */
  public void follow(WorkloadRecord record, Instant now) {
    Reservation reservation = record.reservation();
    if (reservation == null || record.isStopping()) {
      return;
    }
    Optional<LocalQueue> localQueue = state.configuration().localQueue(record.localQueueKey());
    StopPolicy ofQueue = record.requireQueue().quota().compiled().source().stopPolicy();
    StopPolicy ofLocalQueue = localQueue.map(LocalQueue::stopPolicy).orElse(StopPolicy.NONE);
    if (record.lifecycle().isAdmitted()) {
      if (ofQueue == StopPolicy.HOLD_AND_DRAIN) {
        evict(record, EvictionReason.CLUSTER_QUEUE_STOPPED, "The ClusterQueue is stopped", now);
      } else if (ofLocalQueue == StopPolicy.HOLD_AND_DRAIN) {
        evict(record, EvictionReason.LOCAL_QUEUE_STOPPED, "The LocalQueue is stopped", now);
      }
    } else if (ofQueue != StopPolicy.NONE) {
      withdraw(record, PendingCause.SUSPENDED, "The ClusterQueue is stopped", now);
    } else if (localQueue.isEmpty()) {
      withdraw(record, PendingCause.MISCONFIGURED, "The LocalQueue does not exist", now);
    } else if (ofLocalQueue != StopPolicy.NONE) {
      withdraw(record, PendingCause.SUSPENDED, "The LocalQueue is stopped", now);
    }
  }

  private void evict(WorkloadRecord record, EvictionReason reason, String message, Instant now) {
    state.decisions().add(lifecycles.evict(record, reason, Optional.empty(), message, now));
  }

  private void withdraw(WorkloadRecord record, PendingCause cause, String message, Instant now) {
    LifecycleState known = record.lifecycle();
    lifecycles.withdraw(record, known.withdrawn(cause.toString(), message, now), now);
  }
}
