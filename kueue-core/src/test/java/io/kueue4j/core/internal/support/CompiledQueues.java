package io.kueue4j.core.internal.support;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TrialParticipant;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.Workload;

/**
 * Compiled queues, cohorts and workloads, and the quota in use, for tests of classes below the
 * engine.
 */
public final class CompiledQueues {
  public final Catalog catalog;
  public final Forest forest;
  private final WorkloadCompiler compiler;

  public CompiledQueues() {
    this(new Catalog());
  }

  public CompiledQueues(Catalog catalog) {
    this.catalog = catalog;
    this.forest = emptyForest(catalog);
    this.compiler = new WorkloadCompiler(catalog, Settings.defaults());
  }

  /** {@return a forest whose workloads use only quota} */
  public static Forest emptyForest(Catalog catalog) {
    return new Forest(catalog, TrialParticipant.NONE, true, new Journal(), copy -> {});
  }

  /** Adds or replaces a queue. */
  public QueueQuota put(ClusterQueue spec) {
    QueueQuota queue = forest.put(spec);
    forest.rebuild();
    return queue;
  }

  /** Adds or replaces a cohort. */
  public void put(Cohort spec) {
    forest.put(spec);
    forest.rebuild();
  }

  public QueueQuota queue(String name) {
    return forest.queue(name).orElseThrow();
  }

  /** {@return the pair of a flavor and a resource} */
  public FlavorResource pair(String flavor, String resource) {
    return catalog.pair(flavor, resource);
  }

  /** Uses an amount of a pair, which the queue need not declare. */
  public void use(QueueQuota queue, FlavorResource pair, long amount) {
    forest.ensureColumns(queue, new FlavorResource[] {pair});
    QuotaTree tree = queue.tree();
    tree.add(queue.node(), tree.column(pair), amount);
  }

  public CompiledWorkload compile(Workload workload, long priority) {
    return compiler.compile(workload, ImmutableSortedMap.of(), priority);
  }
}
