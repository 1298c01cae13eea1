package io.kueue4j.examples.tutorial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionResult;
import io.kueue4j.core.QuotaUsage;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
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
        GpuBinpack::main);
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
