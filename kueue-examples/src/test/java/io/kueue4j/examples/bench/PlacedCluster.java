package io.kueue4j.examples.bench;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.simulation.VirtualClock;
import java.util.Locale;

/**
 * An engine with nodes of eight cpus each and many other resources, ten racks per block and ten
 * blocks per zone, with one ClusterQueue that may use all of them.
 */
final class PlacedCluster {
  static final String ZONE = "zone";
  static final String BLOCK = "block";
  static final String RACK = "rack";
  static final int CPUS_OF_NODE = 8;

  private static final String NAMESPACE = "team";
  private static final String POOL = "pool";
  private static final int RACKS_OF_BLOCK = 10;
  private static final int BLOCKS_OF_ZONE = 10;

  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(VirtualClock.create()).build();
  private final int otherResources;

  /**
   * Creates a cluster.
   *
   * @param nodes the number of nodes
   * @param nodesOfRack the number of nodes per rack
   * @param otherResources the number of resources other than cpu
   * @param constrained whether every tenth node has a taint, and every second is of pool "even"
   */
  PlacedCluster(int nodes, int nodesOfRack, int otherResources, boolean constrained) {
    this.otherResources = otherResources;
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(Topology.of("dc", ZONE, BLOCK, RACK, Topology.HOSTNAME));
    objects.add(ResourceFlavor.builder()
        .name("tas")
        .putNodeLabels("tas", "true")
        .topologyName("dc")
        .build());
    objects.add(queue(nodes));
    objects.add(LocalQueue.of(NAMESPACE, "queue", "queue"));
    for (int i = 0; i < nodes; i++) {
      objects.add(node(i, i / nodesOfRack, constrained));
    }
    engine.apply(objects.build());
  }

  private ClusterQueue queue(int nodes) {
    ImmutableList.Builder<ResourceQuota> quotas = ImmutableList.builder();
    quotas.add(ResourceQuota.of("cpu", String.valueOf((long) nodes * CPUS_OF_NODE)));
    for (int i = 0; i < otherResources; i++) {
      quotas.add(ResourceQuota.of(resource(i), String.valueOf((long) nodes * CPUS_OF_NODE)));
    }
    ImmutableList<ResourceQuota> all = quotas.build();
    return ClusterQueue.builder()
        .name("queue")
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("tas", all.toArray(new ResourceQuota[0]))))
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build())
        .build();
  }

  private Node node(int number, int rack, boolean constrained) {
    int block = rack / RACKS_OF_BLOCK;
    String name = String.format(Locale.ROOT, "node-%06d", number);
    Node.Builder node = Node.builder()
        .name(name)
        .putLabels("tas", "true")
        .putLabels(ZONE, "zone-" + block / BLOCKS_OF_ZONE)
        .putLabels(BLOCK, "block-" + block)
        .putLabels(RACK, "rack-" + rack)
        .putLabels(Topology.HOSTNAME, name)
        .putLabels(POOL, constrained && number % 2 == 0 ? "even" : "any")
        .allocatable("cpu", String.valueOf(CPUS_OF_NODE))
        .allocatable("pods", "110");
    for (int i = 0; i < otherResources; i++) {
      node.allocatable(resource(i), String.valueOf(CPUS_OF_NODE));
    }
    if (constrained && number % 10 == 0) {
      node.addTaints(new Taint("dedicated", "others", Taint.Effect.NO_SCHEDULE));
    }
    return node.build();
  }

  private static String resource(int number) {
    return "example.com/resource-" + number;
  }

  AdmissionEngine engine() {
    return engine;
  }

  /** {@return a workload of pods that request the same amount of every resource} */
  Workload workload(String name, int priority, int amount, PodSet.Builder podSet) {
    podSet.request("cpu", String.valueOf(amount));
    for (int i = 0; i < otherResources; i++) {
      podSet.request(resource(i), String.valueOf(amount));
    }
    return Workload.builder()
        .namespace(NAMESPACE)
        .name(name)
        .uid(name)
        .queueName("queue")
        .priority(priority)
        .addPodSets(podSet.build())
        .build();
  }

  /** {@return pods that select nodes of one pool} */
  static PodSet.Builder ofPool(PodSet.Builder podSet) {
    return podSet.putNodeSelector(POOL, "even");
  }
}
