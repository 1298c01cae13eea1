package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.time.Instant;

/** An engine with one v6e pod, flavor {@code tpu}, and shortcuts for slice requests. */
final class SliceCluster {
  static final int CHIPS_PER_HOST = 4;

  final AdmissionEngine engine;

  SliceCluster(AdmissionEngine engine) {
    this.engine = engine;
  }

  /**
   * {@return a cluster with a pod of that shape, and a queue with quota for {@code quota} chips}
   */
  static SliceCluster of(String pod, int quota) {
    SliceCluster cluster = new SliceCluster(AdmissionEngine.builder()
        .clock(() -> Instant.parse("2026-01-01T00:00:00Z"))
        .build());
    cluster.engine.apply(TpuPoolSet.of("v6e", pod("pod-0", pod)), flavor("tpu", "v6e"));
    cluster.queue("queue", quota);
    return cluster;
  }

  static TpuPool pod(String id, String shape) {
    return TpuPool.grid(id, TpuGeneration.V6E, SliceShape.parse(shape), CHIPS_PER_HOST);
  }

  static ResourceFlavor flavor(String name, String poolSet) {
    return ResourceFlavor.builder().name(name).tpuPoolSet(poolSet).build();
  }

  /** Adds a queue with its LocalQueue; lower priorities may be preempted. */
  void queue(String name, int quota, String... flavors) {
    ImmutableList<String> of =
        flavors.length == 0 ? ImmutableList.of("tpu") : ImmutableList.copyOf(flavors);
    ClusterQueue queue = Cluster.openQueue(name)
        .addResourceGroups(new ResourceGroup(
            ImmutableList.of(ResourceNames.TPU),
            of.stream()
                .map(flavor ->
                    FlavorQuotas.of(flavor, ResourceQuota.ofAmount(ResourceNames.TPU, quota)))
                .collect(ImmutableList.toImmutableList())))
        .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER))
        .build();
    engine.apply(queue, LocalQueue.of("ns", name, name));
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
        .namespace("ns")
        .name(name)
        .queueName("queue")
        .priority(priority)
        .creationTime(Instant.parse("2026-01-01T00:00:00Z"))
        .addPodSets(podSets)
        .build();
  }

  static WorkloadId id(String name) {
    return WorkloadId.of("ns", name);
  }

  @CanIgnoreReturnValue
  Admission run(Workload workload) {
    AdmissionResult result = engine.tryAdmit(workload);
    assertThat(result).isInstanceOf(AdmissionResult.Admitted.class);
    return ((AdmissionResult.Admitted) result).admission();
  }

  @CanIgnoreReturnValue
  AdmissionResult.Pending refused(Workload workload) {
    AdmissionResult result = engine.tryAdmit(workload);
    assertThat(result).isInstanceOf(AdmissionResult.Pending.class);
    return (AdmissionResult.Pending) result;
  }

  static ImmutableList<SliceAssignment> slices(Admission admission) {
    return admission.podSetAssignments().stream()
        .flatMap(podSet -> podSet.slices().stream())
        .collect(ImmutableList.toImmutableList());
  }

  TpuFleet fleet() {
    return engine.view().tpuPoolSets().get(0).fleet();
  }
}
