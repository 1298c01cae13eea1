package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that claim devices. */
class AdmitDevicesTest {
  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: a100}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [whole-gpus]
          flavors:
          - name: a100
            resources: [{name: whole-gpus, nominalQuota: 4}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: lq}
      spec: {clusterQueue: research}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: two-gpus}
      spec:
        spec:
          devices:
            requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 2}}]
      """;

  private static final String CONFIGURATION = """
      ---
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      resources:
        deviceClassMappings: [{name: whole-gpus, deviceClassNames: [gpu.nvidia.com]}]
      """;

  private static String job(String name, int pods) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          parallelism: %d
          completions: %d
          template:
            spec:
              restartPolicy: Never
              resourceClaims: [{name: gpu, resourceClaimTemplateName: two-gpus}]
              containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
        """.formatted(name, pods, pods);
  }

  private static CommandLineRun admit(Path folder, String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("all.yaml"), yaml);
    CommandLineRun run = CommandLineRun.of("admit", "--strict", file);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  @Test
  void devicesAreCountedAsTheConfigurationSays(@TempDir Path folder) throws Exception {
    CommandLineRun run = admit(folder, QUEUES + CONFIGURATION + job("two", 2) + job("one", 1));
    assertThat(run.out()).containsPattern("two .* Admitted +a100");
    assertThat(run.out()).containsPattern("one .* Pending .*whole-gpus");
    assertThat(run.out()).contains("whole-gpus 4/4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--strict", "--hash-names"})
  void snapshotsKeepWhatDevicesAreClaimed(String option, @TempDir Path folder) throws Exception {
    Path all = Files.writeString(
        folder.resolve("all.yaml"), QUEUES + CONFIGURATION + job("two", 2) + job("one", 1));
    Path file = folder.resolve("snapshot.yaml");
    CommandLineRun snapshot = CommandLineRun.of("snapshot", option, "--file", file, all);
    assertThat(snapshot.exitCode()).as(snapshot.err()).isZero();

    assertThat(CommandLineRun.of("admit", file).out())
        .containsPattern(" Pending .*whole-gpus in flavor .*: requests 2, 0 available")
        .contains("whole-gpus 4/4");
  }

  @Test
  void withoutAMappingNothingIsAdmitted(@TempDir Path folder) throws Exception {
    CommandLineRun run = admit(folder, QUEUES + job("two", 2));
    assertThat(run.out())
        .containsPattern("two .* Pending .*DeviceClass gpu.nvidia.com is not mapped to a resource");
  }
}
