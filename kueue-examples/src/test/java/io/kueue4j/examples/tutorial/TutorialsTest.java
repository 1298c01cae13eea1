package io.kueue4j.examples.tutorial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.TreeMultimap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobSet;
import io.kueue4j.k8s.topology.PodPlacer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The outcomes that the tutorials print or that follow from their numbers. */
final class TutorialsTest {
  private final StringWriter printed = new StringWriter();
  private final PrintWriter out = new PrintWriter(printed);

  @Test
  void gkeBatchJobs() {
    ImmutableList<Phase> phases = GkeBatchJobs.play(out);

    Phase full = phases.get(0);
    assertThat(full.names(JobStatus.ADMITTED)).hasSize(3);
    assertThat(full.names(JobStatus.PENDING)).containsExactly("sample-job-team-b-00004");
    assertThat(full.jobs().get(3).reasons()).singleElement().asString().contains("nvidia.com/gpu");
    assertThat(used(full, "cpu")).isEqualTo("4500m");
    assertThat(used(full, "memory")).isEqualTo("4608Mi");
    assertThat(used(full, "ephemeral-storage")).isEqualTo("4608Mi");
    assertThat(used(full, "nvidia.com/gpu")).isEqualTo("9");
    PodSet podSet = full.jobs().get(0).job().workload().podSets().get(0);
    assertThat(podSet.name()).isEqualTo("main");
    assertThat(podSet.count()).isEqualTo(3);
    assertThat(phases.get(1).names(JobStatus.ADMITTED)).contains("sample-job-team-b-00004");
    assertThat(phases.get(1).names(JobStatus.PENDING)).isEmpty();
  }

  @Test
  void tpuMultisliceQueues() {
    ImmutableList<Phase> phases = TpuMultislice.playQueueing(out);

    assertThat(phases.get(0).names(JobStatus.ADMITTED)).containsExactly("multislice-3slice");
    assertThat(phases.get(0).names(JobStatus.PENDING))
        .containsExactly("multislice-2slice", "multislice-1slice");
    assertThat(used(phases.get(0), "google.com/tpu")).isEqualTo("24");
    assertThat(phases.get(1).names(JobStatus.FINISHED)).containsExactly("multislice-3slice");
    assertThat(phases.get(1).names(JobStatus.ADMITTED))
        .containsExactly("multislice-2slice", "multislice-1slice");
    assertThat(used(phases.get(1), "google.com/tpu")).isEqualTo("24");
    assertThat(phases.get(0).jobs())
        .extracting(job -> job.job().workload().podSets().get(0).count())
        .containsExactly(6, 4, 2);
    assertThat(printed.toString()).contains("suspend: false", "gke-tpu-topology=2x4");
  }

  @Test
  void tpuMultislicePreempts() {
    ImmutableList<Phase> phases = TpuMultislice.playPreemption(out);

    assertThat(phases.get(0).names(JobStatus.ADMITTED)).containsExactly("multislice-3slice");
    assertThat(phases.get(1).names(JobStatus.ADMITTED)).containsExactly("low-priority");
    assertThat(phases.get(1).names(JobStatus.PENDING)).containsExactly("multislice-3slice");
    assertThat(used(phases.get(1), "google.com/tpu")).isEqualTo("8");
    assertThat(printed.toString()).contains("Preempted multislice-3slice, InClusterQueue");
  }

  @Test
  void multisliceOnTpuSlices() {
    ImmutableList<Phase> phases = TpuMultislice.playSlices(out);

    assertThat(phases.get(0).names(JobStatus.ADMITTED)).containsExactly("multislice-3slice");
    assertThat(phases.get(1).names(JobStatus.ADMITTED))
        .containsExactly("multislice-2slice", "multislice-1slice");
    assertThat(phases.get(1).job("multislice-1slice").orElseThrow().reasons()).isEmpty();
    assertThat(phases.get(2).names(JobStatus.ADMITTED))
        .containsExactly("multislice-2slice", "multislice-1slice");
    assertThat(phases.get(2).job("multislice-2slice").orElseThrow().reasons())
        .containsExactly("pod set slice: slice 2x4 XYZ at host 0 of pool nodepool2 cannot be used:"
            + " host nodepool2-1 is down");
    assertThat(phases.get(2).job("multislice-1slice").orElseThrow().reasons()).isEmpty();
  }

  @Test
  void tpuMultislicePlacesEachSliceOnAPoolOfItsOwn() {
    ImmutableList<Phase> phases = TpuMultislice.playTopology(out);

    Phase placed = phases.get(0);
    assertThat(placed.names(JobStatus.ADMITTED)).containsExactly("multislice-3slice");
    JobReport job = placed.job("multislice-3slice").orElseThrow();
    List<Pod> pods = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      pods.add(pod(job.job().workload().name(), i / 2, i % 2));
    }
    SetMultimap<String, String> pools = TreeMultimap.create();
    PodPlacer.place(job.job().workload(), job.admission().orElseThrow(), pods)
        .forEach(placement -> pools.put(
            Objects.requireNonNull(
                placement.pod().getMetadata().getLabels().get("jobset.sigs.k8s.io/job-index")),
            placement.domain().values().get(0).replaceAll("-[01]$", "")));
    assertThat(pools.asMap().toString()).isEqualTo("{0=[nodepool1], 1=[nodepool2], 2=[nodepool3]}");

