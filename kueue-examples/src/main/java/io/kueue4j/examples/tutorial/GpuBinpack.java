package io.kueue4j.examples.tutorial;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.VirtualClock;
import io.kueue4j.k8s.pod.PodTemplates;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The GPU pods of a cluster with tainted GPU nodes, from the perspective of quota.
 *
 * <p>The tutorial is about the node of each pod: a second scheduler packs GPU pods onto few nodes,
 * and a policy forces them to use it. Quota does not depend on nodes, scoring and policies, so
 * these are not shown here. What admission decides: the effective requests of the pods, that only
 * pods which tolerate the taint may have the flavor of these nodes, and how many of them fit the
 * total number of GPUs. Quota does not show that free GPUs may be on different nodes, so that a
 * large pod fits nowhere: {@link GpuFragmentation} continues from there with a topology.
 */
public final class GpuBinpack {
  private static final TutorialManifests MANIFESTS =
      new TutorialManifests("004-gpu-operator-binpack");
  private static final String GPU = "nvidia.com/gpu";
  private static final String FLAVOR = "gpu-nodes";

  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(VirtualClock.create()).build();
  private final PrintWriter out;
  private long gpus;

  private GpuBinpack(PrintWriter out) {
    this.out = out;
  }

  /** Prints the tutorial. */
  public static void main(String... arguments) {
    play(TutorialManifests.standardOutput());
  }

  /**
   * {@return the results for the pods of the tutorial, for copies of the first one until the GPUs
   * are used up, for one more, and for one that does not tolerate the taint}
   */
  static ImmutableList<AdmissionResult> play(PrintWriter out) {
    GpuBinpack tutorial = new GpuBinpack(out);
    tutorial.makeQueue(MANIFESTS.read("00-nodes.derived.yaml").items("", "Node").stream()
        .map(manifest -> manifest.as(Node.class))
        .collect(toImmutableList()));
    ImmutableList.Builder<AdmissionResult> results = ImmutableList.builder();
    ImmutableList<Pod> pods = MANIFESTS.read("10-pods-default-scheduler.yaml").items().stream()
        .map(manifest -> manifest.as(Pod.class))
        .collect(toImmutableList());
    pods.forEach(pod -> results.add(tutorial.admit(pod.getMetadata().getName(), pod)));
    for (int i = pods.size() + 1; i <= tutorial.gpus + 1; i++) {
      results.add(tutorial.admit("pod-gpu-" + i, pods.get(0)));
    }
    Pod intolerant =
        pods.get(0).toBuilder().editSpec().withTolerations().endSpec().build();
    results.add(tutorial.admit("pod-gpu-intolerant", intolerant));
    return results.build();
  }

  /** One queue over the GPUs of all nodes. */
  private void makeQueue(List<Node> nodes) {
    List<Node> gpuNodes = nodes.stream()
        .filter(node -> node.getStatus().getAllocatable().containsKey(GPU))
        .collect(toImmutableList());
    gpus = gpuNodes.stream()
        .flatMap(node -> Stream.ofNullable(node.getStatus().getAllocatable().get(GPU)))
        .mapToLong(quantity -> Quantity.amount(GPU, quantity.toString()))
        .sum();
    ResourceFlavor.Builder flavor = ResourceFlavor.builder().name(FLAVOR);
    gpuNodes
        .get(0)
        .getSpec()
        .getTaints()
        .forEach(taint -> flavor.addNodeTaints(new Taint(
            taint.getKey(), Strings.nullToEmpty(taint.getValue()), effect(taint.getEffect()))));
    engine.apply(
        flavor.build(),
        ClusterQueue.builder()
            .name("gpus")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of(FLAVOR, ResourceQuota.ofAmount(GPU, gpus))))
            .build(),
        LocalQueue.of("gpu-operator", "pods", "gpus"));
    out.println(gpuNodes.size() + " nodes with GPUs, " + gpus + " GPUs together");
  }

  private AdmissionResult admit(String name, Pod pod) {
    PodTemplateSpec template =
        new PodTemplateSpec(pod.getMetadata(), Objects.requireNonNull(pod.getSpec()));
    Workload workload = Workload.builder()
        .namespace("gpu-operator")
        .name(name)
        .queueName("pods")
        .addPodSets(PodTemplates.plain().convert(template).build())
        .build();
    AdmissionResult result = engine.tryAdmit(workload).result();
    out.println(name + " requests " + workload.podSets().get(0).requests() + ": "
        + result.match(
            admitted -> "admitted",
            reserved -> "waits for admission checks",
            preempting -> "could be admitted if others stopped",
            pending -> "pending, " + pending.reasons(),
            rejected -> "rejected, " + rejected.reasons()));
    return result;
  }

  private static Taint.Effect effect(String name) {
    return Arrays.stream(Taint.Effect.values())
        .filter(effect -> effect.toString().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("\"" + name + "\" is no taint effect"));
  }
}
