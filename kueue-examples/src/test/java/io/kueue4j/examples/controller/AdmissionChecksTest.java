package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs in a queue with admission checks. Their controllers write the states into the status of
 * Workloads; what a tenant writes to a job means nothing.
 */
class AdmissionChecksTest {
  private static Scene scene(Scene scene) {
    for (String check : List.of("budget", "nodes")) {
      GenericKubernetesResource created =
          Serialization.unmarshal("""
          apiVersion: kueue.x-k8s.io/v1beta1
          kind: AdmissionCheck
          metadata: {name: %s}
          spec: {controllerName: example.com/checks}
          """.formatted(check), GenericKubernetesResource.class);
      scene.cluster.create(StrictCluster.USER, created);
      scene.cluster.edit(
          "checks",
          ApiWrite.Verb.REPLACE_STATUS,
          new ObjectKey("kueue.x-k8s.io", "AdmissionCheck", "", check),
          tree -> tree.set("status", Trees.parse("""
              {"conditions": [{"type": "Active", "status": "True", "reason": "Ok", "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z"}]}""")));
    }
    scene.editQueue("admissionChecks", List.of("budget", "nodes"));
    scene.createJob("job", 4);
    scene.settle();
    return scene;
  }

  private static ObjectKey key(Scene scene) {
    return Scene.key(
        "Workload", "default", scene.workload("job").orElseThrow().getMetadata().getName());
  }

  /** The controller of a check writes its state, in place of the one before. */
  private static void write(Scene scene, String name, String state, String more) {
    scene.cluster.edit("checks", ApiWrite.Verb.REPLACE_STATUS, key(scene), tree -> {
      for (JsonNode check : tree.at("/status/admissionChecks")) {
        if (check.path("name").asText().equals(name)) {
          ObjectNode written = (ObjectNode) check;
          written.setAll(Trees.parse("{\"message\": \"\"" + more + "}"));
          written.put("state", state);
          written.put("lastTransitionTime", scene.clock.instant().toString());
        }
      }
    });
  }

  private static void say(Scene scene, String name, String state, String more) {
    write(scene, name, state, more);
    scene.settle();
  }

  private static void say(Scene scene, String name, String state) {
    say(scene, name, state, "");
  }

  private static JsonNode checks(Scene scene) {
    return Json.tree(scene.workload("job").orElseThrow()).at("/status/admissionChecks");
  }

  private static String state(Scene scene, String name) {
    for (JsonNode check : checks(scene)) {
      if (check.path("name").asText().equals(name)) {
        return check.path("state").asText();
      }
    }
    return "";
  }

