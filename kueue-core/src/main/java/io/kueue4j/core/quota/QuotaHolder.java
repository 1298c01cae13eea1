package io.kueue4j.core.quota;

import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.compiled.IdsInUse;

/**
 * A workload that holds quota of a ClusterQueue, and how much.
 *
 * <p>Rules: Q-18, L-9, L-10.
 */
public final class QuotaHolder {
  static final int NOT_HELD = -1;

  private final CompiledWorkload workload;

  // Those of the workload, at hand because candidates are compared by them again and again.
  private final long priority;
  private final String uid;

  private final QueueQuota queue;
  private final int[] pairs;
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
   * @param queue whose quota it holds
   * @param pairs flavors and resources
   * @param amounts how much of each
   * @param reservedMillis when the quota was reserved, since the epoch
   * @param queueTimeMillis the time that the workload is ordered by among pending ones, since the
   *     epoch
   * @param footprint what it takes beside quota
   */
  public QuotaHolder(
      CompiledWorkload workload,
      QueueQuota queue,
      int[] pairs,
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

  /** {@return the same for another queue, not charged to it} */
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

  /** {@return the pairs held; not to be changed} */
  public int[] pairs() {
    return pairs;
  }

  /** {@return the number of pairs held} */
  public int size() {
    return pairs.length;
  }

  /** {@return the {@code i}-th pair held} */
  public int pair(int i) {
    return pairs[i];
  }

  /** {@return how much of the {@code i}-th pair, may be 0} */
  public long amount(int i) {
    return amounts[i];
  }

  /** {@return when the quota was reserved, since the epoch} */
  public long reservedMillis() {
    return reservedMillis;
  }

  /** {@return the time that the workload is ordered by among pending ones} */
  public long queueTimeMillis() {
    return queueTimeMillis;
  }

  /** {@return whether it has been told to stop, and holds its quota until it has} */
  public boolean isEvicted() {
    return evicted;
  }

  /**
   * Notes that it has been told to stop.
   *
   * @param newQueueTimeMillis the time that it is ordered by among pending ones from now on
   */
  public void evict(long newQueueTimeMillis) {
    leaveCandidates();
    evicted = true;
    queueTimeMillis = newQueueTimeMillis;
    joinCandidates();
  }

  /** Takes the eviction back. */
  public void restore(boolean wasEvicted, long oldQueueTimeMillis) {
    leaveCandidates();
    evicted = wasEvicted;
    queueTimeMillis = oldQueueTimeMillis;
    joinCandidates();
  }

  /** {@return whether it is left out of searches for victims for the moment} */
  public boolean isSetAside() {
    return setAside;
  }

  /** Leaves it out of searches for victims, or takes it in again. */
  public void setAside(boolean aside) {
    leaveCandidates();
    setAside = aside;
    joinCandidates();
  }

  /** It holds quota from now on, or may be preempted again. */
  void joinCandidates() {
    if (isCandidate()) {
      queue.tree().borrowers().tellOfAddition(this);
    }
  }

  /** It is about to hold no quota, or not to be preempted for the moment. */
  void leaveCandidates() {
    if (isCandidate()) {
      queue.tree().borrowers().tellOfRemoval(this);
    }
  }

  private boolean isCandidate() {
    return index >= 0 && !setAside;
  }

  /** {@return whether it holds some of a pair, be it nothing} */
  public boolean holds(int pair) {
    for (int held : pairs) {
      if (held == pair) {
        return true;
      }
    }
    return false;
  }

  /** {@return how much it holds of a pair} */
  public long amountOf(int pair) {
    for (int i = 0; i < pairs.length; i++) {
      if (pairs[i] == pair) {
        return amounts[i];
      }
    }
    return 0;
  }

  /** {@return what it takes beside quota} */
  public Footprint footprint() {
    return footprint;
  }

  /** Adds what it holds to the usage of its queue, and what it takes beside, on trial. */
  public void charge() {
    chargeQuota();
    queue.tree().participant().charge(footprint);
  }

  /** Takes what it holds from the usage of its queue, and what it takes beside, on trial. */
  public void uncharge() {
    unchargeQuota();
    queue.tree().participant().uncharge(footprint);
  }

  /** Adds what it holds to the usage of its queue only, on trial. */
  public void chargeQuota() {
    QuotaTree tree = queue.tree();
    for (int i = 0; i < pairs.length; i++) {
      tree.add(queue.node(), tree.column(pairs[i]), amounts[i]);
    }
  }

  /** Takes what it holds from the usage of its queue, on trial; what it takes beside stays. */
  public void unchargeQuota() {
    QuotaTree tree = queue.tree();
    for (int i = 0; i < pairs.length; i++) {
      tree.remove(queue.node(), tree.column(pairs[i]), amounts[i]);
    }
  }

  /** Adds the ids that it refers to. */
  void addIds(IdsInUse inUse) {
    workload.addIds(inUse);
    inUse.addPairs(pairs);
    footprint.addIds(inUse);
  }

  int index() {
    return index;
  }

  void setIndex(int newIndex) {
    index = newIndex;
  }
}
