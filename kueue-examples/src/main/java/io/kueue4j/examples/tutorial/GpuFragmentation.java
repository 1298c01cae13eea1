package io.kueue4j.examples.tutorial;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.simulation.VirtualClock;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Free GPUs that cannot be used: two nodes have one each, and a pod requests two.
 *
 * <p>The same four pods run three times: as placed by a scheduler that spreads, by one that packs,
 * and by the engine itself. Each time two GPUs of the quota are free. The results differ for a new
 * pod of two GPUs.
 */
public final class GpuFragmentation {
  private static final TutorialManifests MANIFESTS =
      new TutorialManifests("004-gpu-operator-binpack");
  private static final String GPU = "nvidia.com/gpu";
  private static final String NAMESPACE = "gpu-operator";
  private static final String FLAVOR = "gpu-nodes";

  /** A pod of the example: its GPUs, and its node. */
  private record PlacedPod(String node, int gpus) {}

  /**
   * The result.
   *
   * @param freeQuota the number of free GPUs in the quota
   * @param result the result for the new pod
   */
  record Outcome(long freeQuota, AdmissionResult result) {}

  private final PrintWriter out;
  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(VirtualClock.create()).build();
  private final long gpusPerNode;
  private int podCount;

  private GpuFragmentation(PrintWriter out, long gpusPerNode) {
    this.out = out;
    this.gpusPerNode = gpusPerNode;
  }

  /** Prints the tutorial. */
  public static void main(String... arguments) {
    play(TutorialManifests.standardOutput());
  }

  /** {@return the results for the new pod: spread, packed, and placed by the engine} */
  static ImmutableList<Outcome> play(PrintWriter out) {
    Fields example = MANIFESTS.readFields("50-fragmentation-example.yaml");
    long gpusPerNode = example.integer("gpusPerNode").orElseThrow();
    int wanted = example.object("spread").integer("newPodGpus").orElseThrow();
    ImmutableList.Builder<Outcome> outcomes = ImmutableList.builder();
    for (String variant : ImmutableList.of("spread", "packed")) {
      out.println(variant + ":");
      List<PlacedPod> pods = pods(example.object(variant));
      GpuFragmentation story = new GpuFragmentation(out, gpusPerNode);
      story.makeQueue(pods);
      pods.forEach(story::restore);
      outcomes.add(story.tryAdmit(wanted));
    }
    out.println("placed by the engine:");
    List<PlacedPod> pods = pods(example.object("spread"));
    GpuFragmentation story = new GpuFragmentation(out, gpusPerNode);
    story.makeQueue(pods);
    pods.forEach(pod -> story.admit(pod.gpus()));
    outcomes.add(story.tryAdmit(wanted));
    return outcomes.build();
  }

  private static List<PlacedPod> pods(Fields variant) {
    List<PlacedPod> pods = new ArrayList<>();
    for (Fields node : variant.objects("placements")) {
      for (Fields pod : node.objects("pods")) {
        pods.add(new PlacedPod(node.requiredText("node"), pod.integer("gpus").orElseThrow()));
      }
    }
    return pods;
  }

  /** Creates quota for all GPUs of all nodes. */
  private void makeQueue(List<PlacedPod> pods) {
    List<String> nodes = pods.stream().map(PlacedPod::node).distinct().toList();
    engine.apply(
        Topology.of("gpu-hosts", Topology.HOSTNAME),
        ResourceFlavor.builder()
            .name(FLAVOR)
            .topologyName("gpu-hosts")
            .putNodeLabels("nvidia.com/gpu.present", "true")
            .build(),
        ClusterQueue.builder()
            .name("gpus")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of(FLAVOR, ResourceQuota.ofAmount(GPU, gpusPerNode * nodes.size()))))
            .build(),
        LocalQueue.of(NAMESPACE, "pods", "gpus"));
    engine.apply(nodes.stream().map(this::node).toList());
  }

  private Node node(String name) {
    return Node.builder()
        .name(name)
        .putLabels(Topology.HOSTNAME, name)
        .putLabels("nvidia.com/gpu.present", "true")
        .allocatableAmount(GPU, gpusPerNode)
        .allocatableAmount("pods", 110)
        .build();
  }

  private Workload pod(int gpus) {
    podCount++;
    return Workload.of(
        NAMESPACE,
        "pod-" + podCount,
        "pods",
        PodSet.builder()
            .requestAmount(GPU, gpus)
            .topologyRequest(TopologyRequest.required(Topology.HOSTNAME))
            .build());
  }

  /** Restores a running pod on its node. */
  private void restore(PlacedPod pod) {
    Workload workload = pod(pod.gpus());
    TopologyAssignment place = new TopologyAssignment(
        ImmutableList.of(Topology.HOSTNAME),
        ImmutableList.of(new Domain(ImmutableList.of(pod.node()), 1)));
    engine
        .lifecycle()
        .restore(
            workload,
            Admission.builder()
                .workload(workload.id())
                .clusterQueue("gpus")
                .quotaReservedTime(VirtualClock.create().instant())
                .addPodSetAssignments(PodSetAssignment.builder()
                    .name("main")
                    .count(1)
                    .putFlavors(GPU, FLAVOR)
                    .resourceUsageAmount(GPU, pod.gpus())
                    .topologyAssignment(place)
                    .build())
                .build());
    out.println("  " + workload.name() + " with " + pod.gpus() + " GPUs runs on " + pod.node());
  }

  /** Lets the engine place a pod. */
  private void admit(int gpus) {
    Workload workload = pod(gpus);
    out.println("  " + workload.name() + " with " + gpus + " GPUs "
        + describe(engine.tryAdmit(workload).result()));
  }

  private Outcome tryAdmit(int gpus) {
    long free = engine.view().clusterQueue("gpus").orElseThrow().usage().stream()
        .mapToLong(usage -> usage.nominal() - usage.used())
        .sum();
    Workload workload = pod(gpus);
    AdmissionResult result = engine.tryAdmit(workload).result();
    out.println("  quota has " + free + " GPUs left; " + workload.name() + " with " + gpus
        + " GPUs " + describe(result));
    return new Outcome(free, result);
  }

  private static String describe(AdmissionResult result) {
    return result.match(
        admitted -> "is admitted on " + host(admitted.admission()),
        reserved -> "is to be checked before it starts",
        preempting -> "could go somewhere if others stopped",
        pending -> "waits: " + pending.reasons().get(0).message(),
        rejected -> "is refused: " + rejected.reasons());
  }

  /** {@return the host of the admitted pod} */
  static String host(Admission admission) {
    return admission
        .podSetAssignments()
        .get(0)
        .topologyAssignment()
        .orElseThrow()
        .domains()
        .get(0)
        .values()
        .get(0);
  }
}
