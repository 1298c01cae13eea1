package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.logging.LogCapture;
import io.kueue4j.examples.logging.LogFormat;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobPodSet;
import io.kueue4j.k8s.job.JobSet;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tutorial 001 with nodes: three JobSets for 1, 2 and 3 of the three slices of 2x4 chips. */
class TpuSlicesControllerTest {
  private static final String TUTORIAL = "001-tpu-multislice-jobset";
  private static final String POOL = "cloud.google.com/gke-nodepool";
  private static final ObjectKey NODE = Scene.key("Node", "", "nodepool1-0");

  private static Scene scene(boolean givesSlices) throws IOException {
    Scene scene = new Scene(ControllerOptions.defaults().withTpuSlices(givesSlices));
    for (HasMetadata object :
        TutorialManifests.objects(TUTORIAL, "00-nodes.derived.yaml", "10-kueue.yaml")) {
      scene.cluster.create(StrictCluster.USER, object);
    }
    scene.settle();
    return scene;
  }

  private static void create(Scene scene, String name) throws IOException {
    create(scene, jobSet(name));
  }

  private static void create(Scene scene, JobSet jobSet) {
    scene.clock.advance(Duration.ofSeconds(1));
    scene.cluster.create(StrictCluster.USER, JobEditor.of(JobKinds.all()).suspend(jobSet));
    scene.settle();
  }

  private static JobSet jobSet(String name) throws IOException {
    return TutorialManifests.objects(TUTORIAL, "20-jobsets-autopilot.yaml").stream()
        .map(JobSet.class::cast)
        .filter(object -> object.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("jobset.x-k8s.io", "JobSet", "default", name);
  }

  private static PodTemplateSpec template(Scene scene, String name) {
    JobSet jobSet = scene.cluster.get(key(name), JobSet.class).orElseThrow();
    JobPodSet podSet = JobKinds.all().find(jobSet).orElseThrow().podSets(jobSet).get(0);
    return podSet.template();
  }

  /** {@return a new pod of a JobSet, as it may be scheduled} */
  private static PodSpec pod(Scene scene, String name) {
    PodTemplateSpec template = template(scene, name);
    ObjectKey key = Scene.key("Pod", "default", name + "-pod");
    scene.cluster.create(
        "jobset",
        new PodBuilder()
            .withMetadata(template.getMetadata())
            .editMetadata()
            .withNamespace("default")
            .withName(key.name())
            .endMetadata()
            .withSpec(template.getSpec())
            .build());
    scene.settle();
    PodSpec pod = scene.cluster.get(key, Pod.class).orElseThrow().getSpec();
    scene.cluster.delete("jobset", key);
    scene.settle();
    assertThat(pod.getSchedulingGates()).isNullOrEmpty();
    return pod;
  }

  /** {@return the node pools that the pods of a JobSet select} */
  private static ImmutableSet<String> pools(Scene scene, String name) {
    PodSpec pod = pod(scene, name);
    ImmutableSet.Builder<String> pools = ImmutableSet.builder();
    if (pod.getNodeSelector().containsKey(POOL)) {
      pools.add(pod.getNodeSelector().get(POOL));
    }
    if (pod.getAffinity() != null) {
      pod
          .getAffinity()
          .getNodeAffinity()
          .getRequiredDuringSchedulingIgnoredDuringExecution()
          .getNodeSelectorTerms()
          .stream()
          .flatMap(term -> term.getMatchExpressions().stream())
          .filter(requirement -> requirement.getKey().equals(POOL))
          .map(NodeSelectorRequirement::getValues)
          .forEach(pools::addAll);
    }
    return pools.build();
  }

  private static void setReady(Scene scene, ObjectKey node, boolean isReady) {
    scene.cluster.edit("kubelet", ApiWrite.Verb.REPLACE_STATUS, node, tree -> {
      for (JsonNode condition : tree.at("/status/conditions")) {
        ((ObjectNode) condition).put("status", isReady ? "True" : "False");
      }
    });
    scene.settle();
  }

  private static void finish(Scene scene, String name) {
    scene.cluster.edit(
        "jobset",
        ApiWrite.Verb.REPLACE_STATUS,
        key(name),
        tree -> tree.set("status", Trees.parse("""
            {"terminalState": "Completed", "restarts": 0,
             "conditions": [{"type": "Completed", "status": "True", "reason": "Done", "message": "",
              "lastTransitionTime": "2026-01-01T00:00:00Z"}]}""")));
    scene.settle();
  }

  @Test
  void jobsGetSlicesOfTheirOwnWhichAnotherControllerKnows() throws IOException {
    Scene scene = scene(true);
    create(scene, "multislice-1slice");
    create(scene, "multislice-2slice");
    create(scene, "multislice-3slice");
    ImmutableSet<String> one = pools(scene, "multislice-1slice");
    ImmutableSet<String> two = pools(scene, "multislice-2slice");
    assertThat(one).hasSize(1);
    assertThat(two).hasSize(2).doesNotContainAnyElementsOf(one);
    assertThat(scene.state("multislice-3slice")).isEqualTo(JobState.PENDING);

    long writes = scene.writes("multislice-1slice") + scene.writes("multislice-2slice");
    scene.restart();
    scene.settle();
    assertThat(scene.state("multislice-1slice")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.state("multislice-2slice")).isEqualTo(JobState.ADMITTED);
    assertThat(scene.writes("multislice-1slice") + scene.writes("multislice-2slice"))
        .isEqualTo(writes);

    finish(scene, "multislice-2slice");
    assertThat(scene.state("multislice-3slice")).isEqualTo(JobState.PENDING);
    finish(scene, "multislice-1slice");
    assertThat(pools(scene, "multislice-3slice"))
        .containsExactlyInAnyOrder("nodepool1", "nodepool2", "nodepool3");
  }

  @Test
  void theSliceOfAFailedNodeIsNotUsed() throws IOException {
    Scene scene = scene(true);
    create(scene, "multislice-1slice");
    assertThat(pools(scene, "multislice-1slice")).containsExactly("nodepool1");
    setReady(scene, NODE, false);
    assertThat(pools(scene, "multislice-1slice"))
        .containsAnyOf("nodepool2", "nodepool3")
        .hasSize(1);
    assertThat(scene.events("multislice-1slice")).contains("Started", "Stopped", "Started");
    create(scene, "multislice-2slice");
    assertThat(scene.state("multislice-2slice")).isEqualTo(JobState.PENDING);

    setReady(scene, NODE, true);
    assertThat(pools(scene, "multislice-2slice")).hasSize(2).contains("nodepool1");
  }

  @Test
  void aNodeThatFailsWhileNoControllerRunsStopsTheJob() throws IOException {
    Scene scene = scene(true);
    create(scene, "multislice-1slice");
    scene.cluster.delete(StrictCluster.USER, NODE);
    scene.restart();
    scene.settle();
    assertThat(scene.events("multislice-1slice")).contains("Started", "Stopped", "Started");
    assertThat(pools(scene, "multislice-1slice"))
        .containsAnyOf("nodepool2", "nodepool3")
        .hasSize(1);
  }

  @Test
  void jobsWithoutRecordedSlicesStartOverWhenSlicesAreGiven() throws IOException {
    Scene scene = scene(false);
    create(scene, "multislice-1slice");
    assertThat(pools(scene, "multislice-1slice")).isEmpty();
    scene.restart(ControllerOptions.defaults().withTpuSlices(true));
    scene.settle();
    assertThat(scene.events("multislice-1slice")).contains("Started", "Stopped", "Started");
    assertThat(pools(scene, "multislice-1slice")).hasSize(1);
  }

  @Test
  void aTenantCannotChangeTheSlicesOfAJob() throws IOException {
    Scene scene = scene(true);
    create(scene, "multislice-1slice");
    ObjectKey workload = scene.cluster.keys(key -> key.kind().equals("Workload")).stream()
        .findFirst()
        .orElseThrow();
    // The server ignores the status in a write of a user without the right to it.
    scene.cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, workload, tree -> {
      for (JsonNode condition : tree.at("/status/conditions")) {
        if (condition.path("type").asText().equals("kueue4j.io/TpuSlices")) {
          ObjectNode forged = (ObjectNode) condition;
          forged.put("message", condition.path("message").asText().replace("pool1", "pool2"));
        }
      }
      Trees.child(tree, "metadata", "annotations").put("kueue4j.io/TpuSlices", "{}");
    });
    scene.restart();
    scene.settle();
    create(scene, "multislice-2slice");
    assertThat(pools(scene, "multislice-2slice"))
        .containsExactlyInAnyOrder("nodepool2", "nodepool3");
    assertThat(scene.events("multislice-1slice")).containsOnlyOnce("Started");
  }

