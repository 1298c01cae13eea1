package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
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
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Queues and jobs for tests of simulations: whole cores in flavor {@code default}. */
final class Jobs {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final String NAMESPACE = "ns";

  private Jobs() {}

  /** {@return a flavor, and a ClusterQueue with a LocalQueue of the same name} */
  static ImmutableList<ConfigObject> queue(String name, int cores) {
    return ImmutableList.of(
        ResourceFlavor.of("default"), clusterQueue(name, cores).build(), localQueue(name));
  }

  static ClusterQueue.Builder clusterQueue(String name, int cores) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("default", ResourceQuota.of("cpu", String.valueOf(cores)))));
  }

  static LocalQueue localQueue(String name) {
    return LocalQueue.of(NAMESPACE, name, name);
  }

  static WorkloadId id(String name) {
    return WorkloadId.of(NAMESPACE, name);
  }

  static Workload.Builder workload(String name, String queue, int cores) {
    return Workload.builder()
        .namespace(NAMESPACE)
        .name(name)
        .queueName(queue)
        .addPodSets(
            PodSet.builder().count(1).request("cpu", String.valueOf(cores)).build());
  }

  /** {@return a job of one pod, submitted and running for so many seconds} */
  static SimulationJob.Builder job(
      String name, String queue, int cores, long submitSecond, long seconds) {
    return SimulationJob.builder()
        .workload(workload(name, queue, cores).build())
        .submitTime(at(submitSecond))
        .duration(Duration.ofSeconds(seconds));
  }

  /** {@return the value of a key that a map has} */
  static <V> V valueOf(String key, Map<String, V> map) {
    V value = map.get(key);
    if (value == null) {
      throw new AssertionError("no " + key + " in " + map.keySet());
    }
    return value;
  }

  static Instant at(long second) {
    return START.plusSeconds(second);
  }
}
