package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.ControllerOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs whose queue is deleted, broken, stopped or drained, and comes back. */
final class QueueChangesControllerTest {
  private final Scene scene = Scene.create();

  private String inactivity() {
    return scene
        .view()
        .engine()
        .clusterQueue("research")
        .flatMap(queue -> queue.inactivity())
        .orElse("");
  }

  private void create(String kind, String name, String spec) {
    scene.cluster.create(
        StrictCluster.USER,
        Serialization.unmarshal(
            "apiVersion: kueue.x-k8s.io/v1beta2\nkind: " + kind + "\nmetadata: {name: " + name
                + "}\nspec: " + spec,
            GenericKubernetesResource.class));
  }

  @Test
  void aQueueThatIsDeletedLetsGoOnWhatRunsAndNothingElse() {
    scene.createJob("one", 2);
    scene.settle();
    scene.deleteClusterQueue();
    scene.createJob("two", 2);
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
    assertThat(scene.view().problems().toString())
        .contains("ClusterQueue research", "still needed");
    assertThat(inactivity())
        .isEqualTo("Terminating: ClusterQueue research was deleted; it goes when no workload holds"
            + " its quota");
    assertThat(scene.view().reasons(scene.view("two")).toString())
        .contains("was deleted")
        .doesNotContain("stop policy");

    scene.createClusterQueue();
    scene.settle();
    assertThat(scene.runs("two")).isTrue();
    assertThat(scene.view().problems()).isEmpty();
  }

  @Test
  void anUnusedQueueIsGone() {
    scene.createJob("one", 2);
    scene.settle();
    scene.deleteClusterQueue();
    scene.settle();
    scene.finish("one");
    scene.settle();
    scene.work();

    assertThat(scene.view().engine().clusterQueues()).isEmpty();
    assertThat(scene.view().problems())
        .containsOnlyKeys("LocalQueue default/queue")
        .containsValue(
            "admits nothing: ClusterQueueDoesNotExist: there is no ClusterQueue research");
  }

  @Test
  void whatRunsWithoutItsQueueIsCountedAgainWhenThatComesBack() {
    scene.createJob("one", 3);
    scene.settle();
    scene.deleteClusterQueue();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    scene.createJob("two", 3);
    scene.createClusterQueue();
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
    assertThat(scene.writes("one")).isEqualTo(1);
  }

  @Test
  void aBrokenQueueIsNotAppliedAndSaidSo() {
    scene.createJob("one", 2);
    scene.settle();
    scene.editQueue("resourceGroups", List.of(Map.of("coveredResources", "cpu")));
    scene.createJob("two", 2);
    scene.settle();

    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
    assertThat(scene.view().problems()).containsOnlyKeys("ClusterQueue research");
    assertThat(inactivity()).startsWith("InvalidConfiguration: ClusterQueue research");

    // The next controller does not know the last valid version.
    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
  }

  @Test
  void aDrainedQueueStopsWhatRunsUntilItIsOpenedAgain() {
    scene.createJob("one", 2);
    scene.settle();
    scene.editQueue("stopPolicy", "HoldAndDrain");
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(scene.pods()).isEmpty();

    scene.restart();
    scene.settle();
    assertThat(scene.runs("one")).isFalse();

    scene.editQueue("stopPolicy", "None");
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
  }

