package io.kueue4j.k8s.internal.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.tpu.AxisOrder;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobSet;
import io.kueue4j.k8s.job.JobSnapshot;
import io.kueue4j.k8s.job.JobWorkloads;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JobSets on TPU slices: their requests, and the node selectors of their pods. */
class SliceJobsTest {
  private static final String JOB_SET = """
      apiVersion: jobset.x-k8s.io/v1alpha2
      kind: JobSet
      metadata:
        name: train
        labels: {kueue.x-k8s.io/queue-name: queue}
      spec:
        suspend: true
        replicatedJobs:
        - name: slice
          replicas: REPLICAS
          template:
            spec:
              parallelism: PODS
              completions: PODS
              template:
                metadata:
                  annotations: {ANNOTATION}
                spec:
                  nodeSelector: {SELECTOR}
                  AFFINITY
                  containers:
                  - name: main
                    resources: {limits: {google.com/tpu: CHIPS}}
      """;

  private static final String V6E_2X4 =
      "cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x4";

  private static JobSet jobSet(int replicas, int pods, int chips, String selector, String more) {
    String affinity = more.startsWith("affinity") ? more : "";
    String yaml = JOB_SET
        .replace("REPLICAS", "" + replicas)
        .replace("PODS", "" + pods)
        .replace("CHIPS", "" + chips)
        .replace("SELECTOR", selector)
        .replace("AFFINITY", affinity)
        .replace("ANNOTATION", affinity.isEmpty() ? more : "");
    return ManifestReader.create()
        .read(ManifestSource.of("job.yaml", yaml))
        .items()
        .get(0)
        .as(JobSet.class);
  }

  private static JobConversion convert(JobSet job) {
    return JobWorkloads.builder().tpuSlices(true).build().convert(job);
  }

  private static Optional<SliceRequest> request(JobSet job) {
    return convert(job).orElseThrow().workload().podSets().get(0).sliceRequest();
  }

