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

  private static final String JOB = """
      ---
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: job
        labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/prebuilt-workload-name: mine}
      spec: {parallelism: 2, template: %s}
      """.formatted(TEMPLATE);

  private static String workload(int count) {
    return """
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: mine}
        spec: {queueName: lq, podSets: [{name: main, count: %d, template: %s}]}
        """.formatted(count, TEMPLATE);
  }

  @Test
  void aJobRunsOnTheWorkloadThatItNames() throws IOException {
    CommandLineRun run = admit(JOB + workload(2));
    assertThat(run.out()).containsPattern("job +default +lq +q +Admitted +any");
    assertThat(admit(workload(2) + JOB).out()).isEqualTo(run.out());
  }

  @Test
  void aJobWaitsForTheWorkloadThatItNames() throws IOException {
    assertThat(admit(JOB).err())
        .contains("passed over: there is no Workload mine, which the job names");
    assertThat(admit(JOB + workload(3)).err())
        .contains("passed over: the Workload mine is out of sync with its job: pod set main has 2"
            + " pods, in the Workload 3");
  }

  @Test
  void jobsWithoutAQueueWaitIfConfigured() throws IOException {
    String job = JOB.replaceFirst("labels: .*", "labels: {}");
    assertThat(admit(job).err()).contains("names no queue; set the label");
    assertThat(admit(job + """
            ---
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            manageJobsWithoutQueueName: true
            """).err())
        .contains("names no queue and waits, suspended, until it does");
  }

  @Test
  void nullContainersAreNamed() throws IOException {
    CommandLineRun run = admit("""
        ---
        apiVersion: ray.io/v1
        kind: RayCluster
        metadata: {name: r, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          suspend: true
          headGroupSpec: {template: {spec: {containers: }}}
          workerGroupSpecs: []
        """);
    assertThat(run.err())
        .contains("spec.headGroupSpec.template.spec.containers: empty; expected at least one"
            + " container");
  }

  @Test
  void replicasBeyondAllBoundsAreNamed() throws IOException {
    assertThat(admit("""
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: d, labels: {kueue.x-k8s.io/queue-name: lq}}
            spec: {replicas: 2147483647, template: %s}
            """.formatted(TEMPLATE)).err())
        .contains("spec.replicas: 2147483647 workloads; expected at most 1000000 of one job");
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
