package io.kueue4j.core;

import com.google.common.base.Splitter;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.util.List;

/**
 * A {@link Cluster} with nodes in racks, and jobs whose pods are placed on them.
 *
 * <p>Nodes are written as {@code r1/x1:5}: rack, host and cores, or {@code r1/x1:5:10} with a limit
 * of pods.
 */
final class Hosts {
  static final String RACK = "rack";

  private Hosts() {}

  /** {@return a cluster with these nodes, and queue {@code q} with more cores than they have} */
  static Cluster cluster(Settings settings, String hosts) {
    Cluster cluster = new Cluster(settings)
        .with(Topology.of("dc", RACK, Topology.HOSTNAME), flavor("tas"))
        .with(queue("q", 1000, "tas"));
    for (String host : Splitter.on(' ').split(hosts)) {
      cluster.with(host(host));
    }
    return cluster;
  }

  static ResourceFlavor flavor(String name) {
    return ResourceFlavor.builder()
        .name(name)
        .putNodeLabels("pool", "tas")
        .topologyName("dc")
        .build();
  }

  /** {@return a queue whose jobs may preempt lower priorities} */
  static ClusterQueue.Builder queue(String name, int cores, String flavor) {
    return Queues.openQueue(name)
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(flavor, Queues.cores(cores))))
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build());
  }

  static Node host(String text) {
    return hostBuilder(text).build();
  }

  static Node.Builder hostBuilder(String text) {
    List<String> parts = Splitter.on(':').splitToList(text);
    List<String> values = Splitter.on('/').splitToList(parts.get(0));
    return Node.builder()
        .name(values.get(1))
        .putLabels("pool", "tas")
        .putLabels(RACK, values.get(0))
        .putLabels(Topology.HOSTNAME, values.get(1))
        .allocatable("cpu", parts.get(1))
        .allocatable("pods", parts.size() > 2 ? parts.get(2) : "110");
  }

  static PodSet.Builder pods(int count, String cpu, TopologyRequest request) {
    return PodSet.builder().count(count).request("cpu", cpu).topologyRequest(request);
  }

  /** {@return a job of queue {@code q}} */
  static Workload workload(String name, PodSet.Builder... podSets) {
    return workload(name, "q", podSets);
  }

  static Workload workload(String name, String queue, PodSet.Builder... podSets) {
    Workload.Builder workload =
        Workload.builder().namespace(Cluster.NAMESPACE).name(name).queueName(queue);
    for (PodSet.Builder podSet : podSets) {
      workload.addPodSets(podSet.build());
    }
    return workload.build();
  }
}