  @Test
  void whatAQueueStopsIsStoppedWhateverElseIsReportedMeanwhile() {
    Scene scene = new Scene(ControllerOptions.defaults()
        .withSettings(Settings.builder().podsReady(PodsReadyPolicy.defaults()).build()));
    String queue = """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
         "metadata": {"name": "other", "namespace": "default"},
         "spec": {"clusterQueue": "research"}}
        """;
    scene.cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(queue)));
    scene.createJob("one", 2);
    scene.createJob("two", 2, Scene.withLabel("kueue.x-k8s.io/queue-name", "other"));
    scene.settle();
    assertThat(scene.runs("two")).isTrue();
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        new ObjectKey("kueue.x-k8s.io", "LocalQueue", "default", "other"),
        tree -> Trees.child(tree, "spec").put("stopPolicy", "HoldAndDrain"));
    // An event of one job makes the controller call the engine, whose decisions concern all jobs.
    scene.edit("one", job -> job.getMetadata().getLabels().put("a", "b"));
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
  }

  @Test
  void aCycleOfCohortsStopsAdmissionUntilItIsRemoved() {
    scene.editQueue("cohort", "team");
    create("Cohort", "team", "{parentName: dept}");
    scene.settle();
    scene.createJob("one", 2);
    scene.settle();
    assertThat(scene.runs("one")).isTrue();

    create("Cohort", "dept", "{parentName: team}");
    scene.createJob("two", 2);
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    assertThat(scene.runs("two")).isFalse();
    assertThat(inactivity())
        .isEqualTo("CohortCycle: ClusterQueue research is in a cycle of cohorts: team -> dept ->"
            + " team; remove one parent");
    assertThat(scene.view().problems()).containsKeys("ClusterQueue research", "Cohort dept");

    scene.restart();
    scene.settle();
    assertThat(scene.runs("two")).isFalse();

    // The cohort that was refused is applied when the other one changes.
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        new ObjectKey("kueue.x-k8s.io", "Cohort", "", "team"),
        tree -> Trees.child(tree, "spec").remove("parentName"));
    scene.settle();
    assertThat(scene.runs("two")).isTrue();
    assertThat(scene.view().problems()).isEmpty();
  }

  @Test
  void aQueueWhoseCohortIsInvalidAdmitsNothing() {
    scene.editQueue("cohort", "team");
    create("Cohort", "team", "{resourceGroups: 7}");
    scene.createJob("one", 2);
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(inactivity())
        .startsWith("InvalidConfiguration: ClusterQueue research depends on Cohort team, which"
            + " cannot be applied: ");
  }

  @Test
  void aQueueOfAFlavorThatIsDeletedAdmitsNothing() {
    scene.cluster.delete(
        StrictCluster.USER, new ObjectKey("kueue.x-k8s.io", "ResourceFlavor", "", "spot"));
    scene.createJob("one", 2);
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(inactivity()).startsWith("FlavorNotFound: ");
    assertThat(scene.view().problems())
        .containsKeys("ClusterQueue research", "ResourceFlavor spot");

    scene.restart();
    scene.settle();
    assertThat(inactivity()).startsWith("FlavorNotFound: ");
    assertThat(scene.view().problems()).containsOnlyKeys("ClusterQueue research");
  }

  @Test
  void aQueueOfAFlavorWhoseTopologyIsInvalidAdmitsNothing() {
    create("Topology", "hosts", "{levels: [{nodeLabel: kubernetes.io/hostname}]}");
    create("ResourceFlavor", "placed", "{nodeLabels: {pool: placed}, topologyName: hosts}");
    scene.setQuota("placed", 4);
    scene.settle();
    assertThat(scene.view().problems()).isEmpty();
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        new ObjectKey("kueue.x-k8s.io", "Topology", "", "hosts"),
        tree -> Trees.child(tree, "spec").put("levels", 7));
    scene.settle();
    assertThat(inactivity())
        .startsWith("InvalidConfiguration: ClusterQueue research depends on Topology hosts, which"
            + " cannot be applied: ");
  }

  @Test
  void aQueueThatIsBeingDeletedAdmitsNothing() {
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        new ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "research"),
        tree -> Trees.child(tree, "metadata").putArray("finalizers").add("example.com/hold"));
    scene.deleteClusterQueue();
    scene.createJob("one", 2);
    scene.settle();
    assertThat(scene.runs("one")).isFalse();
    assertThat(inactivity()).startsWith("Terminating: ");
  }

  @Test
  void jobsOfALocalQueueThatGoesOnAreAdmittedAgain() {
    scene.createJob("one", 4);
    scene.createJob("two", 4);
    scene.settle();
    assertThat(scene.runs("one")).isTrue();
    for (int times = 0; times < 3; times++) {
      setStopPolicy("HoldAndDrain");
      assertThat(scene.runs("one")).isFalse();
      setStopPolicy("None");
      assertThat(scene.runs("one")).isTrue();
    }
  }

  private void setStopPolicy(String policy) {
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        Scene.key("LocalQueue", "default", "queue"),
        tree -> Trees.child(tree, "spec").put("stopPolicy", policy));
    scene.settle();
  }
}
