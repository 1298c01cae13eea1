package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands decide as the Kueue that a cluster runs. */
class InstalledVersionTest {
  private static final String NOTE = "note: decides as Kueue ";

  /** Only from 0.19.7 on, the cores of the driver count. */
  private static final String STATE = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: all}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu, memory]
          flavors:
          - name: any
            resources: [{name: cpu, nominalQuota: 2}, {name: memory, nominalQuota: 1Ti}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq}, spec: {clusterQueue: all}}
      ---
      apiVersion: sparkoperator.k8s.io/v1beta2
      kind: SparkApplication
      metadata: {name: pi, labels: {kueue.x-k8s.io/queue-name: lq}}
      spec:
        suspend: true
        type: Scala
        mode: cluster
        driver: {cores: 3}
        executor: {instances: 0}
      """;

  @TempDir
  private Path folder;

  private static String manager(String image) {
    return """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: kueue-controller-manager, namespace: kueue-system, labels: {team: hush}}
        spec:
          selector: {matchLabels: {control-plane: hush}}
          template:
            metadata: {labels: {control-plane: hush}}
            spec:
              serviceAccountName: hush
              containers:
              - {name: proxy, image: "example.com/proxy:v0.20.0"}
              - {name: manager, image: "%s", args: [hush]}
        """.formatted(image);
  }

  private Path state(String image) throws IOException {
    return Files.writeString(folder.resolve("state.yaml"), STATE + "---\n" + manager(image));
  }

  private static String status(Object... arguments) {
    return Admit.json(arguments).job(0, "pi").get("status").asText();
  }

  @ParameterizedTest
  @CsvSource({
    "registry.k8s.io/kueue/kueue:v0.19.2,0.19,Admitted",
    "kueue:0.18.0,0.19,Admitted",
    "localhost:5000/mirror/kueue:v0.19.7@sha256:0123,0.19.7,Pending",
    "registry.k8s.io/kueue/kueue:v0.20.1,0.20,Pending"
  })
  void theTagOfTheImageIsTheVersion(String image, String version, String status)
      throws IOException {
    Path file = state(image);
    assertThat(status(file)).isEqualTo(status);
    assertThat(CommandLineRun.of("admit", file).errLines(NOTE))
        .containsExactly(NOTE + version
            + ", since the image of the Deployment kueue-controller-manager is of that version;"
            + " --kueue-version sets another one");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"registry.k8s.io/kueue/kueue:main", "kueue@sha256:0123", "kueues:v0.19.2"})
  void anImageWithoutReleaseDecidesNothing(String image) throws IOException {
    Path file = state(image);
    assertThat(status(file)).isEqualTo("Pending");
    assertThat(CommandLineRun.of("admit", file).err()).doesNotContain(NOTE);
  }

  @Test
  void theOptionWins() throws IOException {
    Path file = state("registry.k8s.io/kueue/kueue:v0.19.2");
    CommandLineRun run = CommandLineRun.of("admit", file, "--kueue-version", "0.20");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).doesNotContain(NOTE);
    assertThat(status(file, "--kueue-version", "0.20")).isEqualTo("Pending");
  }

  @Test
  void aSnapshotKeepsTheVersion() throws IOException {
    Path file = state("registry.k8s.io/kueue/kueue:v0.19.2");
    for (String option : new String[] {"--salt=x", "--hash-names"}) {
      CommandLineRun run = CommandLineRun.of("snapshot", "--strict", option, file);
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .contains("registry.k8s.io/kueue/kueue:v0.19.2")
          .doesNotContain("hush", "kueue-system");
      Path snapshot = Files.writeString(folder.resolve("snapshot.yaml"), run.out());
      CommandLineRun admit = CommandLineRun.of("admit", "--strict", snapshot);
      assertThat(admit.exitCode()).as(admit.err()).isZero();
      assertThat(admit.err()).contains(NOTE + "0.19,");
    }
  }

  @Test
  void namesThatOnlyLaterVersionsRefuseAreAccepted() throws IOException {
    String configuration = """
        ---
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        resources: {transformations: [{input: example.com/x, outputs: {pods: 1}}]}
        """;
    Path file = Files.writeString(folder.resolve("named.yaml"), STATE + configuration);
    CommandLineRun refused = CommandLineRun.of("admit", file);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("resources.transformations[0].outputs: \"pods\"");
    assertThat(CommandLineRun.of("admit", file, "--kueue-version=0.19.7").exitCode())
        .isZero();
  }
}
