package io.kueue4j.core.internal.quota;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.OptionalLong;

/** A forest whose queues and cohorts declare quota for GPUs, by default in one flavor. */
final class GpuForest {
  static final String GPU = "gpu";
  static final String FLAVOR = "default";

  private final CompiledQueues compiled;
  final Catalog catalog;
  final Forest forest;
  final FlavorResource pair;

  GpuForest() {
    this(new Catalog());
  }

  GpuForest(Catalog catalog) {
    this.compiled = new CompiledQueues(catalog);
    this.catalog = catalog;
    this.forest = compiled.forest;
    this.pair = pair(FLAVOR);
  }

  FlavorResource pair(String flavor) {
    return compiled.pair(flavor, GPU);
  }

  static ResourceQuota quota(long nominal) {
    return ResourceQuota.ofAmount(GPU, nominal);
  }

  static ResourceQuota quota(long nominal, OptionalLong borrowingLimit, OptionalLong lendingLimit) {
    return new ResourceQuota(GPU, nominal, borrowingLimit, lendingLimit);
  }

  static ResourceQuota borrowing(long nominal, long limit) {
    return quota(nominal, OptionalLong.of(limit), OptionalLong.empty());
  }

  static ResourceQuota lending(long nominal, long limit) {
    return quota(nominal, OptionalLong.empty(), OptionalLong.of(limit));
  }

  static ResourceGroup group(ResourceQuota quota) {
    return ResourceGroup.of(FlavorQuotas.of(FLAVOR, quota));
  }

  static ClusterQueue queueSpec(String name, String cohort, ResourceQuota quota) {
    return queueSpec(name, quota).cohort(cohort).build();
  }

  static ClusterQueue.Builder queueSpec(String name, ResourceQuota quota) {
    return ClusterQueue.builder().name(name).addResourceGroups(group(quota));
  }

  QueueQuota put(ClusterQueue spec) {
    return compiled.put(spec);
  }

  void put(Cohort spec) {
    compiled.put(spec);
  }

  QueueQuota queue(String name, String cohort, ResourceQuota quota) {
    return put(queueSpec(name, cohort, quota));
  }

  QueueQuota queue(String name, ResourceQuota quota) {
    return put(queueSpec(name, quota).build());
  }

  void cohort(String name, ResourceQuota quota) {
    put(Cohort.builder().name(name).addResourceGroups(group(quota)).build());
  }

  void cohort(String name, String parent) {
    put(Cohort.builder().name(name).parent(parent).build());
  }

  void cohort(String name, String parent, ResourceQuota quota) {
    put(Cohort.builder()
        .name(name)
        .parent(parent)
        .addResourceGroups(group(quota))
        .build());
  }

  void removeCohort(String name) {
    forest.removeCohort(name);
    forest.rebuild();
  }

  void remove(QueueQuota queue) {
    forest.remove(queue);
    forest.rebuild();
  }

  void use(QueueQuota queue, long amount) {
    compiled.use(queue, pair, amount);
  }

  void release(QueueQuota queue, long amount) {
    queue.tree().remove(queue.node(), column(queue), amount);
  }

  long usage(QueueQuota queue) {
    return queue.usage(pair);
  }

  long available(QueueQuota queue) {
    return queue.available(pair);
  }

  long potential(QueueQuota queue) {
    return queue.tree().potential(queue.node(), column(queue));
  }

  boolean borrows(QueueQuota queue) {
    return queue.tree().borrowsWith(queue.node(), column(queue), 0);
  }

  int level(QueueQuota queue, long amount) {
    return QuotaTree.level(queue.tree().borrowing(queue.node(), column(queue), amount));
  }

  boolean mayReclaim(QueueQuota queue, long amount) {
    return QuotaTree.mayReclaim(queue.tree().borrowing(queue.node(), column(queue), amount));
  }

  /** The subtree quota of the cohort that {@code queue} is in. */
  long cohortSubtree(QueueQuota queue) {
    return queue.tree().subtree(queue.tree().parent(queue.node()), column(queue));
  }

  /** The usage of the cohort that {@code queue} is in. */
  long cohortUsage(QueueQuota queue) {
    return queue.tree().usage(queue.tree().parent(queue.node()), column(queue));
  }

  /** Whether the two queues stand in one tree. */
  static boolean shareTree(QueueQuota some, QueueQuota other) {
    return some.tree() == other.tree();
  }

  ImmutableList<String> treeOf(QueueQuota queue) {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    queue.tree().layout().forEachQueue(member -> names.add(member.name()));
    return ImmutableList.sortedCopyOf(names.build());
  }

  private int column(QueueQuota queue) {
    return queue.tree().column(pair);
  }
}
