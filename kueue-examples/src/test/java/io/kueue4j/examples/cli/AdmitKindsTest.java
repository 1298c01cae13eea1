package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of all kinds are played. */
class AdmitKindsTest {
  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: q}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 8}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq},
       spec: {clusterQueue: q}}
      """;
  private static final String TEMPLATE =
      "{spec: {containers: [{name: c, resources: {requests: {cpu: 0.5}}}]}}";

  private static final String RUNTIME = """
      ---
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: ClusterTrainingRuntime
      metadata: {name: torch}
      spec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: %s}}}]}}}
      """.formatted(TEMPLATE);

  @TempDir
  private Path folder;

  private static String object(String apiVersion, String kind, String name, String rest) {
    return """
        ---
        apiVersion: %s
        kind: %s
        metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: lq}%s
        """.formatted(apiVersion, kind, name, rest);
  }

  private Path file(String jobs) throws IOException {
    return Files.writeString(folder.resolve("all.yaml"), QUEUES + jobs);
  }

  private CommandLineRun admit(String jobs) throws IOException {
    return CommandLineRun.of("admit", file(jobs));
  }

  @Test
  void jobsOfEveryKindAreAdmitted() throws IOException {
    String pod = ", annotations: {kueue.x-k8s.io/pod-group-name: team,"
        + " kueue.x-k8s.io/pod-group-total-count: \"2\"}}\nspec: "
        + TEMPLATE.substring("{spec: ".length(), TEMPLATE.length() - 1);
    Admit played = Admit.json(file(object(
            "kubeflow.org/v1",
            "PyTorchJob",
            "torch",
            "}\nspec: {pytorchReplicaSpecs: {Worker:" + " {replicas: 2, template: " + TEMPLATE
                + "}}}")
        + "\n"
        + object(
            "ray.io/v1",
            "RayCluster",
            "ray",
            "}\nspec: {headGroupSpec: {template: " + TEMPLATE + "}}")
        + "\n"
        + object(
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            "lws",
            "}\nspec: {replicas: 2," + " leaderWorkerTemplate: {size: 2, workerTemplate: "
                + TEMPLATE + "}}")
        + "\n"
        + object(
            "apps/v1", "Deployment", "web", "}\nspec: {replicas: 2, template: " + TEMPLATE + "}")
        + "\n"
        + object("v1", "Pod", "a", pod)
        + "\n"
        + object("v1", "Pod", "b", pod)
        + "\n"
        + object(
            "trainer.kubeflow.org/v1alpha1",
            "TrainJob",
            "tune",
            "}\nspec: {runtimeRef:" + " {name: torch}}")
        + "\n"
        + RUNTIME));
    assertThat(played.names(0, "Admitted"))
        .containsExactlyInAnyOrder(
            "torch", "ray", "lws-0", "lws-1", "web-0", "web-1", "team", "tune");
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() throws IOException {
    CommandLineRun run = admit(object(
        "kubeflow.org/v1",
        "TFJob",
        "tf",
        "}\nspec:\n  tfReplicaSpecs:\n    Worker: {replicas: two, template: " + TEMPLATE + "}"));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .contains("line 20")
        .contains("spec.tfReplicaSpecs.Worker.replicas: \"two\"; expected a 32-bit integer");
  }

  @Test
  void aGroupWithoutAllItsPodsIsPassedOver() throws IOException {
    CommandLineRun run = admit(object(
        "v1",
        "Pod",
        "a",
        ", annotations:"
            + " {kueue.x-k8s.io/pod-group-name: team, kueue.x-k8s.io/pod-group-total-count: \"2\"}}\n"
            + "spec: {containers: [{name: c}]}"));
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .endsWith("passed over: 'team' group has fewer runnable pods than expected: 1 of 2");
  }
}
