package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.status.ObjectConditions;
import io.kueue4j.k8s.status.PrinterColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code admit -o yaml} prints objects as Kueue would store them. */
class AdmitYamlTest {
  private static final Object[] TUTORIAL = Admit.with(
      Admit.files("001-tpu-multislice-jobset", "10-kueue.yaml", "20-jobsets-autopilot.yaml"),
      "--order",
      "multislice-3slice");

  @TempDir
  private Path folder;

  private static Manifests admit(Object... arguments) {
    CommandLineRun run =
        CommandLineRun.of(Admit.with(new Object[] {"admit", "-o", "yaml"}, arguments));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return ManifestReader.create().read(ManifestSource.of("out.yaml", run.out()));
  }

  private static List<String> rows(Manifests printed, String kind) {
    PrinterColumns columns = PrinterColumns.ofKind(kind, true).orElseThrow();
    return printed.items("kueue.x-k8s.io", kind).stream()
        .map(item ->
            columns.row(item.as(GenericKubernetesResource.class), Instant.EPOCH).toString())
        .toList();
  }

  @Test
  void queuesAndWorkloadsHaveTheirStatus() {
    Manifests printed = admit(TUTORIAL);

    assertThat(printed.items())
        .extracting(Manifest::kind)
        .containsExactly(
            "ResourceFlavor", "ClusterQueue", "LocalQueue", "Workload", "Workload", "Workload");
    assertThat(printed.items())
        .extracting(Manifest::apiVersion)
        .containsOnly("kueue.x-k8s.io/v1beta2");
    assertThat(rows(printed, "ClusterQueue"))
        .containsExactly("[cluster-queue, , BestEffortFIFO, 2, 1]");
    assertThat(rows(printed, "LocalQueue"))
        .containsExactly("[multislice-queue, cluster-queue, 2, 1]");
    assertThat(rows(printed, "Workload"))
        .containsExactly(
            "[jobset-multislice-3slice-563f8, multislice-queue, cluster-queue, True, , 0s]",
            "[jobset-multislice-1slice-e929d, multislice-queue, , , , 0s]",
            "[jobset-multislice-2slice-0d2de, multislice-queue, , , , 0s]");
    assertThat(printed.notes()).isEmpty();
  }

  @Test
  void whatHasFinishedSaysSo() {
    Manifests printed = admit(Admit.with(TUTORIAL, "--finish", "multislice-3slice"));
    assertThat(rows(printed, "Workload"))
        .containsExactly(
            "[jobset-multislice-3slice-563f8, multislice-queue, cluster-queue, True, True, 0s]",
            "[jobset-multislice-1slice-e929d, multislice-queue, cluster-queue, True, , 0s]",
            "[jobset-multislice-2slice-0d2de, multislice-queue, cluster-queue, True, , 0s]");
  }

  @Test
  void anEngineGoesOnFromWhatWasPrinted() throws IOException {
    Manifests printed = admit(TUTORIAL);
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(ManifestReader.create()
        .read(ManifestSource.of(Admit.MANIFESTS.resolve("001-tpu-multislice-jobset/10-kueue.yaml")))
        .configObjects());
    WorkloadReader reader = new WorkloadReader(PodTemplates.plain());
    for (Manifest manifest : printed.items("kueue.x-k8s.io", "Workload")) {
      ImportedWorkload stored = reader.read(manifest);
      assertThat(stored.restoreTo(engine).isEmpty()).isTrue();
      assertThat(engine.admission(stored.workload().id())).isEqualTo(stored.admission());
    }
    assertThat(engine.runCycle().admitted()).isEmpty();
    engine.finish(WorkloadId.of("default", "jobset-multislice-3slice-563f8"));
    assertThat(ImmutableList.of(engine.runCycle(), engine.runCycle()))
        .allSatisfy(cycle -> assertThat(cycle.admitted()).hasSize(1));
  }

  @Test
  void checksThatAreNotPassedKeepWhatIsReserved() throws IOException {
    Path file = Files.writeString(folder.resolve("all.yaml"), """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},
         spec: {controllerName: example.com/budget}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q}
        spec:
          namespaceSelector: {}
          admissionChecksStrategy: {admissionChecks: [{name: budget}]}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq},
         spec: {clusterQueue: q}}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}
        """);

    GenericKubernetesResource workload =
        admit(file).items("kueue.x-k8s.io", "Workload").get(0).as(GenericKubernetesResource.class);

    assertThat(ObjectConditions.isTrue(workload, "QuotaReserved")).isTrue();
    assertThat(ObjectConditions.isTrue(workload, "Admitted")).isFalse();
    assertThat(CommandLineRun.of("admit", file).out())
        .contains("admission check budget is in state Pending")
        .containsPattern("q +<none> +0 +0 +any: cpu 1/4");
    assertThat(Admit.json(file).queue(0).get("admitted").asInt()).isZero();
    Path unchecked = folder.resolve("unchecked.yaml");
    Files.writeString(
        unchecked, Files.readString(file).replace("{admissionChecks: [{name: budget}]}", "{}"));
    assertThat(CommandLineRun.of("admit", file, "--what-if", unchecked).out())
        .containsPattern("q +0 +0 -> 1 ");
  }

