package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.util.stream.Stream;

/** A {@link Cluster} with a TPU pod of v6e chips, and jobs that request slices of it. */
final class TpuSlices {
  static final int CHIPS_PER_HOST = 4;

  private TpuSlices() {}

  /**
   * {@return a cluster with a pod of that shape in flavor {@code tpu}, and {@code queue} with quota
   * for that many chips}
   */
  static Cluster cluster(String pod, int quota) {
    return new Cluster()
        .with(TpuPoolSet.of("v6e", pod("pod-0", pod)), flavor("tpu", "v6e"))
        .with(queue("queue", quota, "tpu"));
  }

  static TpuPool pod(String id, String shape) {
    return TpuPool.grid(id, TpuGeneration.V6E, SliceShape.parse(shape), CHIPS_PER_HOST);
  }

  static ResourceFlavor flavor(String name, String poolSet) {
    return ResourceFlavor.builder().name(name).tpuPoolSet(poolSet).build();
  }

  /** {@return a queue with that quota of each flavor, whose jobs may preempt lower priorities} */
  static ClusterQueue.Builder queue(String name, int quota, String... flavors) {
    return Queues.openQueue(name)
        .addResourceGroups(ResourceGroup.of(Stream.of(flavors)
            .map(
                flavor -> FlavorQuotas.of(flavor, ResourceQuota.ofAmount(ResourceNames.TPU, quota)))
            .toArray(FlavorQuotas[]::new)))
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build());
  }

  static PodSet pods(String name, String shape, int count) {
    return pods(name, SliceRequest.of(shape).withCount(count));
  }

  static PodSet pods(String name, SliceRequest request) {
    return PodSet.builder()
        .name(name)
        .count(request.count() * request.shapes().get(0).chips() / CHIPS_PER_HOST)
        .requestAmount(ResourceNames.TPU, CHIPS_PER_HOST)
        .sliceRequest(request)
        .build();
  }

  static Workload job(String name, String shape, int count) {
    return job(name, 0, pods("main", shape, count));
  }

  static Workload job(String name, int priority, PodSet... podSets) {
    return Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name(name)
        .queueName("queue")
        .priority(priority)
        .creationTime(Cluster.START)
        .addPodSets(podSets)
        .build();
  }

  static ImmutableList<SliceAssignment> slices(Admission admission) {
    return admission.podSetAssignments().stream()
        .flatMap(podSet -> podSet.slices().stream())
        .collect(ImmutableList.toImmutableList());
  }

  static TpuFleet fleet(AdmissionEngine engine) {
    return engine.view().tpuPoolSets().get(0).fleet();
  }
}
