package io.kueue4j.core.cycle;

import io.kueue4j.core.queue.PendingQueue;
import io.kueue4j.core.quota.QueueQuota;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue with its quota and its pending workloads.
 *
 * <p>Rules: U-9.
 *
 * @param quota its place in the cohort tree
 * @param pending its pending workloads, all of them {@link Head}s
 */
public record QueueState(QueueQuota quota, PendingQueue pending) {
  /** {@return the name} */
  public String name() {
    return quota.name();
  }

  /**
   * Removes the head for a cycle.
   *
   * @return the head, null if the queue is inactive or has no active workload
   */
  public @Nullable Head pop() {
    return quota.isActive() ? (Head) pending.pop() : null;
  }
}