  @Test
  void aJobHoldsItsQuotaUntilAllChecksAreReady() {
    Scene scene = scene(Scene.create());
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    assertThat(scene.job("job").getSpec().getSuspend()).isTrue();
    assertThat(scene.view("job").messages())
        .containsExactly("holds quota, waits for admission checks: budget, nodes");
    assertThat(state(scene, "budget")).isEqualTo("Pending");
    scene.createJob("next", 1);
    scene.settle();
    assertThat(scene.state("next")).isEqualTo(JobState.PENDING);
    say(scene, "budget", "Ready");
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    say(scene, "nodes", "Pending", ", \"message\": \"ordered\"");
    assertThat(scene.view("job").messages())
        .containsExactly("holds quota, waits for admission checks: nodes (ordered)");
    say(scene, "nodes", "Ready");
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.job("job").getSpec().getTemplate().getSpec().getNodeSelector())
        .containsEntry("pool", "spot");
  }

  @Test
  void thePodsGetWhatACheckThatIsReadySaysLast() {
    Scene scene = scene(Scene.create());
    for (String node : List.of("n1", "n2")) {
      say(
          scene,
          "nodes",
          "Ready",
          ", \"podSetUpdates\": [{\"name\": \"main\", \"annotations\": {\"nodes\": \"" + node
              + "\"}}]");
    }
    say(scene, "budget", "Ready");
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.job("job").getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("nodes", "n2");
  }

  @Test
  void aCheckThatIsToBeTriedAgainGivesTheQuotaBackForAWhile() {
    Scene scene = scene(Scene.create());
    say(scene, "budget", "Ready");
    say(scene, "nodes", "Retry", ", \"requeueAfterSeconds\": 60");
    assertThat(scene.state("job")).isEqualTo(JobState.PENDING);
    assertThat(state(scene, "nodes")).isEqualTo("Pending");
    scene.clock.advance(Duration.ofSeconds(61));
    scene.settle();
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    say(scene, "budget", "Ready");
    say(scene, "nodes", "Ready");
    assertThat(scene.runs("job")).isTrue();
  }

  /** The record would let it start later, beside the jobs that got its quota. */
  @Test
  void aRecordedJobThatCannotBeWrittenKeepsItsQuota() {
    Scene scene = scene(Scene.create());
    say(scene, "nodes", "Retry", ", \"requeueAfterSeconds\": 60");
    scene.createJob("next", 4);
    scene.clock.advance(Duration.ofSeconds(61));
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        if (object instanceof Job) {
          throw new WriteException(WriteException.Reason.REFUSED, "a webhook said no");
        }
        return super.replace(object);
      }
    });
    scene.settle();
    assertThat(scene.cluster.trees("Workload"))
        .filteredOn(workload -> workload.at("/status").has("admission"))
        .hasSize(1);
  }

  /** The former record stays until the job is stopped. */
  @Test
  void aRecordedJobWhoseNextRecordIsRefusedKeepsItsQuota() {
    Scene scene = scene(Scene.create());
    scene.createJob("next", 4);
    say(scene, "budget", "Ready", "");
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        if (object.getMetadata().getName().startsWith("job-job-")) {
          throw new WriteException(WriteException.Reason.REFUSED, "a webhook said no");
        }
        return super.replaceStatus(object);
      }
    });
    say(scene, "nodes", "Ready", "");
    for (int seconds = 0; seconds < 30; seconds++) {
      scene.clock.advance(Duration.ofSeconds(1));
      scene.settle();
      assertThat(scene.cluster.trees("Workload"))
          .filteredOn(workload -> workload.at("/status").has("admission"))
          .hasSize(1);
    }
    scene.restart();
    scene.clock.advance(Duration.ofSeconds(10));
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aCheckThatIsRejectedDeactivatesTheWorkload() {
    Scene scene = scene(Scene.create());
    say(scene, "budget", "Rejected");
    assertThat(scene.runs("job")).isFalse();
    assertThat(Json.tree(scene.workload("job").orElseThrow()).at("/spec/active").asBoolean(true))
        .isFalse();
    scene.createJob("next", 4);
    scene.settle();
    assertThat(scene.state("next")).isEqualTo(JobState.RESERVED);
  }

  @Test
  void aJobThatRunsIsStoppedByItsCheck() {
    Scene scene = scene(Scene.create());
    say(scene, "budget", "Ready");
    say(scene, "nodes", "Ready");
    assertThat(scene.runs("job")).isTrue();
    say(scene, "budget", "Retry", ", \"requeueAfterSeconds\": 60");
    assertThat(scene.runs("job")).isFalse();
    assertThat(scene.pods()).isEmpty();
  }

  /** Otherwise its pods would lack the node selectors of the admission. */
  @Test
  void aJobStartedBeforeItsChecksHavePassedStartsOver() {
    Scene scene = scene(Scene.create());
    scene.edit("job", job -> job.getSpec().setSuspend(false));
    scene.runPods();
    write(scene, "budget", "Ready", "");
    write(scene, "nodes", "Ready", "");
    scene.restart();
    scene.settle();
    for (String check : List.of("budget", "nodes")) {
      say(scene, check, "Ready");
    }

    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.pods())
        .isNotEmpty()
        .allSatisfy(
            pod -> assertThat(pod.getSpec().getNodeSelector()).containsEntry("pool", "spot"));
  }

  /**
   * Its pods would lack the updates of the checks, whatever node selectors its owner gives them.
   */
  @Test
  void aJobStartedBeforeItsChecksHavePassedGetsTheirUpdates() {
    Scene scene = scene(Scene.create());
    String update =
        ", \"podSetUpdates\": [{\"name\": \"main\", \"annotations\": {\"nodes\": \"n1\"}}]";
    scene.edit("job", job -> {
      job.getSpec().setSuspend(false);
      job.getSpec().getTemplate().getSpec().setNodeSelector(Map.of("pool", "spot"));
    });
    scene.runPods();
    write(scene, "budget", "Ready", "");
    write(scene, "nodes", "Ready", update);
    scene.restart();
    scene.settle();
    say(scene, "budget", "Ready");
    say(scene, "nodes", "Ready", update);

    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.job("job").getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("nodes", "n1");
  }

  @Test
  void aJobThatIsEnlargedWhileItWaitsForChecksIsQueuedAgain() {
    Scene scene = scene(Scene.create());
    scene.edit("job", job -> job.getSpec().setParallelism(2));
    write(scene, "budget", "Ready", "");
    say(scene, "nodes", "Ready");

    assertThat(scene.events("job")).doesNotContain("Started");
    assertThat(scene.state("job")).isEqualTo(JobState.PENDING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCheckThatFailsWhileNoControllerRunsGivesTheQuotaBack(boolean runs) {
    Scene scene = scene(Scene.create());
    say(scene, "budget", "Ready");
    if (runs) {
      say(scene, "nodes", "Ready");
    }
    write(scene, "budget", "Retry", ", \"requeueAfterSeconds\": 60");
    scene.restart();
    scene.settle();
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.state("job")).isEqualTo(JobState.PENDING);
    scene.clock.advance(Duration.ofSeconds(61));
    scene.settle();
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
  }

  @Test
  void anotherControllerKnowsWhatWasSaid() {
    Scene scene = scene(Scene.create());
    say(scene, "budget", "Ready");
    scene.restart();
    scene.settle();
    assertThat(scene.view("job").messages())
        .containsExactly("holds quota, waits for admission checks: nodes");
    say(scene, "nodes", "Ready");
    assertThat(scene.runs("job")).isTrue();
  }

  // ----- what checks add to pods

  private static final String UPDATES = """
      , "podSetUpdates": [
        {"name": "main", "labels": {"grant": "7"}, "annotations": {"consume": "request-1"},
         "nodeSelector": {"nodepool": "pool-7"}, "tolerations": [{"key": "pool-7", "operator": "Exists"}]},
        {"name": "other", "nodeSelector": {"nodepool": "pool-8"}}]""";

  private static void assertUpdated(PodTemplateSpec pods) {
    assertThat(pods.getMetadata().getLabels()).containsEntry("grant", "7");
    assertThat(pods.getMetadata().getAnnotations()).containsEntry("consume", "request-1");
    assertThat(pods.getSpec().getNodeSelector())
        .containsEntry("nodepool", "pool-7")
        .containsEntry("zone", "a")
        .containsEntry("pool", "spot");
    assertThat(pods.getSpec().getTolerations()).extracting(Toleration::getKey).contains("pool-7");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thePodsGetWhatTheChecksAddUntilTheJobStops(boolean isAway) {
    Scene scene = scene(Scene.create());
    Job given = scene.job("job");
    say(scene, "budget", "Ready");
    write(scene, "nodes", "Ready", UPDATES);
    if (isAway) {
      scene.restart();
    }
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
    assertUpdated(scene.job("job").getSpec().getTemplate());
    scene.restart();
    scene.settle();
    assertThat(scene.runs("job")).isTrue();

    say(scene, "budget", "Retry", ", \"requeueAfterSeconds\": 60");
    assertThat(scene.runs("job")).isFalse();
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("job"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
    assertThat(state(scene, "nodes")).isEqualTo("Pending");
    // The next run has what the checks add then.
    scene.clock.advance(Duration.ofSeconds(61));
    scene.settle();
    say(scene, "budget", "Ready");
    say(scene, "nodes", "Ready");
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.job("job").getSpec().getTemplate().getSpec().getNodeSelector())
        .doesNotContainKey("nodepool");
  }

  @Test
  void aJobThatContradictsWhatACheckAddsIsGivenUp() {
    Scene scene = scene(Scene.create());
    Job given = scene.job("job");
    say(scene, "budget", "Ready");
    say(
        scene,
        "nodes",
        "Ready",
        ", \"podSetUpdates\": [{\"name\": \"main\", \"nodeSelector\": {\"zone\": \"b\"}}]");
    assertThat(scene.state("job")).isEqualTo(JobState.REFUSED);
    assertThat(scene.view("job").messages()).singleElement().asString().contains("zone");
    assertThat(scene.events("job")).containsOnlyOnce("FailedToStart");
    assertThat(scene.usedMillis()).isZero();
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("job"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));

    scene.edit("job", job -> job.getSpec().getTemplate().getSpec().setNodeSelector(Map.of()));
    scene.settle();
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
  }

  private static PodScene pods() {
    PodScene pods = new PodScene(scene(Scene.create()));
    pods.scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "job"));
    pods.scene.settle();
    pods.createMember("group", "one", 1, 2);
    pods.createMember("group", "two", 1, 2);
    return pods;
  }

  /** Both checks pass, and one selects nodes. */
  private static void passGroup(PodScene pods, String label, String value) {
    pods.scene.cluster.edit(
        "checks", ApiWrite.Verb.REPLACE_STATUS, Scene.key("Workload", "default", "group"), tree -> {
          JsonNode podSet = tree.at("/spec/podSets/0/name");
          for (JsonNode check : tree.at("/status/admissionChecks")) {
            ((ObjectNode) check).put("state", "Ready");
          }
          ((ObjectNode) tree.at("/status/admissionChecks/0"))
              .putArray("podSetUpdates")
              .addObject()
              .put("name", podSet.asText())
              .putObject("nodeSelector")
              .put(label, value);
        });
    pods.scene.settle();
  }

  @Test
  void theWaitingPodsOfAGroupGetWhatTheChecksAdd() {
    PodScene pods = pods();
    assertThat(pods.isGated("one")).isTrue();
    passGroup(pods, "nodepool", "pool-7");
    for (String name : List.of("one", "two")) {
      assertThat(pods.isGated(name)).isFalse();
      assertThat(pods.pod(name).getSpec().getNodeSelector()).containsEntry("nodepool", "pool-7");
    }
  }

  @Test
  void podsThatContradictWhatACheckAddsAreGivenUp() {
    PodScene pods = pods();
    passGroup(pods, "zone", "b");
    assertThat(pods.isGated("one")).isTrue();
    assertThat(pods.scene.state("group")).isEqualTo(JobState.REFUSED);
    assertThat(pods.scene.usedMillis()).isZero();
  }

  @Test
  void whatATenantWritesToTheJobMeansNothing() {
    Scene scene = scene(Scene.create());
    scene.edit("job", job -> {
      Map<String, String> annotations = new HashMap<>();
      annotations.put(
          "kueue4j.io/admission-checks", "{\"budget\": \"Ready\", \"nodes\": \"Ready\"}");
      job.getMetadata().setAnnotations(annotations);
    });
    scene.settle();
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    assertThat(scene.job("job").getSpec().getSuspend()).isTrue();
  }
}
