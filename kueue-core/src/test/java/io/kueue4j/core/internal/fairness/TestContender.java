package io.kueue4j.core.internal.fairness;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;

/**
 * One who asks for some amounts and, at equal shares, goes before a higher rank.
 *
 * @param queue the queue
 * @param pairs flavors and resources
 * @param amounts how much of each
 * @param isPreemptor whether it has priority
 * @param rank its place among equals
 */
record TestContender(
    QueueQuota queue,
    ImmutableList<FlavorResource> pairs,
    ImmutableLongArray amounts,
    boolean isPreemptor,
    int rank)
    implements Tournament.Contender {
  static TestContender of(
      GpuCohorts cohorts, String queue, long gpus, boolean isPreemptor, int rank) {
    return new TestContender(
        cohorts.queue(queue),
        ImmutableList.of(cohorts.gpuPair()),
        ImmutableLongArray.of(gpus),
        isPreemptor,
        rank);
  }

  String name() {
    return queue.name();
  }

  @Override
  public int size() {
    return pairs.size();
  }

  @Override
  public FlavorResource pair(int i) {
    return pairs.get(i);
  }

  @Override
  public long amount(int i) {
    return amounts.get(i);
  }

  @Override
  public int compareAtEqualShares(Tournament.Contender other) {
    return Integer.compare(rank, ((TestContender) other).rank);
  }

  /** Makes its queue use what it asks for. */
  void charge() {
    for (int i = 0; i < pairs.size(); i++) {
      queue.tree().add(queue.node(), queue.tree().column(pairs.get(i)), amounts.get(i));
    }
  }
}
