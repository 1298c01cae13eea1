package io.kueue4j.core.internal.quota;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.WorkloadId;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A workload that holds quota of a ClusterQueue, with the amounts. Immutable; two holders are never
 * equal.
 *
 * <p>Rules: Q-18, L-9, L-10.
 */
public final class QuotaHolder {
  private static final long MILLIS_PER_SECOND = 1000;

  private final CompiledWorkload workload;

  // Copied from the workload, because candidates are compared by them very often.
  private final long priority;
  private final String uid;
  private final WorkloadId id;

  private final String clusterQueue;
  private final FlavorResource[] pairs;
  private final long[] amounts;
  private final long startMillis;
  private final long reservedMillis;
  private final long queueTimeMillis;
  private final boolean evicted;
  private final Footprint footprint;

  /**
   * Creates a holder that is not charged yet.
   *
   * @param workload the workload
   * @param clusterQueue the name of the queue whose quota it holds
   * @param pairs flavors and resources
   * @param amounts the amount of each pair
   * @param startMillis when the quota was reserved, in milliseconds since the epoch
   * @param queueTimeMillis the time that orders the workload among pending ones, in milliseconds
   *     since the epoch
   * @param evicted whether it was evicted
   * @param footprint what it uses besides quota
   */
  public QuotaHolder(
      CompiledWorkload workload,
      String clusterQueue,
      FlavorResource[] pairs,
      long[] amounts,
      long startMillis,
      long queueTimeMillis,
      boolean evicted,
      Footprint footprint) {
    this.workload = workload;
    this.priority = workload.priority();
    this.uid = workload.source().uid();
    this.id = workload.source().id();
    this.clusterQueue = clusterQueue;
    this.pairs = pairs;
    this.amounts = amounts;
    this.startMillis = startMillis;
    this.reservedMillis =
        LongMath.saturatedSubtract(startMillis, Math.floorMod(startMillis, MILLIS_PER_SECOND));
    this.queueTimeMillis = queueTimeMillis;
    this.evicted = evicted;
    this.footprint = footprint;
  }

  /**
   * {@return the holder after the workload was evicted}
   *
   * @param newQueueTimeMillis the time that orders it among pending ones from now on
   */
  public QuotaHolder evicted(long newQueueTimeMillis) {
    return new QuotaHolder(
        workload, clusterQueue, pairs, amounts, startMillis, newQueueTimeMillis, true, footprint);
  }

  /** {@return the workload} */
  public CompiledWorkload workload() {
    return workload;
  }

  /** {@return the priority of the workload} */
  public long priority() {
    return priority;
  }

  /** {@return the identity of the workload} */
  public WorkloadId id() {
    return id;
  }

  /** {@return the uid of the workload} */
  public String uid() {
    return uid;
  }

  /** {@return the name of the queue whose quota it holds} */
  public String clusterQueue() {
    return clusterQueue;
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
  public long startMillis() {
    return startMillis;
  }

  /** {@return the same truncated to whole seconds, by which candidates are ordered; rule U-6} */
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

  /**
   * {@return the amounts by names, in an order that does not depend on how the workload got them,
   * which a restart or a fork changes}
   */
  public ImmutableList<HeldQuota> heldQuotas() {
    return IntStream.range(0, pairs.length)
        .boxed()
        .sorted(Comparator.comparing(i -> pairs[i]))
        .map(i -> new HeldQuota(pairs[i].flavor(), pairs[i].resource().name(), amounts[i]))
        .collect(toImmutableList());
  }

  /** {@return what it uses besides quota} */
  public Footprint footprint() {
    return footprint;
  }

  @Override
  public String toString() {
    return workload.toString();
  }
}