  @Test
  void aStoppedJobHasNoRecordedSlices() throws IOException {
    Scene scene = scene(true);
    create(scene, "multislice-1slice");
    ObjectKey workload =
        scene.cluster.keys(key -> key.kind().equals("Workload")).get(0);
    assertThat(String.valueOf(scene.cluster.tree(workload))).contains("kueue4j.io/TpuSlices");
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        workload,
        tree -> Trees.child(tree, "spec").put("active", false));
    scene.settle();
    assertThat(String.valueOf(scene.cluster.tree(workload))).doesNotContain("kueue4j.io/TpuSlices");
  }

  @Test
  void aPromiseOfSlicesInUseIsRestored() throws IOException {
    ControllerOptions options = ControllerOptions.defaults()
        .withTpuSlices(true)
        .withSettings(Settings.builder().backfill(Backfill.ofDepth(1)).build());
    Scene scene = scene(true);
    scene.restart(options);
    for (String name :
        new String[] {"multislice-1slice", "multislice-2slice", "multislice-3slice"}) {
      JobSet jobSet = jobSet(name);
      jobSet.getMetadata().setAnnotations(Map.of("kueue4j.io/expected-duration", "PT1H"));
      create(scene, jobSet);
    }
    List<Promise> before = scene.loop().engine().promises();
    assertThat(before).hasSize(1);
    try (LogCapture log = new LogCapture("io.kueue4j.examples.controller")) {
      scene.restart(options);
      scene.work();
      assertThat(log.lines(LogFormat.TEXT)).noneMatch(line -> line.contains("is not promised"));
    }
    assertThat(scene.loop().engine().promises()).isEqualTo(before);
  }
}