  /** What is printed is read as the same state, with the same tables, and printed the same. */
  private void assertGoesRound(Object... arguments) throws IOException {
    CommandLineRun first =
        CommandLineRun.of(Admit.with(new Object[] {"admit", "-o", "yaml"}, arguments));
    assertThat(first.exitCode()).as(first.err()).isZero();
    Path printed = Files.writeString(folder.resolve("printed.yaml"), first.out());

    CommandLineRun again = CommandLineRun.of("admit", "--strict", "-o", "yaml", printed);
    assertThat(again.err()).isEmpty();
    assertThat(again.out()).isEqualTo(first.out());

    String before =
        CommandLineRun.of(Admit.with(new Object[] {"admit"}, arguments)).out();
    String after = CommandLineRun.of("admit", printed).out();
    assertThat(after).isEqualTo(end(before));
  }

  /** {@return the last phase, without what happened before it was printed} */
  private static String end(String tables) {
    int last = tables.lastIndexOf("PHASE ");
    String phase = last < 0 ? tables : tables.substring(tables.indexOf('\n', last) + 1);
    return phase.replaceAll("(?s)\nPREEMPTED .*?\n\n", "\n");
  }

  @Test
  void theStateGoesRound() throws IOException {
    assertGoesRound(TUTORIAL);
  }

  @Test
  void theStateAfterAJobHasFinishedGoesRound() throws IOException {
    assertGoesRound(Admit.with(TUTORIAL, "--finish", "multislice-3slice"));
  }

  @Test
  void theStateAfterAPreemptionGoesRound() throws IOException {
    assertGoesRound(Admit.with(
        Admit.files(
            "001-tpu-multislice-jobset",
            "40-kueue-preemption.yaml",
            "41-priority-class.yaml",
            "20-jobsets-autopilot.yaml",
            "42-jobset-low-priority-autopilot.yaml"),
        "--order",
        "multislice-3slice,multislice-2slice,multislice-1slice,low-priority"));
  }

  @Test
  void placesOnNodesGoRound() throws IOException {
    assertGoesRound(Admit.files(
        "001-tpu-multislice-jobset",
        "00-nodes.derived.yaml",
        "50-topology.yaml",
        "51-jobsets-topology.yaml"));
  }

  @Test
  void theFirstVersionsBecomeTheLatest() throws IOException {
    assertGoesRound(Admit.files(
        "003-kueue-v010-slides",
        "10-settings.yaml",
        "20-job.yaml",
        "20-job.yaml",
        "20-job.yaml",
        "20-job.yaml"));
    assertGoesRound(Admit.MANIFESTS.resolve("000-gke-batch-jobs"));
    assertGoesRound(Admit.MANIFESTS.resolve("002-kueue-v080-gke"));
  }

  @Test
  void aJobBesideItsWorkloadIsNotCreatedAgain() throws IOException {
    CommandLineRun printed =
        CommandLineRun.of(Admit.with(new Object[] {"admit", "-o", "yaml"}, TUTORIAL));
    Path file = Files.writeString(folder.resolve("printed.yaml"), printed.out());

    CommandLineRun together = CommandLineRun.of(Admit.with(
        new Object[] {"admit", file},
        Admit.files("001-tpu-multislice-jobset", "20-jobsets-autopilot.yaml")));

    assertThat(together.out()).isEqualTo(CommandLineRun.of("admit", file).out());
    assertThat(together.err()).isEmpty();
  }

  @Test
  void aWorkloadThatIsStoppingStopsAtOnce() throws IOException {
    String printed = CommandLineRun.of(Admit.with(new Object[] {"admit", "-o", "yaml"}, TUTORIAL))
        .out();
    String admitted = "  - type: \"Admitted\"\n    status: \"True\"\n";
    assertThat(printed).containsOnlyOnce(admitted);
    Path file = Files.writeString(
        folder.resolve("printed.yaml"), printed.replace(admitted, """
            - type: "Evicted"
              status: "True"
              lastTransitionTime: "2026-01-01T00:00:03Z"
              reason: "Preempted"
              message: "Preempted"
          """ + admitted));

    Admit admit = Admit.json(file);

    // It is the oldest, and admitted again.
    assertThat(admit.names(0, "Admitted")).containsExactly("multislice-3slice");
    assertThat(admit.events(0)).singleElement().satisfies(event -> {
      assertThat(event.get("type").asText()).isEqualTo("Admitted");
      assertThat(event.get("workload").asText()).startsWith("jobset-multislice-3slice-");
    });
  }

  @Test
  void aWorkloadWhoseQueueIsAbsentIsAnError() throws IOException {
    CommandLineRun printed =
        CommandLineRun.of(Admit.with(new Object[] {"admit", "-o", "yaml"}, TUTORIAL));
    Path file = Files.writeString(
        folder.resolve("printed.yaml"),
        printed
            .out()
            .substring(printed
                .out()
                .indexOf("---\napiVersion: \"kueue.x-k8s.io/v1beta2\"\nkind: \"Workload\"")));

    CommandLineRun run = CommandLineRun.of("admit", file);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: ")).singleElement().asString().contains("cluster-queue");
  }
}
