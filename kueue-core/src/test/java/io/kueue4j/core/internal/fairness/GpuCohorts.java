package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;

/** Queues and cohorts that share GPUs, in flavor {@code default} unless said otherwise. */
public final class GpuCohorts {
  public static final String GPU = "gpu";
  public static final String FLAVOR = "default";

  private final CompiledQueues compiled = new CompiledQueues();

  // ----- configuration

  public static ResourceQuota gpus(long nominal) {
    return ResourceQuota.ofAmount(GPU, nominal);
  }

  /** {@return a group of the default flavor alone} */
  public static ResourceGroup group(ResourceQuota... quotas) {
    return ResourceGroup.of(FlavorQuotas.of(FLAVOR, quotas));
  }

  /** {@return a group of several flavors, in the order given} */
  public static ResourceGroup flavors(FlavorQuotas... flavors) {
    return ResourceGroup.of(flavors);
  }

  public static ClusterQueue.Builder queue(String name, String cohort, long gpus) {
    return queue(name, cohort, group(gpus(gpus)));
  }

  public static ClusterQueue.Builder queue(String name, String cohort, ResourceGroup group) {
    return ClusterQueue.builder().name(name).cohort(cohort).addResourceGroups(group);
  }

  public static Cohort.Builder cohort(String name, long gpus) {
    return Cohort.builder().name(name).addResourceGroups(group(gpus(gpus)));
  }

  public GpuCohorts with(ClusterQueue.Builder... queues) {
    for (ClusterQueue.Builder queue : queues) {
      compiled.put(queue.build());
    }
    return this;
  }

  public GpuCohorts with(Cohort.Builder... cohorts) {
    for (Cohort.Builder cohort : cohorts) {
      compiled.put(cohort.build());
    }
    return this;
  }

  public void deactivate(String queue) {
    setActive(queue, false);
  }

  public void setActive(String queue, boolean active) {
    compiled.forest.setActive(queue(queue), active);
  }

  // ----- what there is

  public QueueQuota queue(String name) {
    return compiled.queue(name);
  }

  public FlavorResource pair(String flavor, String resource) {
    return compiled.pair(flavor, resource);
  }

  public FlavorResource gpuPair() {
    return pair(FLAVOR, GPU);
  }

  public void ensureColumns(QueueQuota queue, FlavorResource... pairs) {
    compiled.forest.ensureColumns(queue, pairs);
  }

  /** {@return a workload whose requests do not matter, of a LocalQueue by the end of its name} */
  public CompiledWorkload workload(String name, String uid, int priority) {
    Workload workload = Workload.builder()
        .namespace("ns")
        .name(name)
        .uid(uid)
        .queueName("queue-" + name.charAt(name.length() - 1))
        .priority(priority)
        .addPodSets(PodSet.builder().build())
        .build();
    return compiled.compile(workload, priority);
  }

  // ----- usage and shares

  public GpuCohorts use(String queue, long gpus) {
    return use(queue, FLAVOR, GPU, gpus);
  }

  public GpuCohorts use(String queue, String flavor, String resource, long amount) {
    compiled.use(queue(queue), pair(flavor, resource), amount);
    return this;
  }

  public Share share(String queue) {
    QueueQuota quota = queue(queue);
    return Share.of(quota.tree(), quota.node());
  }

  /** {@return the share of the cohort right above the queue} */
  public Share shareOfCohortOf(String queue) {
    QueueQuota quota = queue(queue);
    return Share.of(quota.tree(), quota.tree().parent(quota.node()));
  }
}
