package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of the controller. */
final class ControllerCommandTest {
  private static final String MANIFESTS = "src/main/resources/manifests/";
  private static final String MULTISLICE = MANIFESTS + "001-tpu-multislice-jobset/";
  private static final String GPUS = MANIFESTS + "004-gpu-operator-binpack/";

  @TempDir
  private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("given.yaml"), text);
  }

  private static void assertBadInput(CommandLineRun run, String... said) {
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: ").contains(said).doesNotContain("\tat ");
  }

  @Test
  void aDryRunShowsWhatWouldBeStartedAndWhatWaits() {
    CommandLineRun run = CommandLineRun.of(
        "controller",
        "--dry-run",
        MULTISLICE + "10-kueue.yaml",
        MULTISLICE + "20-jobsets-autopilot.yaml");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .anyMatch(line -> line.matches("multislice-2slice +default +JobSet +cluster-queue +Admitted"
            + " +.*cloud.google.com/gke-tpu-topology=2x4"))
        .anyMatch(line -> line.matches(
            "multislice-3slice +default +JobSet +<none> +Pending +<none> +.*24 more needed.*"))
        .anyMatch(
            line -> line.matches("cluster-queue +<none> +1 +2 +vlp-24: google.com/tpu 24/24"));
  }

  @Test
  void aDryRunAsksPolicies() {
    CommandLineRun run = CommandLineRun.of(
        "controller",
        "--require-scheduler",
        "nvidia.com/gpu=gpu-binpack-scheduler",
        "--dry-run",
        GPUS + "60-topology.yaml",
        GPUS + "63-job.yaml");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains(
            "Refused",
            "spec.schedulerName value must be `gpu-binpack-scheduler` when you use nvidia.com/gpu");
  }

  @Test
  void manifestsWithoutJobsAreFine() {
    CommandLineRun run = CommandLineRun.of("controller", "--dry-run", MULTISLICE + "10-kueue.yaml");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("No jobs.");
  }

  @Test
  void whatIsNoYamlIsSaidWithItsPlace() throws IOException {
    Path broken = file("x: [");

    assertBadInput(
        CommandLineRun.of("controller", "--dry-run", broken), broken + ": document 1, line 1");
    assertBadInput(
        CommandLineRun.of("controller", "--queues", broken), broken + ": document 1, line 1");
  }

  @Test
  void aQueueThatBreaksRulesIsSaidWithItsPlace() throws IOException {
    Path queue = file("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ClusterQueue
        metadata: {name: research}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: spot
              resources: [{name: cpu, nominalQuota: -1}]
        """);

    for (String option : new String[] {"--dry-run", "--queues"}) {
      assertBadInput(
          CommandLineRun.of("controller", option, queue), queue + ": document 1", "nominalQuota");
    }
  }

  @Test
  void aKubeconfigThatIsNotThereOrNoneIsSaid() throws IOException {
    assertBadInput(
        CommandLineRun.of("controller", "--kubeconfig", folder.resolve("none")),
        "none: no such file or directory");
    assertBadInput(CommandLineRun.of("controller", "--kubeconfig", file("x: [")), "no kubeconfig");
  }

  @Test
  void aClusterThatDoesNotAnswerIsSaid() throws IOException {
    Path config = file("""
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://localhost:1"}}]
        users: [{name: u, user: {}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """);

    assertBadInput(
        CommandLineRun.of(
            "controller", "--kubeconfig", config, "--no-leader-election", "--port", "0"),
        "the cluster at http://localhost:1/ cannot be used",
        "Connect");
  }

  @Test
  void aClusterWithoutWorkloadsIsSaidWithWhatToApply() throws IOException {
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client()) {
      Path config = file("""
          apiVersion: v1
          kind: Config
          clusters: [{name: c, cluster: {server: "%s"}}]
          users: [{name: u, user: {}}]
          contexts: [{name: x, context: {cluster: c, user: u}}]
          current-context: x
          """.formatted(client.getMasterUrl()));
      assertBadInput(
          CommandLineRun.of("controller", "--kubeconfig", config, "--port", "0"),
          "does not serve Workload of kueue.x-k8s.io/v1beta2",
          "kubectl apply --server-side -f");
    }
  }

  @Test
  void unknownOptionsAreSaid() {
    assertBadInput(CommandLineRun.of("controller", "--dry"), "--dry");
    assertBadInput(CommandLineRun.of("controller", "--port", "many"), "--port", "many");
    assertBadInput(
        CommandLineRun.of("controller", "--usage-half-life", "PT-1H"),
        "--usage-half-life",
        "PT-1H");
  }

  @Test
  void withoutWritersNothingIsWritten() {
    CommandLineRun run = CommandLineRun.of("controller", "--concurrent-writes", "0");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--concurrent-writes 0: expected 1 or more");
  }
}
