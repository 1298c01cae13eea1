package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.Statuses;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.state.JobState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * JobSets on a real API server with the JobSet controller and its webhooks, and the rights of the
 * manifests. The tests write the status of child Jobs, as the Job controller would.
 */
@EnabledIf("io.kueue4j.examples.controller.cluster.ApiServer#hasJobSetController")
@SuppressWarnings("try") // A controller works until it is closed.
class JobSetServerTest {
  /** Two flavors with nodes of different labels; a job takes the first even from others. */
  private static final String QUEUES = TenantServer.QUEUES
          .replace(
              "preemption: {",
              "flavorFungibility: {whenCanPreempt: MayStopSearch}\n  preemption: {")
          .replace(
              "flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]",
              "flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]},"
                  + " {name: zonal, resources: [{name: cpu, nominalQuota: 4}]}]")
      + """
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: zonal},
       spec: {nodeLabels: {zone: z}, tolerations: [{key: zonal, operator: Exists}]}}
      """;

  private static TenantServer server;
  private static KubernetesClient client;

  @BeforeAll
  static void start() throws IOException {
    server = TenantServer.start(TenantServer.role("tenant", """
        {apiGroups: [jobset.x-k8s.io], resources: [jobsets], verbs: ["*"]}""", "tenant"));
    client = server.admin();
    server.startJobSetController();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @AfterEach
  void deleteAll() {
    // Before their Jobs, which the JobSet controller would create again.
    client
        .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
        .inNamespace("default")
        .delete();
    server.deleteJobs("default");
  }

  /** The tenant creates a JobSet with two Jobs of one pod each. */
  private static void create(String name, boolean suspended, String priority) {
    GenericKubernetesResource unused = server
        .tenant()
        .resource(Serialization.unmarshal(
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata:
              name: %s
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: queue, kueue.x-k8s.io/priority-class: "%s"}
            spec:
              suspend: %s
              replicatedJobs:
              - name: main
                replicas: 2
                template:
                  spec:
                    template:
                      spec:
                        containers:
                        - {name: main, image: busybox, resources: {requests: {cpu: "2"}}}
            """.formatted(name, priority, suspended), GenericKubernetesResource.class))
        .create();
  }

  private static JsonNode jobSet(String name) {
    return Json.tree(client
        .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
        .inNamespace("default")
        .withName(name)
        .get());
  }

  private static List<Job> children(String jobSet) {
    return client
        .batch()
        .v1()
        .jobs()
        .inNamespace("default")
        .withLabel("jobset.sigs.k8s.io/jobset-name", jobSet)
        .list()
        .getItems();
  }

  /** {@return whether both Jobs of a JobSet run, and select nodes so} */
  private static boolean runs(String jobSet, String label, String value) {
    return children(jobSet).size() == 2
        && children(jobSet).stream()
            .allMatch(
                job -> !job.getSpec().getSuspend() && value.equals(selector(job).get(label)));
  }

  private static boolean waits(String jobSet) {
    return children(jobSet).size() == 2
        && children(jobSet).stream().allMatch(job -> job.getSpec().getSuspend());
  }

  private static Map<String, String> selector(Job job) {
    Map<String, String> selector = job.getSpec().getTemplate().getSpec().getNodeSelector();
    return selector == null ? Map.of() : selector;
  }

  private static JsonNode pods(String jobSet) {
    return jobSet(jobSet).at("/spec/replicatedJobs/0/template/spec/template");
  }

  /** Writes the pods of child Jobs as the Job controller would: those that run have one. */
  private static void countPods(String jobSet) {
    for (Job child : children(jobSet)) {
      Job unused = client.resource(child).editStatus(job -> {
        int pods = job.getSpec().getSuspend() ? 0 : 1;
        if (pods == 1) {
          job.getStatus().setStartTime("2026-01-01T00:00:00Z");
        }
        job.getStatus().setActive(pods);
        job.getStatus().setReady(pods);
        return job;
      });
    }
  }

  @Test
  void aPreemptedJobSetStartsAgainOnOtherNodes() throws Exception {
    try (RunningController running = server.startController(QUEUES)) {
      create("low", true, "");
      Await.until("low runs", () -> runs("low", "pool", "spot"));
      assertThat(children("low"))
          .extracting(job -> job.getSpec()
              .getTemplate()
              .getMetadata()
              .getLabels()
              .get("jobset.sigs.k8s.io/job-index"))
          .containsExactlyInAnyOrder("0", "1");
      countPods("low");
      Await.until(
          "low says so",
          () -> jobSet("low").at("/status/replicatedJobsStatus/0/active").asInt() == 2
              && !WorkloadScene.isTrue(jobSet("low"), "Suspended"));

      create("high", true, "high");
      Await.until("low stops", () -> waits("low"));
      Await.until("low says so", () -> WorkloadScene.isTrue(jobSet("low"), "Suspended"));
      assertThat(waits("high")).as("the pods of low have not ended").isTrue();

      countPods("low");
      Await.until("high runs", () -> runs("high", "pool", "spot"));
      Await.until("low runs again", () -> runs("low", "zone", "z"));
      assertThat(Json.text(pods("low").at("/spec/nodeSelector"))).isEqualTo("{\"zone\":\"z\"}");
      assertThat(children("low")).allSatisfy(job -> {
        assertThat(job.getStatus().getStartTime()).isNull();
        assertThat(job.getSpec().getTemplate().getSpec().getTolerations())
            .extracting(Toleration::getKey)
            .containsExactly("zonal");
      });
    }
  }

  @Test
  void theQuotaOfAJobSetThatHasCompletedIsFree() throws Exception {
    try (RunningController running = server.startController(QUEUES)) {
      create("first", true, "");
      Await.until("the first runs", () -> runs("first", "pool", "spot"));
      create("second", true, "");
      Await.until("the second runs", () -> runs("second", "zone", "z"));
      create("third", true, "");
      Await.until("the third waits", () -> running.state("third") == JobState.PENDING);
      Await.until("its Jobs wait", () -> waits("third"));
      assertThat(children("third")).allSatisfy(job -> assertThat(selector(job)).isEmpty());

      for (Job job : children("first")) {
        Job unused = client.resource(Statuses.completed(job, Instant.now())).updateStatus();
      }
      Await.until("the third runs", () -> runs("third", "pool", "spot"));
      assertThat(WorkloadScene.isTrue(jobSet("first"), "Completed")).isTrue();
      assertThat(running.state("first")).isEqualTo(JobState.FINISHED);
    }
  }

  @Test
  void aJobSetThatIsCreatedRunningRunsAsAdmitted() throws Exception {
    create("eager", false, "");
    Await.until("its Jobs run at once", () -> children("eager").size() == 2 && !waits("eager"));
    countPods("eager");
    try (RunningController running = server.startController(QUEUES)) {
      Await.until("it is suspended", () -> waits("eager"));
      countPods("eager");
      Await.until("it runs as admitted", () -> runs("eager", "pool", "spot"));
    }
  }
}
