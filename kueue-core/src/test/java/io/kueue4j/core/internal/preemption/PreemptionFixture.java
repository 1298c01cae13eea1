package io.kueue4j.core.internal.preemption;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.fairness.GpuCohorts;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Preemption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Running workloads in {@link GpuCohorts} and searches for victims among them.
 *
 * <p>Each workload is created and admitted one second after the one before; the preemptor came
 * last.
 */
final class PreemptionFixture {
  private static final long LATE = 1_000_000;

  final GpuCohorts cohorts = new GpuCohorts();
  private final Map<String, QuotaHolder> holders = new HashMap<>();
  private long now;

  // ----- policies

  static ClusterQueue.Builder withinQueue(ClusterQueue.Builder queue, Preemption.Policy policy) {
    return queue.preemption(Preemption.builder().withinClusterQueue(policy).build());
  }

  static ClusterQueue.Builder reclaiming(ClusterQueue.Builder queue) {
    return queue.preemption(
        Preemption.builder().reclaimWithinCohort(Preemption.Policy.ANY).build());
  }

  static ClusterQueue.Builder reclaiming(
      ClusterQueue.Builder queue, Preemption.Policy within, Preemption.Policy reclaim) {
    return queue.preemption(Preemption.builder()
        .withinClusterQueue(within)
        .reclaimWithinCohort(reclaim)
        .build());
  }

  /** Reclaims from any, also while borrowing from lower priorities, up to the threshold. */
  static ClusterQueue.Builder preemptingWhileBorrowing(
      ClusterQueue.Builder queue, Preemption.Policy within, OptionalInt threshold) {
    return queue.preemption(Preemption.builder()
        .withinClusterQueue(within)
        .reclaimWithinCohort(Preemption.Policy.ANY)
        .borrowWithinCohort(Preemption.Policy.LOWER_PRIORITY)
        .maxPriorityThreshold(threshold)
        .build());
  }

  // ----- running workloads

  PreemptionFixture running(String name, String queue, long gpus, int priority) {
    return running(name, name, queue, priority, Map.of(GpuCohorts.GPU, gpus));
  }

  /** Takes in a workload that holds amounts of resources in the default flavor. */
  PreemptionFixture running(
      String name, String uid, String queue, int priority, Map<String, Long> amounts) {
    now += 1000;
    return runningSince(now, name, uid, queue, priority, amounts);
  }

  PreemptionFixture runningSince(
      long millis, String name, String uid, String queue, int priority, Map<String, Long> amounts) {
    return running(millis, millis, name, uid, queue, priority, amounts);
  }

  /** Takes in a workload with the times at which it was queued and its quota was reserved. */
  PreemptionFixture running(
      long queueTimeMillis,
      long reservedMillis,
      String name,
      String uid,
      String queue,
      int priority,
      Map<String, Long> amounts) {
    QueueQuota quota = cohorts.queue(queue);
    Map<FlavorResource, Long> byPair = new TreeMap<>();
    amounts.forEach(
        (resource, amount) -> byPair.put(cohorts.pair(GpuCohorts.FLAVOR, resource), amount));
    FlavorResource[] pairs = byPair.keySet().toArray(new FlavorResource[0]);
    long[] held = byPair.values().stream().mapToLong(Long::longValue).toArray();
    cohorts.ensureColumns(quota, pairs);
    QuotaHolder holder = new QuotaHolder(
        cohorts.workload(name, uid, priority),
        quota.name(),
        pairs,
        held,
        reservedMillis,
        queueTimeMillis,
        false,
        Footprint.NONE);
    quota.add(holder);
    holders.put(name, holder);
    return this;
  }

  QuotaHolder holder(String name) {
    QuotaHolder holder = holders.get(name);
    if (holder == null) {
      throw new IllegalArgumentException("no workload runs under the name " + name);
    }
    return holder;
  }

  PreemptionFixture evicted(String name) {
    evict(name, holder(name).queueTimeMillis());
    return this;
  }

  void evict(String name, long queueTimeMillis) {
    QuotaHolder before = holder(name);
    QuotaHolder evicted = before.evicted(queueTimeMillis);
    boolean isAside = isSetAside(before);
    queueOf(before).setAside(before, false);
    queueOf(before).replace(before, evicted);
    queueOf(evicted).setAside(evicted, isAside);
    holders.put(name, evicted);
  }

