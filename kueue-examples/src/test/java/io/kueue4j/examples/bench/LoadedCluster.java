package io.kueue4j.examples.bench;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.simulation.VirtualClock;
import java.util.stream.IntStream;

/**
 * An engine over many ClusterQueues of 100 cpu and 400Gi each, half of it in use, evenly spread
 * over cohorts.
 */
final class LoadedCluster {
  static final int CPU_OF_QUEUE = 100;

  private static final String NAMESPACE = "team";
  private static final int CPU_IN_USE = CPU_OF_QUEUE / 2;

  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(VirtualClock.create()).build();
  private final int clusterQueues;

  /**
   * Fills a cluster.
   *
   * @param clusterQueues the number of ClusterQueues
   * @param cohorts the number of cohorts
   * @param workloadsOfQueue the number of running workloads of each ClusterQueue, of equal size
   */
  LoadedCluster(int clusterQueues, int cohorts, int workloadsOfQueue) {
    this.clusterQueues = clusterQueues;
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(ResourceFlavor.of("default"));
    for (int i = 0; i < clusterQueues; i++) {
      objects.add(clusterQueue(i, i % cohorts));
      objects.add(LocalQueue.of(NAMESPACE, queueName(i), queueName(i)));
    }
    engine.apply(objects.build());
    for (int i = 0; i < clusterQueues; i++) {
      for (int j = 0; j < workloadsOfQueue; j++) {
        checkState(engine
            .tryAdmit(workload("load-" + i + "-" + j, i, CPU_IN_USE / workloadsOfQueue))
            .result()
            .isAdmitted());
      }
    }
  }

  AdmissionEngine engine() {
    return engine;
  }

  /** {@return one workload for each ClusterQueue, of one pod} */
  ImmutableList<Workload> workloads(int cpu) {
    return IntStream.range(0, clusterQueues)
        .mapToObj(i -> workload("new-" + i, i, cpu))
        .collect(ImmutableList.toImmutableList());
  }

  private static Workload workload(String name, int queue, int cpu) {
    return Workload.builder()
        .namespace(NAMESPACE)
        .name(name)
        .queueName(queueName(queue))
        .addPodSets(PodSet.builder()
            .request("cpu", String.valueOf(cpu))
            .request("memory", cpu + "Gi")
            .build())
        .build();
  }

  private static ClusterQueue clusterQueue(int index, int cohort) {
    return ClusterQueue.builder()
        .name(queueName(index))
        .cohort("cohort-" + cohort)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
            "default",
            ResourceQuota.of("cpu", String.valueOf(CPU_OF_QUEUE)),
            ResourceQuota.of("memory", "400Gi"))))
        .build();
  }

  private static String queueName(int index) {
    return "queue-" + index;
  }
}
