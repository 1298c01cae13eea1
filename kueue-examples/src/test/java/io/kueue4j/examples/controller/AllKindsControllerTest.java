package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.job.JobKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same controller handles jobs of every kind that is suspended and started. */
class AllKindsControllerTest {
  private static final String RUNTIME = """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: ClusterTrainingRuntime
      metadata: {name: torch}
      spec:
        template:
          spec:
            replicatedJobs:
            - name: node
              template:
                metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                spec: {template: {spec: {containers: [{name: node, resources: {requests: {cpu: 1}}}]}}}
      """;

  static List<String> jobs() throws IOException {
    String all =
        Resources.toString(Resources.getResource("controller/kinds.yaml"), StandardCharsets.UTF_8);
    return List.of(all.split("(?m)^---$"));
  }

  private static HasMetadata object(String yaml) {
    JsonNode tree = Json.tree(Serialization.unmarshal(yaml, java.util.Map.class));
    return Trees.toObject(Trees.parse(tree.toString()));
  }

  private static JsonNode spec(Scene scene, ObjectKey key) {
    return Optional.ofNullable(scene.cluster.tree(key)).orElseThrow().path("spec");
  }

  private static <J extends HasMetadata> boolean isSuspended(J job) {
    return JobKinds.all().find(job).orElseThrow().isSuspended(job);
  }

  /** {@return all node selectors anywhere in a job} */
  private static List<String> pools(JsonNode spec) {
    List<String> pools = new ArrayList<>();
    spec.findValues("nodeSelector")
        .forEach(selector -> pools.add(selector.path("pool").asText()));
    return pools;
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void aJobIsStartedStoppedAndThenWhatItWas(String yaml) {
    // Spark requests memory, which the queue does not cover.
    Scene scene = new Scene(ControllerOptions.defaults()
        .withSettings(Settings.builder()
            .quotaCheckStrategy(QuotaCheckStrategy.IGNORE_UNDECLARED)
            .build()));
    scene.cluster.create(StrictCluster.USER, object(RUNTIME));
    HasMetadata created = scene.cluster.create(StrictCluster.USER, object(yaml));
    ObjectKey key = ObjectKey.of(created);
    JsonNode before = spec(scene, key).deepCopy();
    scene.settle();
    HasMetadata started = scene.cluster.get(key).orElseThrow();
    assertThat(isSuspended(started)).isFalse();
    assertThat(scene.isRecorded(started)).isTrue();
    assertThat(pools(spec(scene, key))).contains("spot");
    assertThat(scene.writes(key.name())).isEqualTo(1);
    assertThat(scene.state(key.name())).isEqualTo(JobState.ADMITTED);

    scene.restart();
    scene.settle();
    assertThat(scene.state(key.name())).isEqualTo(JobState.ADMITTED);
    assertThat(scene.writes(key.name())).isEqualTo(1);

    scene.createJob("high", 4, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    scene.settle();
    HasMetadata stopped = scene.cluster.get(key).orElseThrow();
    assertThat(scene.runs("high")).isTrue();
    assertThat(isSuspended(stopped)).isTrue();
    assertThat(scene.isRecorded(stopped)).isFalse();
    assertThat(spec(scene, key)).isEqualTo(before);
    assertThat(ImmutableList.copyOf(pools(spec(scene, key)))).doesNotContain("spot");
  }
}