  QueueQuota queueOf(QuotaHolder holder) {
    return cohorts.queue(holder.clusterQueue());
  }

  boolean isSetAside(QuotaHolder holder) {
    return queueOf(holder).isSetAside(holder);
  }

  void setAside(String name, boolean isAside) {
    queueOf(holder(name)).setAside(holder(name), isAside);
  }

  /**
   * Lets a search fail in the middle: takes in a workload that gives up some GPUs and then
   * something that its queue, which is alone, has never heard of.
   */
  PreemptionFixture runningBroken(String name, String queue, long gpus, int priority) {
    QueueQuota quota = cohorts.queue(queue);
    FlavorResource[] pairs = {cohorts.gpuPair(), cohorts.gpuPair()};
    quota.add(new QuotaHolder(
        cohorts.workload(name, name, priority),
        quota.name(),
        pairs,
        new long[] {gpus, 0},
        0,
        0,
        false,
        Footprint.NONE));
    pairs[1] = cohorts.pair("unheard of", GpuCohorts.GPU);
    return this;
  }

  // ----- searches

  Preemptor preemptor(String queue, int priority) {
    return preemptor(queue, priority, LATE);
  }

  Preemptor preemptor(String queue, int priority, long queueTimeMillis) {
    return new Preemptor(
        cohorts.workload("incoming", "incoming", priority), queueTimeMillis, cohorts.queue(queue));
  }

  Demand demand(String queue, long gpus) {
    FlavorResource[] pairs = {cohorts.gpuPair()};
    return new Demand(cohorts.queue(queue), pairs, pairs, new long[] {gpus}, () -> true);
  }

  /** {@return victims as {@code name Reason} for a workload that asks for GPUs} */
  ImmutableList<String> classical(String queue, long gpus, int priority) {
    return names(classical(preemptor(queue, priority), demand(queue, gpus)));
  }

  static List<Victim> classical(Preemptor preemptor, Demand demand) {
    return new ClassicalSearch(preemptor, demand, LocalQueueUsage.NONE).search();
  }

  ImmutableList<String> fair(
      String queue, long gpus, int priority, FairSharingStrategy... strategies) {
    return fair(true, queue, gpus, priority, strategies);
  }

  ImmutableList<String> fair(
      boolean withinNominalNeedsNoShare,
      String queue,
      long gpus,
      int priority,
      FairSharingStrategy... strategies) {
    Settings settings =
        fairly(ImmutableList.copyOf(strategies), withinNominalNeedsNoShare).build();
    return names(new FairSearch(
            settings, preemptor(queue, priority), demand(queue, gpus), LocalQueueUsage.NONE)
        .search());
  }

  /** {@return settings of fair sharing} */
  static Settings.Builder fairly(
      List<FairSharingStrategy> strategies, boolean withinNominalNeedsNoShare) {
    return Settings.builder()
        .fairSharing(strategies)
        .putFeatureGates(
            FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL, withinNominalNeedsNoShare);
  }

  /** {@return the child cohorts or ClusterQueues of a node} */
  static List<Integer> children(QuotaTree tree, int node, boolean queues) {
    return IntStream.range(0, tree.nodeCount())
        .filter(child -> tree.parent(child) == node && tree.layout().isQueue(child) == queues)
        .boxed()
        .toList();
  }

  /**
   * {@return the workloads of a queue that its policies let {@code preemptor} preempt and that hold
   * something {@code demand} needs}
   */
  static List<QuotaHolder> candidates(Preemptor preemptor, QueueQuota queue, Demand demand) {
    Preemption preemption = preemptor.queue().compiled().source().preemption();
    Preemption.Policy policy = queue.equals(preemptor.queue())
        ? preemption.withinClusterQueue()
        : preemption.reclaimWithinCohort();
    return queue.holders().stream()
        .filter(holder -> !queue.isSetAside(holder)
            && preemptor.mayPreempt(holder, policy)
            && demand.needed().concerns(holder))
        .toList();
  }

  static ImmutableList<String> names(List<Victim> victims) {
    return victims.stream()
        .map(victim -> victim.holder().workload().source().name() + " " + victim.reason())
        .collect(toImmutableList());
  }
}
