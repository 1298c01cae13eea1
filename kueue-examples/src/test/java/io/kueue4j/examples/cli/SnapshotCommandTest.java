package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code snapshot} writes the state of a cluster, which leads to the same decisions. */
class SnapshotCommandTest {
  private static final String ALL = ClusterDump.QUEUES + ClusterDump.JOBS + ClusterDump.WORKLOADS;

  @TempDir
  private Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String snapshot(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(Admit.with(new Object[] {"snapshot"}, arguments));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  /** {@return what is decided on each job, without names} */
  private static List<String> decisions(Object... paths) {
    CommandLineRun run = CommandLineRun.of(Admit.with(new Object[] {"admit", "-o", "json"}, paths));
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> decisions = new ArrayList<>();
    for (JsonNode job : Admit.parse(run.out()).get("phases").get(0).get("workloads")) {
      StringBuilder decision = new StringBuilder(job.get("status").asText());
      for (JsonNode podSet : job.get("podSets")) {
        decision
            .append(' ')
            .append(podSet.get("count"))
            .append(podSet.get("flavors").fieldNames().hasNext());
        podSet
            .path("topologyAssignment")
            .path("domains")
            .forEach(domain -> decision.append(' ').append(domain.path("count")));
      }
      decisions.add(decision.toString());
    }
    return decisions;
  }

  private void assertSameDecisions(Object... paths) throws IOException {
    Path plain = write("plain.yaml", snapshot(paths));
    Path hashed = write("hashed.yaml", snapshot(Admit.with(paths, "--hash-names")));

    assertThat(CommandLineRun.of("admit", plain).out().lines())
        .containsExactlyInAnyOrderElementsOf(
            CommandLineRun.of(Admit.with(new Object[] {"admit"}, paths))
                .out()
                .lines()
                .toList());
    assertThat(decisions(hashed)).isEqualTo(decisions(plain)).isNotEmpty();
    assertThat(snapshot(plain)).isEqualTo(Files.readString(plain));
  }

  @Test
  void aClusterWithJobsInAllStatesIsDecidedAlike() throws IOException {
    assertSameDecisions(write("all.yaml", ALL));
  }

  @Test
  void placesOnNodesStay() throws IOException {
    Object[] tutorial = Admit.files(
        "001-tpu-multislice-jobset",
        "00-nodes.derived.yaml",
        "50-topology.yaml",
        "51-jobsets-topology.yaml");
    assertSameDecisions(tutorial);
    String after = CommandLineRun.of(Admit.with(new Object[] {"admit", "-o", "yaml"}, tutorial))
        .out();
    assertThat(after).contains("topologyAssignment");
    assertSameDecisions(write("after.yaml", after));
  }

  @Test
  void decisionsByTheConfigurationStay() throws IOException {
    assertSameDecisions(write("all.yaml", ALL + """
        ---
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        integrations: {frameworks: [batch/job]}
        fairSharing: {}
        resources: {quotaCheckStrategy: IgnoreUndeclared, transformations: [{input: cpu, outputs: {example.com/credits: 2}}]}
        featureGates: {PartialAdmission: false}
        """));
  }

  @Test
  void windowsStay() throws IOException {
    Path file = write("all.yaml", ALL + """
        ---
        apiVersion: kueue4j.io/v1alpha1
        kind: CapacityWindow
        metadata: {name: maintenance}
        spec:
          start: 2026-03-01T08:00:00Z
          end: 2026-03-01T12:00:00Z
          clusterQueue: research
          flavors: [{name: default, resources: [{name: cpu, amount: 4}]}]
          beneficiaries:
            workloads: [team-a/tester]
            localQueues: [team-a/lq]
            namespaces: [team-b]
        """);
    assertThat(snapshot(file)).contains("- \"team-a/tester\"", "- \"team-a/lq\"", "- \"team-b\"");
    String hashed = snapshot(file, "--hash-names");
    assertThat(hashed)
        .contains("CapacityWindow", "2026-03-01T08:00:00Z")
        .doesNotContain("team-a", "team-b", "tester", "maintenance", "research");
    Matcher localQueue = Pattern.compile("localQueues:\\n *- \"(.+)/(.+)\"").matcher(hashed);
    assertThat(localQueue.find()).isTrue();
    assertThat(hashed)
        .contains("name: \"" + localQueue.group(2) + "\"")
        .contains("namespace: \"" + localQueue.group(1) + "\"");
  }

  @Test
  void nothingIsWrittenThatDecidesNothing() throws IOException {
    String dump = ALL.replace(
        "metadata: {name: research}",
        "metadata: {name: research, annotations: {secret: hush}, labels: {secret: hush}}");
    Path file = write("all.yaml", dump + """
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: node-1, labels: {cloud: spot, secret: hush}, annotations: {secret: hush}}
        status:
          allocatable: {cpu: 4}
          conditions: [{type: Ready, status: 'True', message: hush}]
          images: [{names: [hush]}]
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: web, labels: {secret: hush}}
        spec:
          nodeName: node-1
          containers:
          - {name: c, image: hush, args: [hush], env: [{name: HUSH, value: hush}], resources: {requests: {cpu: 1}}}
        """);
    String written = snapshot(file);
    assertThat(written)
        .contains("name: \"node-1\"", "cloud: \"spot\"", "name: \"web\"")
        .doesNotContainIgnoringCase("hush")
        .doesNotContain("secret");
    assertThat(snapshot("--strict", file, "--hash-names"))
        .doesNotContain("node-1", "team-a", "research", "\"running\"", "\"main\"", "\"web\"");
  }

  @Test
  void hashesAreKeyedByTheSalt() throws IOException {
    Path file = write("all.yaml", ALL);
    String first = snapshot(file, "--hash-names", "--salt", "x");
    assertThat(snapshot(file, "--hash-names", "--salt", "x")).isEqualTo(first);
    assertThat(snapshot(file, "--hash-names", "--salt", "y")).isNotEqualTo(first);
    assertThat(snapshot(file, "--hash-names")).isNotEqualTo(snapshot(file, "--hash-names"));
  }

  @Test
  void anEmptySaltIsRefused() throws IOException {
    Path file = write("all.yaml", ALL);
    CommandLineRun run = CommandLineRun.of("snapshot", "--hash-names", "--salt", "", file);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: --salt is empty");
  }

  @Test
  void jsonAndAFileAreWritten() throws IOException {
    Path file = write("all.yaml", ALL);
    Path target = folder.resolve("snapshot.json");
    assertThat(snapshot(file, "-o", "json", "--file", target)).isEmpty();
    assertThat(Admit.parse(Files.readString(target)).get("kind").asText()).isEqualTo("List");
    assertThat(snapshot(target)).isEqualTo(snapshot(file));
  }

  @Test
  void theOrderOfTheInputDoesNotMatter() throws IOException {
    String first =
        snapshot(write("1.yaml", ClusterDump.QUEUES), write("2.yaml", ClusterDump.WORKLOADS));
    assertThat(snapshot(folder.resolve("2.yaml"), folder.resolve("1.yaml"))).isEqualTo(first);
  }
}
