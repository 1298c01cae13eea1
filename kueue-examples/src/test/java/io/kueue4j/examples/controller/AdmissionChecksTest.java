package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs in a queue with admission checks: their states are written to the job. */
class AdmissionChecksTest {
  private final Scene scene = Scene.create();

  @BeforeEach
  void createChecks() {
    for (String check : List.of("budget", "nodes")) {
      GenericKubernetesResource created =
          Serialization.unmarshal("""
          apiVersion: kueue.x-k8s.io/v1beta1
          kind: AdmissionCheck
          metadata: {name: %s}
          spec: {controllerName: example.com/checks}
          status: {conditions: [{type: Active, status: "True", reason: Ok, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}
          """.formatted(check), GenericKubernetesResource.class);
      scene.cluster.create(StrictCluster.USER, created);
      GenericKubernetesResource stored = scene
          .cluster
          .get(
              new io.kueue4j.examples.controller.cluster.ObjectKey(
                  "kueue.x-k8s.io", "AdmissionCheck", "", check),
              GenericKubernetesResource.class)
          .orElseThrow();
      stored.setAdditionalProperty("status", created.getAdditionalProperties().get("status"));
      scene.cluster.replaceStatus(StrictCluster.USER, stored);
    }
    scene.editQueue("admissionChecks", List.of("budget", "nodes"));
    scene.createJob("job", 4);
    scene.settle();
  }

  private void say(String states) {
    scene.edit("job", job -> {
      Map<String, String> annotations = new LinkedHashMap<>(job.getMetadata().getAnnotations());
      annotations.put(JobAnnotations.CHECKS, states);
      job.getMetadata().setAnnotations(annotations);
    });
    scene.settle();
  }

  @Test
  void aJobHoldsItsQuotaUntilAllChecksAreReady() {
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    assertThat(scene.job("job").getSpec().getSuspend()).isTrue();
    assertThat(scene.view("job").messages())
        .containsExactly("holds quota, waits for admission checks: budget, nodes");
    scene.createJob("next", 1);
    scene.settle();
    assertThat(scene.state("next")).isEqualTo(JobState.PENDING);
    say("{\"budget\": \"Ready\"}");
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    say("{\"budget\": \"Ready\", \"nodes\": {\"state\": \"Pending\", \"message\": \"ordered\"}}");
    assertThat(scene.view("job").messages())
        .containsExactly("holds quota, waits for admission checks: nodes (ordered)");
    say("{\"budget\": \"Ready\", \"nodes\": \"Ready\"}");
    assertThat(scene.runs("job")).isTrue();
    assertThat(scene.job("job").getSpec().getTemplate().getSpec().getNodeSelector())
        .containsEntry("pool", "spot");
  }

  @Test
  void aCheckThatIsToBeTriedAgainGivesTheQuotaBackForAWhile() {
    say("{\"budget\": \"Ready\", \"nodes\": {\"state\": \"Retry\", \"requeueAfterSeconds\": 60}}");
    assertThat(scene.state("job")).isEqualTo(JobState.PENDING);
    assertThat(scene.job("job").getMetadata().getAnnotations())
        .doesNotContainKeys(JobAnnotations.CHECKS, JobAnnotations.ADMISSION);
    scene.clock.advance(Duration.ofSeconds(61));
    scene.settle();
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    say("{\"budget\": \"Ready\", \"nodes\": \"Ready\"}");
    assertThat(scene.runs("job")).isTrue();
  }

  @Test
  void aCheckThatIsRejectedGivesTheJobUp() {
    say("{\"budget\": \"Rejected\"}");
    assertThat(scene.runs("job")).isFalse();
    assertThat(scene.job("job").getMetadata().getAnnotations())
        .containsEntry(JobAnnotations.ACTIVE, "false");
    scene.createJob("next", 4);
    scene.settle();
    assertThat(scene.state("next")).isEqualTo(JobState.RESERVED);
  }

  @Test
  void aJobThatRunsIsStoppedByItsCheck() {
    say("{\"budget\": \"Ready\", \"nodes\": \"Ready\"}");
    assertThat(scene.runs("job")).isTrue();
    say("{\"budget\": {\"state\": \"Retry\", \"requeueAfterSeconds\": 60}, \"nodes\": \"Ready\"}");
    assertThat(scene.runs("job")).isFalse();
    assertThat(scene.pods()).isEmpty();
    assertThat(scene.job("job").getMetadata().getAnnotations())
        .doesNotContainKey(JobAnnotations.CHECKS);
  }

  @Test
  void anotherControllerKnowsWhatWasSaid() {
    say("{\"budget\": \"Ready\"}");
    scene.restart();
    scene.settle();
    assertThat(scene.view("job").messages())
        .containsExactly("holds quota, waits for admission checks: nodes");
    say("{\"budget\": \"Ready\", \"nodes\": \"Ready\"}");
    assertThat(scene.runs("job")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
          {"budget": "ready"}                                   | budget is "ready"; expected one of
          {"budget": {"message": "m"}}                          | state is
          {"budget": {"state": "Ready", "podSetUpdates": []}}   | budget has [podSetUpdates]
          Ready                                                 | no JSON
          """)
  void whatCannotBeReadIsSaidAndChangesNothing(String states, String problem) {
    say(states);
    assertThat(scene.state("job")).isEqualTo(JobState.RESERVED);
    assertThat(scene.events("job")).contains("UnreadableChecks");
    assertThat(scene.connection().events())
        .anySatisfy(event -> assertThat(event.getMessage()).contains(problem));
    say("{\"budget\": \"Ready\", \"nodes\": \"Ready\"}");
    assertThat(scene.runs("job")).isTrue();
  }

  @Test
  void statesOfChecksThatAreNotAskedMeanNothing() {
    say("{\"budget\": \"Ready\", \"nodes\": \"Ready\", \"other\": \"Rejected\"}");
    assertThat(scene.runs("job")).isTrue();
  }
}
