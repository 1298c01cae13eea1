package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code admit} decides by Kueue's Configuration, and by the options that override it. */
class AdmitSettingsTest {
  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: all}
      spec:
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}]}]
      """ + queue("busy") + queue("calm");
  private static final String CONFIGURATION = """
      ---
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      """;
  private static final String JOBS = job("one", "busy") + job("two", "busy") + job("late", "calm");

  @TempDir
  private Path folder;

  private static String queue(String name) {
    return """
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec:
          namespaceSelector: {}
          cohortName: all
          preemption: {reclaimWithinCohort: Any}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 0}]}]
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: %1$s},
         spec: {clusterQueue: %1$s}}
        """.formatted(name);
  }

  private static String job(String name, String queue) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: %s}}
        spec:
          template:
            spec:
              containers:
              - {name: main, resources: {requests: {cpu: 1, example.com/license: 1}}}
        """.formatted(name, queue);
  }

  private String statusOf(String job, String yaml, Object... options) throws IOException {
    Path file = Files.writeString(folder.resolve("all.yaml"), yaml);
    return Admit.json(Admit.with(new Object[] {file}, options))
        .job(0, job)
        .get("status")
        .asText();
  }

  private static String plain(String yaml) {
    return yaml.replace(", example.com/license: 1", "");
  }

  @Test
  void fairSharingOfTheConfigurationLetsTheOthersInToo() throws IOException {
    String yaml = plain(QUEUES + JOBS);
    String fair = yaml + CONFIGURATION + "fairSharing: {}\n";
    assertThat(statusOf("late", yaml)).isEqualTo("Pending");
    assertThat(statusOf("late", fair)).isEqualTo("Admitted");
    assertThat(statusOf("late", yaml, "--fair-sharing")).isEqualTo("Admitted");
    assertThat(statusOf("late", fair, "--no-fair-sharing")).isEqualTo("Pending");
  }

  @Test
  void resourcesAreCountedAsTheConfigurationSays() throws IOException {
    String yaml = QUEUES + JOBS;
    assertThat(statusOf("one", yaml)).isEqualTo("Pending");
    assertThat(statusOf(
            "one", yaml + CONFIGURATION + "resources: {excludeResourcePrefixes: [example.com/]}\n"))
        .isEqualTo("Admitted");
    assertThat(statusOf(
            "one", yaml + CONFIGURATION + "resources: {quotaCheckStrategy: IgnoreUndeclared}\n"))
        .isEqualTo("Admitted");
  }

  @Test
  void admissionThatWaitsForPodsGoesOnSinceTheyAreReadyAtOnce() throws IOException {
    String yaml = plain(QUEUES + JOBS) + CONFIGURATION + "waitForPodsReady: {blockAdmission: true}";
    assertThat(statusOf("two", yaml)).isEqualTo("Admitted");
  }

  @Test
  void featureGatesCanBeOverridden() throws IOException {
    String yaml = plain(QUEUES + job("one", "busy"))
        .replace("template:", "parallelism: 5\n  template:")
        .replace(
            "metadata: {name: one,",
            "metadata: {name: one, annotations: {kueue.x-k8s.io/job-min-parallelism: '1'},");
    String off = yaml + CONFIGURATION + "featureGates: {PartialAdmission: false}\n";
    assertThat(statusOf("one", yaml)).isEqualTo("Admitted");
    assertThat(statusOf("one", off)).isEqualTo("Pending");
    assertThat(statusOf("one", off, "--feature-gate", "PartialAdmission=true"))
        .isEqualTo("Admitted");
  }

  @Test
  void aGateThatDoesNotExistIsAnError() throws IOException {
    Path file = Files.writeString(folder.resolve("all.yaml"), plain(QUEUES + JOBS));
    CommandLineRun run = CommandLineRun.of("admit", file, "--feature-gate", "Partial=true");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .startsWith("error: --feature-gate: there is no gate Partial that changes decisions;"
            + " expected one of PartialAdmission, ");
  }
}
