package io.kueue4j.examples.tutorial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.TreeMultimap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.story.StoryFiles;
import io.kueue4j.k8s.topology.PodPlacer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The outcomes that the tutorials print or that follow from their numbers. */
final class TutorialsTest {
  private static final Path MANIFESTS = Path.of("src/main/resources/manifests");

  private final StringWriter printed = new StringWriter();
  private final PrintWriter out = new PrintWriter(printed);

  @Test
  void eachSliceOfAJobSetIsPlacedOnAPoolOfItsOwn() {
    ManifestPlayer player = ManifestPlayer.of(new TutorialManifests("001-tpu-multislice-jobset")
        .read("00-nodes.derived.yaml", "50-topology.yaml", "51-jobsets-topology.yaml"));
    player.create(player.jobs().get(2));

    JobReport job = player.phase("created").jobs().get(0);
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

  static Stream<Path> scenarios() {
    return StoryFiles.find(MANIFESTS).stream();
  }

  @ParameterizedTest
  @MethodSource
  void scenarios(Path file) {
    CommandLineRun run = CommandLineRun.of("test", file);
    assertThat(run.exitCode()).as(run.out()).isZero();
  }

  @Test
  void everyTutorialHasAScenario() throws IOException {
    try (Stream<Path> folders = Files.list(MANIFESTS)) {
      assertThat(scenarios().map(Path::getParent).distinct())
          .containsExactlyElementsOf(folders.sorted().toList());
    }
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
    return Stream.of(GpuBinpack::main, GpuFragmentation::main);
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
}
