package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tutorial 001 with TPU slices. Rules: TPU-U-22, TPU-U-23, TPU-U-24, TPU-F-22. */
final class AdmitSlicesTest {
  private static final String TPU = "001-tpu-multislice-jobset";
  private static final Object[] TUTORIAL = with(
      files(TPU, "00-nodes.derived.yaml", "10-kueue.yaml", "21-jobsets-standard.yaml"),
      "--tpu-slices",
      "--order",
      "multislice-3slice,multislice-2slice,multislice-1slice");

  @TempDir
  private Path folder;

  private static CommandLineRun run(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(with(new Object[] {"admit"}, arguments));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run;
  }

  @Test
  void threeSlicesTakeAllPoolsAndTheOthersShareThemAfterwards() {
    String out = run(with(TUTORIAL, "--finish", "multislice-3slice")).out();
    assertThat(out)
        .contains("""
        NAME                POD SET   PODS   DOMAINS
        multislice-3slice   slice     6      nodepool1/2x4 nodepool2/2x4 nodepool3/2x4
        """)
        .contains("""
        NAME                POD SET   PODS   DOMAINS
        multislice-2slice   slice     4      nodepool1/2x4 nodepool2/2x4
        multislice-1slice   slice     2      nodepool3/2x4
        """)
        .contains("no room for slices of pool set vlp-24: 2x4 takes 2 hosts, 0 are free");
  }

  @Test
  void theHostsAreInTheWideTableAndInTheJson() {
    assertThat(run(with(TUTORIAL, "-o", "wide")).out())
        .contains("nodepool1/2x4=nodepool1-0,nodepool1-1 nodepool2/2x4=nodepool2-0,nodepool2-1");
    Admit admit = Admit.json(TUTORIAL);
    assertThat(admit.job(0, "multislice-3slice").at("/podSets/0/slices/1"))
        .isEqualTo(Admit.parse("""
            {"shape": "2x4", "poolSet": "vlp-24", "pool": "nodepool2", "axes": "XYZ",
             "hosts": ["nodepool2-0", "nodepool2-1"], "partitionIds": []}"""));
  }

  @Test
  void aSnapshotKeepsTheSlicesThatJobsAskFor() throws IOException {
    Object[] input =
        files(TPU, "00-nodes.derived.yaml", "10-kueue.yaml", "21-jobsets-standard.yaml");
    String written = CommandLineRun.of(with(new Object[] {"snapshot"}, input)).out();
    Path file = Files.writeString(folder.resolve("snapshot.yaml"), written);
    Object[] snapshot = with(new Object[] {file}, "--tpu-slices");

    assertThat(Admit.json(snapshot).job(0, "multislice-2slice"))
        .isEqualTo(Admit.json(with(input, "--tpu-slices")).job(0, "multislice-2slice"));
    assertThat(run(snapshot).out()).contains("nodepool1/2x4");
  }

  @Test
  void slicesOfAWorkloadThatRunsAreNotKnown() throws IOException {
    Object[] input =
        files(TPU, "00-nodes.derived.yaml", "10-kueue.yaml", "21-jobsets-standard.yaml");
    String written = CommandLineRun.of(
            with(with(new Object[] {"admit", "-o", "yaml"}, input), "--tpu-slices"))
        .out();
    Path file = Files.writeString(folder.resolve("after.yaml"), written);
    CommandLineRun again = CommandLineRun.of("admit", file, "--tpu-slices");

    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.errLines("warning: "))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line)
            .contains("status.admission: the TPU slices that the workload runs on are not stored"));
  }

  @Test
  void aFlavorWithATopologyGivesNoSlicesAndThatIsSaid() throws IOException {
    Path flavor = Files.writeString(folder.resolve("flavor.yaml"), """
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: v6e}
        spec:
          nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice}
          topologyName: hosts
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: Topology
        metadata: {name: hosts}
        spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
        """);

    assertThat(CommandLineRun.of("admit", flavor, "--tpu-slices").errLines("warning: "))
        .singleElement()
        .asString()
        .contains("spec.topologyName", "not given as slices");
    assertThat(CommandLineRun.of("admit", flavor).errLines("warning: ")).isEmpty();
  }

  @Test
  void aLargerSliceIsRefusedWithTheReason() {
    Admit admit = Admit.json(with(
        files(TPU, "00-nodes.derived.yaml", "10-kueue.yaml", "54-jobset-larger-slice.yaml"),
        "--tpu-slices"));
    assertThat(admit.names(0, "Pending")).containsExactly("larger-slice");
    assertThat(admit.reasons(0, "larger-slice"))
        .contains("pod set slice: flavor vlp-24: no slice 4x4: the pools of pool set vlp-24 are one"
            + " slice each, of [2x4]");
    // Counted as chips it would have been admitted, on nodes that it cannot use.
    assertThat(Admit.json(
                files(TPU, "00-nodes.derived.yaml", "10-kueue.yaml", "54-jobset-larger-slice.yaml"))
            .names(0, "Admitted"))
        .containsExactly("larger-slice");
  }

  @Test
  void aNodeThatIsNotReadyMakesItsSliceUnusableAndThatIsSaid() {
    String out = run(with(
            TUTORIAL, with(new Object[] {"--what-if"}, files(TPU, "53-not-ready-node.yaml"))))
        .out();
    assertThat(out)
        .contains("pod set slice: slice 2x4 XYZ at host 0 of pool nodepool2 cannot be used:"
            + " host nodepool2-1 is down");
  }

  @Test
  void withANodeNotReadyThereAreTwoSlices() {
    Admit admit = Admit.json(with(TUTORIAL, files(TPU, "53-not-ready-node.yaml")));
    assertThat(admit.names(0, "Admitted")).containsExactly("multislice-2slice");
    assertThat(admit.reasons(0, "multislice-3slice"))
        .contains("3 slices 2x4 would fit if all hosts were healthy, 1 are not");
  }

  @Test
  void aCordonedNodeTakesNothingNew() {
    Admit admit = Admit.json(with(TUTORIAL, files(TPU, "52-cordoned-node.yaml")));
    assertThat(admit.names(0, "Admitted")).containsExactly("multislice-2slice");
    assertThat(run(with(
                TUTORIAL, with(new Object[] {"--what-if"}, files(TPU, "52-cordoned-node.yaml"))))
            .out())
        .contains("WHAT IF")
        .doesNotContain("cannot be used");
  }

  @Test
  void aFlavorWithATopologyStaysAsItIs() {
    Admit admit = Admit.json(with(
        files(TPU, "00-nodes.derived.yaml", "50-topology.yaml", "20-jobsets-autopilot.yaml"),
        "--tpu-slices"));
    assertThat(admit.names(0, "Admitted")).isEmpty();
    assertThat(admit.reasons(0, "multislice-1slice"))
        .contains("pod set slice: flavor vlp-24: has no TPU pools to give slices of");
  }
}