  private static void assertRefused(JobSet job, String field, String message) {
    assertThat(((JobConversion.Invalid) convert(job)).violations())
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.field()).contains(field);
          assertThat(violation.problem()).contains(message);
        });
  }

  @Test
  void replicasAreSlicesOfTheSelectedTopology() {
    assertThat(request(jobSet(3, 2, 4, V6E_2X4, "")))
        .contains(SliceRequest.of("2x4").withCount(3).withDegradedHosts());
    assertThat(request(jobSet(2, 4, 4, V6E_2X4, "")))
        .contains(SliceRequest.of("2x4").withCount(4).withDegradedHosts());
  }

  @Test
  void theAnnotationCountsBeforeTheSelector() {
    assertThat(request(jobSet(1, 4, 4, V6E_2X4, "cloud.google.com/gke-tpu-slice-topology: 4x4")))
        .contains(SliceRequest.of("4x4").withDegradedHosts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "In, values: [HEALTHY] | false",
        "In, values: [HEALTHY, DEGRADED] | true",
        "NotIn, values: [DEGRADED] | false",
        "NotIn, values: [INCOMPLETE] | true",
        "Exists | true",
        "DoesNotExist | false"
      })
  void podsMayRefuseDegradedPartitions(String operator, boolean allowed) {
    String affinity = """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions:
                - {key: cloud.google.com/gke-tpu-partition-4x4x4-state, operator: %s}
                - {key: zone, operator: In, values: [a]}
        """.formatted(operator).indent(18).strip();
    String cube =
        "cloud.google.com/gke-tpu-accelerator: tpu7x, cloud.google.com/gke-tpu-topology: 4x4x8";
    assertThat(request(jobSet(1, 32, 4, cube, affinity)).orElseThrow().allowDegraded())
        .isEqualTo(allowed);
    String selected = cube + ", cloud.google.com/gke-tpu-partition-4x4x4-state: HEALTHY";
    assertThat(request(jobSet(1, 32, 4, selected, "")).orElseThrow().allowDegraded())
        .isFalse();
  }

  @Test
  void aHostOfOneChipTakesSlicesOfOneChipOnly() {
    String one = "cloud.google.com/gke-tpu-accelerator: tpu7x, cloud.google.com/gke-tpu-topology: ";
    assertThat(request(jobSet(2, 1, 1, one + "1x1x1", "")).orElseThrow().count())
        .isEqualTo(2);
    assertRefused(
        jobSet(1, 64, 1, one + "4x4x4", ""), "containers", "expected all chips of a host: [1, 4]");
  }

  @Test
  void withoutTopologyOrChipsOrWishThereAreNoSlices() {
    assertThat(request(jobSet(1, 4, 4, "cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice", "")))
        .isEmpty();
    assertThat(request(jobSet(1, 4, 0, V6E_2X4, ""))).isEmpty();
    assertThat(JobWorkloads.builder()
            .build()
            .convert(jobSet(3, 2, 4, V6E_2X4, ""))
            .orElseThrow()
            .workload()
            .podSets()
            .get(0)
            .sliceRequest())
        .isEmpty();
  }

  @Test
  void podsThatDoNotFillSlicesAreRefusedWithWhatWouldBeRight() {
    assertRefused(
        jobSet(2, 3, 4, V6E_2X4, ""),
        "nodeSelector[cloud.google.com/gke-tpu-topology]",
        "3 pods in each job of 4 chips have 12 chips, a slice 2x4 has 8; expected 4 pods in each job");
    assertRefused(
        jobSet(1, 1, 4, V6E_2X4, ""),
        "nodeSelector",
        "1 pods of 4 chips have 4 chips, a slice 2x4 has 8; expected 2 pods");
    // As many chips as two slices have, but each job would use one and a half.
    assertRefused(jobSet(4, 1, 4, V6E_2X4, ""), "nodeSelector", "expected 2 pods in each job");
  }

  @Test
  void shapesAndChipsThatThereAreNotAreRefused() {
    assertRefused(
        jobSet(1, 2, 4, V6E_2X4.replace("2x4", "4x2"), ""),
        "nodeSelector",
        "4x2 is no slice of v6e: write 2x4");
    assertRefused(
        jobSet(1, 2, 4, V6E_2X4, "cloud.google.com/gke-tpu-slice-topology: large"),
        "annotations[cloud.google.com/gke-tpu-slice-topology]",
        "\"large\" is not a topology");
    assertRefused(
        jobSet(1, 4, 2, V6E_2X4, ""),
        "containers",
        "2 of google.com/tpu for each pod; expected all chips of a host: [1, 4, 8] of v6e");
  }

  // ----- starting and stopping

  private static SliceAssignment slice(String nodePool) {
    TpuPool pool = TpuPool.grid(nodePool, TpuGeneration.V6E, SliceShape.of(2, 4), 4)
        .withNodes(List.of(nodePool + "-0", nodePool + "-1"));
    return new SliceAssignment(
        "tpu", SlicePlacement.ofBox(pool, SliceShape.of(2, 4), AxisOrder.XYZ, 0));
  }

  private static JobSet start(JobSet job, String... nodePools) {
    return start(JobEditor.of(JobKinds.standard()), job, nodePools);
  }

  private static JobSet start(JobEditor editor, JobSet job, String... nodePools) {
    Workload workload = convert(job).orElseThrow().workload();
    return editor.start(
        job,
        workload,
        admission(workload, nodePools),
        ImmutableMap.of("tpu", ResourceFlavor.of("tpu")));
  }

  private static Admission admission(Workload workload, String... nodePools) {
    return Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(PodSetAssignment.builder()
            .name(workload.podSets().get(0).name())
            .count(workload.podSets().get(0).count())
            .putFlavors("google.com/tpu", "tpu")
            .addAllSlices(Stream.of(nodePools).map(SliceJobsTest::slice).toList())
            .build())
        .build();
  }

  private static PodSpec podSpec(JobSet job) {
    return job.getSpec()
        .replicatedJobs()
        .get(0)
        .template()
        .getSpec()
        .getTemplate()
        .getSpec();
  }

  @Test
  void podsSelectTheNodePoolOfTheirSliceAndForgetItWhenStopped() {
    JobSet job = jobSet(1, 2, 4, V6E_2X4, "");
    JobSnapshot before = JobEditor.of(JobKinds.standard()).snapshot(job);
    JobSet started = start(job, "pool-a");
    assertThat(podSpec(started).getNodeSelector()).containsEntry(TpuLabels.NODE_POOL, "pool-a");
    assertThat(podSpec(started).getAffinity()).isNull();
    assertThat(JobEditor.of(JobKinds.standard()).stop(started, before)).isEqualTo(job);
  }

  @Test
  void podsOfSeveralSlicesAreKeptToTheirNodePools() {
    JobSet job = jobSet(2, 2, 4, V6E_2X4, "");
    JobSnapshot before = JobEditor.of(JobKinds.standard()).snapshot(job);
    JobSet started = start(job, "pool-b", "pool-a");
    assertThat(podSpec(started).getNodeSelector()).doesNotContainKey(TpuLabels.NODE_POOL);
    assertThat(terms(podSpec(started).getAffinity())).singleElement().satisfies(term -> {
      assertThat(term.getMatchExpressions()).singleElement().satisfies(expression -> {
        assertThat(expression.getKey()).isEqualTo(TpuLabels.NODE_POOL);
        assertThat(expression.getOperator()).isEqualTo("In");
        assertThat(expression.getValues()).containsExactly("pool-b", "pool-a");
      });
    });
    assertThat(JobEditor.of(JobKinds.standard()).stop(started, before)).isEqualTo(job);
  }

  @Test
  void podsOfSeveralSlicesWaitIfTheTemplateCannotSelectNodes() {
    JobEditor editor = JobEditor.of(JobKinds.standard()).withSliceGates();
    assertThat(podSpec(start(editor, jobSet(1, 2, 4, V6E_2X4, ""), "pool-a")))
        .as("one slice needs no affinity")
        .isEqualTo(podSpec(start(jobSet(1, 2, 4, V6E_2X4, ""), "pool-a")));

    JobSet job = jobSet(2, 2, 4, V6E_2X4, "");
    JobSnapshot before = editor.snapshot(job);
    JobSet started = start(editor, job, "pool-b", "pool-a");
    assertThat(podSpec(started).getAffinity()).isNull();
    assertThat(editor.stop(started, before)).isEqualTo(job);
    Pod pod = new PodBuilder()
        .withNewMetadata()
        .addToLabels("kueue.x-k8s.io/podset", "slice")
        .endMetadata()
        .withSpec(podSpec(started))
        .build();
    Admission admission = admission(convert(job).orElseThrow().workload(), "pool-b", "pool-a");
    assertThat(JobEditor.releaseSlicePods(admission, List.of(pod)))
        .singleElement()
        .satisfies(released -> {
          assertThat(released.getSpec().getSchedulingGates()).isEmpty();
          assertThat(released.getSpec().getAffinity())
              .isEqualTo(podSpec(start(job, "pool-b", "pool-a")).getAffinity());
          assertThat(JobEditor.releaseSlicePods(admission, List.of(released))).isEmpty();
        });
    Pod other =
        new PodBuilder(pod).editMetadata().withLabels(Map.of()).endMetadata().build();
    assertThat(JobEditor.releaseSlicePods(admission, List.of(other))).isEmpty();
  }

  @Test
  void podsOfSeveralSlicesSelectNodesByTheTemplateIfItCan() {
    Job job = Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata: {name: job, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec:
          suspend: true
          parallelism: 4
          template:
            spec:
              restartPolicy: Never
              nodeSelector: {SELECTOR}
              containers: [{name: main, resources: {limits: {google.com/tpu: 4}}}]
        """.replace("SELECTOR", V6E_2X4), Job.class);
    Workload workload = JobWorkloads.builder()
        .tpuSlices(true)
        .build()
        .convert(job)
        .orElseThrow()
        .workload();
    Job started = JobEditor.of(JobKinds.standard())
        .withSliceGates()
        .start(
            job,
            workload,
            admission(workload, "pool-b", "pool-a"),
            ImmutableMap.of("tpu", ResourceFlavor.of("tpu")));
    PodSpec spec = started.getSpec().getTemplate().getSpec();
    assertThat(spec.getSchedulingGates()).isEmpty();
    assertThat(terms(spec.getAffinity())).hasSize(1);
  }

  @Test
  void affinityThatIsThereStaysAndComesBack() {
    JobSet job = jobSet(
        2,
        2,
        4,
        V6E_2X4,
        "affinity: {nodeAffinity: {"
            + "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
            + "{matchExpressions: [{key: zone, operator: In, values: [a]}]},"
            + "{matchExpressions: [{key: zone, operator: In, values: [b]}]}]}}}");
    JobSnapshot before = JobEditor.of(JobKinds.standard()).snapshot(job);
    JobSet started = start(job, "pool-b", "pool-a");
    assertThat(terms(podSpec(started).getAffinity()))
        .hasSize(2)
        .allSatisfy(term -> assertThat(term.getMatchExpressions())
            .extracting(expression -> expression.getKey())
            .containsExactly("zone", TpuLabels.NODE_POOL));
    assertThat(JobEditor.of(JobKinds.standard()).stop(started, before)).isEqualTo(job);
  }

  @Test
  void aSliceOfOneHostIsThatHost() {
    TpuPool host = TpuPool.grid("node-7", TpuGeneration.V6E, SliceShape.of(2, 4), 8)
        .withFabric("pool-a")
        .withNodes(ImmutableList.of("node-7"));
    assertThat(SliceNodeLabels.labels(List.of(new SliceAssignment(
            "tpu", SlicePlacement.ofBox(host, SliceShape.of(2, 4), AxisOrder.XYZ, 0)))))
        .isEqualTo(Map.of("kubernetes.io/hostname", Set.of("node-7")));
  }

  private static List<NodeSelectorTerm> terms(Affinity affinity) {
    return affinity
        .getNodeAffinity()
        .getRequiredDuringSchedulingIgnoredDuringExecution()
        .getNodeSelectorTerms();
  }
}
