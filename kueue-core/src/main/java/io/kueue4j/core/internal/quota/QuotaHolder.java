package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;

/**
 * A workload that holds quota of a ClusterQueue, with the amounts.
 *
 * <p>Rules: Q-18, L-9, L-10.
 */
public final class QuotaHolder {
  static final int NOT_HELD = -1;

  private final CompiledWorkload workload;

  // Copied from the workload, because candidates are compared by them very often.
  private final long priority;
  private final String uid;

  private final QueueQuota queue;
  private final FlavorResource[] pairs;
  private final long[] amounts;
  private final long reservedMillis;
  private final Footprint footprint;
  private long queueTimeMillis;
  private boolean evicted;
  private boolean setAside;
  private int index = NOT_HELD;

  /**
   * Creates a holder that is not charged yet.
   *
   * @param workload the workload
   * @param queue the queue whose quota it holds
   * @param pairs flavors and resources
   * @param amounts the amount of each pair
   * @param reservedMillis when the quota was reserved, in milliseconds since the epoch
   * @param queueTimeMillis the time that orders the workload among pending ones, in milliseconds
   *     since the epoch
   * @param footprint what it uses besides quota
   */
  public QuotaHolder(
      CompiledWorkload workload,
      QueueQuota queue,
      FlavorResource[] pairs,
      long[] amounts,
      long reservedMillis,
      long queueTimeMillis,
      Footprint footprint) {
    this.workload = workload;
    this.priority = workload.priority();
    this.uid = workload.source().uid();
    this.queue = queue;
    this.pairs = pairs;
    this.amounts = amounts;
    this.reservedMillis = reservedMillis;
    this.queueTimeMillis = queueTimeMillis;
    this.footprint = footprint;
  }

  /** {@return a copy for another queue, not charged yet} */
  QuotaHolder copy(QueueQuota newQueue) {
    QuotaHolder copy = new QuotaHolder(
        workload, newQueue, pairs, amounts, reservedMillis, queueTimeMillis, footprint);
    copy.evicted = evicted;
    copy.setAside = setAside;
    copy.index = index;
    return copy;
  }

  /** {@return the workload} */
  public CompiledWorkload workload() {
    return workload;
  }

  /** {@return the priority of the workload} */
  public long priority() {
    return priority;
  }

  /** {@return the uid of the workload} */
  public String uid() {
    return uid;
  }

  /** {@return the queue whose quota it holds} */
  public QueueQuota queue() {
    return queue;
  }

  /** {@return the pairs held; must not be changed} */
  public FlavorResource[] pairs() {
    return pairs;
  }

  /** {@return the number of pairs held} */
  public int size() {
    return pairs.length;
  }

  /** {@return the {@code i}-th pair held} */
  public FlavorResource pair(int i) {
    return pairs[i];
  }

  /** {@return the amount of the {@code i}-th pair, may be 0} */
  public long amount(int i) {
    return amounts[i];
  }

  /** {@return when the quota was reserved, in milliseconds since the epoch} */
  public long reservedMillis() {
    return reservedMillis;
  }

  /**
   * {@return the time that orders the workload among pending ones, in milliseconds since the epoch}
   */
  public long queueTimeMillis() {
    return queueTimeMillis;
  }

  /** {@return whether the workload was evicted; it holds its quota until its pods have stopped} */
  public boolean isEvicted() {
    return evicted;
  }

  /**
   * Marks the workload as evicted.
   *
   * @param newQueueTimeMillis the time that orders it among pending ones from now on
   */
  public void evict(long newQueueTimeMillis) {
    boolean wasEvicted = evicted;
    long timeBefore = queueTimeMillis;
    queue.journal().add(() -> setEvicted(wasEvicted, timeBefore));
    setEvicted(true, newQueueTimeMillis);
  }

  private void setEvicted(boolean nowEvicted, long newQueueTimeMillis) {
    leaveCandidates();
    evicted = nowEvicted;
    queueTimeMillis = newQueueTimeMillis;
    joinCandidates();
  }

  /** {@return whether searches for victims ignore it at the moment} */
  public boolean isSetAside() {
    return setAside;
  }

  /** Sets whether searches for victims ignore it. */
  public void setAside(boolean aside) {
    leaveCandidates();
    setAside = aside;
    joinCandidates();
  }

  /** Notifies observers that it holds quota from now on, or may be preempted again. */
  void joinCandidates() {
    if (isCandidate()) {
      queue.tree().borrowers().holderAdded(this);
    }
  }

  /**
   * Notifies observers that it is about to release its quota, or must not be preempted at the
   * moment.
   */
  void leaveCandidates() {
    if (isCandidate()) {
      queue.tree().borrowers().tellOfRemoval(this);
    }
  }

  private boolean isCandidate() {
    return index >= 0 && !setAside;
  }

  /** {@return whether it holds a pair, even with amount 0} */
  public boolean holds(FlavorResource pair) {
    for (FlavorResource held : pairs) {
      if (held == pair) {
        return true;
      }
    }
    return false;
  }

  /** {@return the amount that it holds of a pair} */
  public long amountOf(FlavorResource pair) {
    for (int i = 0; i < pairs.length; i++) {
      if (pairs[i] == pair) {
        return amounts[i];
      }
    }
    return 0;
  }

  /** {@return what it uses besides quota} */
  public Footprint footprint() {
    return footprint;
  }

  /** In a trial, adds its amounts to the usage of its queue, and its footprint. */
  public void charge() {
    chargeQuota();
    queue.tree().participant().charge(footprint);
  }

  /** In a trial, removes its amounts from the usage of its queue, and its footprint. */
  public void uncharge() {
    unchargeQuota();
    queue.tree().participant().uncharge(footprint);
  }

  /** In a trial, adds its amounts to the usage of its queue, without its footprint. */
  public void chargeQuota() {
    QuotaTree tree = queue.tree();
    for (int i = 0; i < pairs.length; i++) {
      tree.add(queue.node(), tree.column(pairs[i]), amounts[i]);
    }
  }

  /** In a trial, removes its amounts from the usage of its queue; its footprint stays. */
  public void unchargeQuota() {
    QuotaTree tree = queue.tree();
    for (int i = 0; i < pairs.length; i++) {
      tree.remove(queue.node(), tree.column(pairs[i]), amounts[i]);
    }
  }

  int index() {
    return index;
  }

  void setIndex(int newIndex) {
    index = newIndex;
  }
}