    // Two pools are left for three slices.
    Phase cordoned = phases.get(1);
    assertThat(cordoned.names(JobStatus.ADMITTED)).containsExactly("multislice-2slice");
    assertThat(cordoned.job("multislice-1slice").orElseThrow().reasons())
        .singleElement()
        .asString()
        .contains("topology \"tpu-slices\" doesn't allow to fit any of 1 slice(s)");
  }

  private static Pod pod(String workload, int job, int index) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("pod-" + job + "-" + index)
        .addToAnnotations(PodPlacer.WORKLOAD, workload)
        .addToLabels(PodPlacer.POD_SET, "slice")
        .addToLabels("jobset.sigs.k8s.io/job-index", String.valueOf(job))
        .addToLabels("batch.kubernetes.io/job-completion-index", String.valueOf(index))
        .endMetadata()
        .withNewSpec()
        .addNewSchedulingGate(PodPlacer.SCHEDULING_GATE)
        .endSpec()
        .build();
  }

  @Test
  void gpuFragmentation() {
    ImmutableList<GpuFragmentation.Outcome> outcomes = GpuFragmentation.play(out);

    assertThat(outcomes).extracting(GpuFragmentation.Outcome::freeQuota).containsOnly(2L);
    assertThat(outcomes.get(0).result()).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(outcomes.get(0).result().toString())
        .contains("topology \"gpu-hosts\" doesn't allow to fit any of 1 pod(s). Total nodes: 2;"
            + " excluded: resource \"nvidia.com/gpu\": 2");
    assertThat(outcomes.subList(1, 3))
        .allSatisfy(outcome -> assertThat(outcome.result())
            .isInstanceOfSatisfying(
                AdmissionResult.Admitted.class,
                admitted ->
                    assertThat(GpuFragmentation.host(admitted.admission())).isEqualTo("n2")));
    assertThat(printed.toString().lines())
        .hasSize(18)
        .contains("  pod-4 with 1 GPUs is admitted on n1")
        .endsWith("  quota has 2 GPUs left; pod-5 with 2 GPUs is admitted on n2");
  }

  @Test
  void tpuMultisliceIsReadWithoutWarnings() {
    for (String jobSets :
        ImmutableList.of("20-jobsets-autopilot.yaml", "21-jobsets-standard.yaml")) {
      Manifests manifests =
          new TutorialManifests("001-tpu-multislice-jobset").read("10-kueue.yaml", jobSets);
      assertThat(manifests.notes()).isEmpty();
      assertThat(manifests.items("jobset.x-k8s.io", "JobSet"))
          .hasSize(3)
          .allSatisfy(item ->
              assertThat(item.as(JobSet.class).getSpec().replicatedJobs()).hasSize(1));
    }
  }

  @Test
  void kueueOnGke() {
    Phase bestEffort = KueueOnGke.play(QueueingStrategy.BEST_EFFORT_FIFO, out);
    assertThat(bestEffort.names(JobStatus.ADMITTED))
        .containsExactly("sample-job-team-a-00001", "sample-job-team-a-00003");
    assertThat(bestEffort.names(JobStatus.PENDING)).containsExactly("sample-job-team-b-00002");
    assertThat(used(bestEffort, "cpu")).isEqualTo("6");
    assertThat(used(bestEffort, "memory")).isEqualTo("6Gi");

    Phase strict = KueueOnGke.play(QueueingStrategy.STRICT_FIFO, out);
    assertThat(strict.names(JobStatus.ADMITTED)).containsExactly("sample-job-team-a-00001");
    assertThat(strict.names(JobStatus.PENDING))
        .containsExactly("sample-job-team-b-00002", "sample-job-team-a-00003");
  }

  @Test
  void firstSlides() {
    Phase phase = FirstSlides.play(out);

    assertThat(phase.names(JobStatus.ADMITTED)).hasSize(3);
    assertThat(phase.names(JobStatus.PENDING)).containsExactly("sample-job-00004");
    assertThat(used(phase, "cpu")).isEqualTo("9");
    assertThat(phase.jobs().get(0).job().workload().podSets().get(0).requests())
        .containsEntry("cpu", 1000L);
  }

  @Test
  void gpuBinpack() {
    ImmutableList<AdmissionResult> results = GpuBinpack.play(out);

    assertThat(results).hasSize(14);
    assertThat(results.subList(0, 12)).allMatch(AdmissionResult::isAdmitted);
    assertThat(results.subList(12, 14))
        .allSatisfy(result -> assertThat(result).isInstanceOf(AdmissionResult.Pending.class));
    assertThat(printed.toString().lines())
        .hasSize(15)
        .first()
        .isEqualTo("3 nodes with GPUs, 12 GPUs together");
    assertThat(results.get(12).toString()).contains("nominal quota 12");
    assertThat(results.get(13).toString()).contains("nvidia.com/gpu=present:NoSchedule");
  }

  static Stream<Runnable> mains() {
    return Stream.of(
        GkeBatchJobs::main,
        TpuMultislice::main,
        KueueOnGke::main,
        FirstSlides::main,
        GpuBinpack::main,
        GpuFragmentation::main);
  }

  @ParameterizedTest
  @MethodSource
  void mains(Runnable main) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      main.run();
    } finally {
      System.setOut(before);
    }
    assertThat(bytes.toString(UTF_8)).containsIgnoringCase("admitted");
  }

  private static String used(Phase phase, String resource) {
    return phase.clusterQueues().stream()
        .flatMap(queue -> queue.usage().stream())
        .filter(usage -> usage.resource().equals(resource))
        .mapToLong(QuotaUsage::used)
        .mapToObj(used -> Quantity.format(resource, used))
        .findFirst()
        .orElseThrow();
  }
}
