package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.ClusterQueue;

/**
 * A ClusterQueue of one state: stays the same object while its quota and its pending workloads are
 * replaced by copies, which happens before their first change after a fork.
 *
 * <p>Rules: U-9.
 */
public final class QueueState {
  private QueueQuota quota;
  private PendingQueue pending;

  /** Whether it is known to be listed as one with work, which saves a search after each change. */
  private boolean listed;

  /**
   * Creates a queue.
   *
   * @param quota its place in the cohort tree
   * @param pending its pending workloads
   */
  public QueueState(QueueQuota quota, PendingQueue pending) {
    this.quota = quota;
    this.pending = pending;
  }

  /** {@return its place in the cohort tree} */
  public QueueQuota quota() {
    return quota;
  }

  /** {@return the ClusterQueue as it was applied} */
  public ClusterQueue spec() {
    return quota.spec();
  }

  /** {@return its pending workloads} */
  public PendingQueue pending() {
    return pending;
  }

  /** Replaces the place in the cohort tree by a copy. */
  public void setQuota(QueueQuota copy) {
    quota = copy;
  }

  /** Replaces the pending workloads by a copy. */
  public void setPending(PendingQueue copy) {
    pending = copy;
  }

  /** {@return whether it has work for a cycle} */
  public boolean hasWork() {
    return pending.hasWork();
  }

  /** {@return whether it is known to be listed as one with work} */
  boolean isListed() {
    return listed;
  }

  void setListed(boolean isListed) {
    listed = isListed;
  }

  /** {@return the name} */
  public String name() {
    return quota.name();
  }

  @Override
  public String toString() {
    return name();
  }
}
