package io.kueue4j.examples.controller;

import static io.kueue4j.examples.controller.PodScene.annotations;
import static io.kueue4j.examples.controller.PodScene.labels;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.JobState;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Objects that cannot be suspended: their templates have the gate, and their pods are admitted. */
class ServingControllerTest {
  private static final String TEMPLATE =
      "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";

  private static final String GATED =
      TEMPLATE.replace("{spec: {", "{spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}], ");

  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  private ObjectNode tree(String group, String kind, String name) {
    return Objects.requireNonNull(scene.cluster.tree(new ObjectKey(group, kind, "default", name)));
  }

  private static boolean isGated(JsonNode template) {
    return template.at("/spec/schedulingGates").findValuesAsText("name").stream()
        .anyMatch(name -> name.equals("kueue.x-k8s.io/admission"));
  }

  @Test
  void thePodsOfADeploymentAreAdmittedOneByOne() {
    pods.createServing("apps/v1", "Deployment", "web", "{replicas: 6, template: " + TEMPLATE + "}");
    ObjectNode deployment = tree("apps", "Deployment", "web");
    assertThat(isGated(deployment.at("/spec/template"))).isTrue();
    assertThat(scene.view("web").messages()).containsExactly("its pods are admitted, and not it");
    for (int i = 0; i < 6; i++) {
      pods.createPod("web-" + i, 1, pod -> {
        annotations(pod).setAll((ObjectNode) deployment.at("/spec/template/metadata/annotations"));
        labels(pod).setAll((ObjectNode) deployment.at("/spec/template/metadata/labels"));
      });
    }
    assertThat(pods.names().stream().filter(pods::runs)).hasSize(4);
    pods.delete("web-0");
    assertThat(pods.runs("web-4")).isTrue();
    assertThat(pods.runs("web-5")).isFalse();
    assertThat(scene.writes("web")).isEqualTo(1);
  }

  @Test
  void aDeploymentThatHasTheGateGetsTheLabelsOfItsQueue() {
    pods.createServing("apps/v1", "Deployment", "web", "{replicas: 1, template: " + GATED + "}");
    ObjectNode deployment = tree("apps", "Deployment", "web");
    assertThat(isGated(deployment.at("/spec/template"))).isTrue();
    assertThat(deployment
            .at("/spec/template/metadata/labels")
            .path("kueue.x-k8s.io/queue-name")
            .asText())
        .isEqualTo("queue");
    pods.createPod("web-0", 1, pod -> {
      PodScene.madeBy(deployment, deployment.at("/spec/template"), made -> {}).accept(pod);
      // A ReplicaSet stands between both.
      ((ObjectNode) pod.get("metadata")).remove("ownerReferences");
    });
    assertThat(pods.runs("web-0")).isTrue();
    assertThat(scene.writes("web")).isEqualTo(1);
    assertThat(scene.events("web")).isEmpty();
  }

  @Test
  void theFirstPodOfAStatefulSetThatHasTheGateIsReplaced() {
    pods.createServing("apps/v1", "StatefulSet", "db", "{replicas: 2, template: " + GATED + "}");
    ObjectNode maker = tree("apps", "StatefulSet", "db");
    pods.createPod("db-0", 1, pod -> {
      PodScene.madeBy(maker, maker.at("/spec/template"), made -> {}).accept(pod);
      // Its controller has made it before the template was edited.
      ((ObjectNode) pod.get("metadata")).remove("labels");
      ((ObjectNode) pod.get("metadata")).remove("annotations");
    });
    assertThat(pods.names()).isEmpty();
    assertThat(scene.events("db")).containsExactly("PodReplaced");
    createReplica("db", 0);
    createReplica("db", 1);
    assertThat(pods.runs("db-0")).isTrue();
    assertThat(pods.runs("db-1")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(2000);
  }

  private void createReplica(String set, int index) {
    ObjectNode maker = tree("apps", "StatefulSet", set);
    pods.createPod(
        set + "-" + index, 1, PodScene.madeBy(maker, maker.at("/spec/template"), pod -> {}));
  }

  @Test
  void aStatefulSetIsAdmittedAsAWholeWithItsFirstPod() {
    pods.createServing("apps/v1", "StatefulSet", "db", "{replicas: 3, template: " + TEMPLATE + "}");
    assertThat(isGated(tree("apps", "StatefulSet", "db").at("/spec/template"))).isTrue();
    createReplica("db", 0);
    assertThat(pods.runs("db-0")).isTrue();
    scene.createJob("next", 2);
    scene.settle();
    // All three use the whole quota.
    assertThat(scene.runs("next")).isFalse();
    createReplica("db", 1);
    createReplica("db", 2);
    assertThat(pods.runs("db-1")).isTrue();
    assertThat(pods.runs("db-2")).isTrue();
    assertThat(pods.pod("db-2").getSpec().getNodeSelector()).containsEntry("pool", "spot");
  }

  @Test
  void podsBeyondThoseAdmittedWait() {
    pods.createServing("apps/v1", "StatefulSet", "db", "{replicas: 1, template: " + TEMPLATE + "}");
    createReplica("db", 0);
    createReplica("db", 1);
    assertThat(pods.runs("db-0")).isTrue();
    assertThat(pods.isGated("db-1")).isTrue();
  }

  @Test
  void podsBeyondTheAdmissionWaitAlsoAfterReplacements() {
    pods.createServing("apps/v1", "StatefulSet", "db", "{replicas: 2, template: " + TEMPLATE + "}");
    createReplica("db", 0);
    createReplica("db", 1);
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        new ObjectKey("apps", "StatefulSet", "default", "db"),
        tree -> Trees.child(tree, "spec").put("replicas", 4));
    createReplica("db", 2);
    createReplica("db", 3);
    pods.delete("db-0");
    assertThat(pods.runs("db-2")).as("in place of db-0").isTrue();
    assertThat(pods.isGated("db-3")).isTrue();
    pods.delete("db-1");
    assertThat(pods.runs("db-3")).as("in place of db-1").isTrue();
    createReplica("db", 0);
    createReplica("db", 1);
    assertThat(pods.names()).containsExactly("db-0", "db-1", "db-2", "db-3");
    assertThat(pods.isGated("db-0")).isTrue();
    assertThat(pods.isGated("db-1")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(2000);
  }

  @Test
  void aStatefulSetWaitsForTheQuotaOfAllItsPods() {
    scene.createJob("first", 2);
    scene.settle();
    pods.createServing("apps/v1", "StatefulSet", "db", "{replicas: 3, template: " + TEMPLATE + "}");
    createReplica("db", 0);
    assertThat(pods.isGated("db-0")).isTrue();
    scene.finish("first");
    scene.settle();
    assertThat(pods.runs("db-0")).isTrue();
  }

  @Test
  void podsThatComeBeforeTheirStatefulSetFindTheirGroup() {
    pods.createServing("apps/v1", "StatefulSet", "db", "{replicas: 1, template: " + TEMPLATE + "}");
    createReplica("db", 0);
    scene.restart();
    scene.settle();
    assertThat(pods.runs("db-0")).isTrue();
    assertThat(scene.view().jobs()).extracting(JobView::state).contains(JobState.ADMITTED);
  }

  @Test
  void eachGroupOfALeaderWorkerSetIsAdmittedByItself() {
    pods.createServing(
        "leaderworkerset.x-k8s.io/v1",
        "LeaderWorkerSet",
        "lws",
        "{replicas: 2, leaderWorkerTemplate: {size: 3, leaderTemplate: " + TEMPLATE
            + ", workerTemplate: " + TEMPLATE + "}}");
    ObjectNode lws = tree("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "lws");
    JsonNode leader = lws.at("/spec/leaderWorkerTemplate/leaderTemplate");
    JsonNode worker = lws.at("/spec/leaderWorkerTemplate/workerTemplate");
    assertThat(isGated(leader)).isTrue();
    assertThat(isGated(worker)).isTrue();
    for (int group = 0; group < 2; group++) {
      for (int index = 0; index < 3; index++) {
        String groupIndex = Integer.toString(group);
        String workerIndex = Integer.toString(index);
        pods.createPod(
            "lws-" + group + "-" + index,
            1,
            PodScene.madeBy(
                lws,
                index == 0 ? leader : worker,
                pod -> labels(pod)
                    .put("leaderworkerset.sigs.k8s.io/name", "lws")
                    .put("leaderworkerset.sigs.k8s.io/group-index", groupIndex)
                    .put("leaderworkerset.sigs.k8s.io/worker-index", workerIndex)));
      }
    }
    assertThat(pods.names().stream().filter(pods::runs))
        .containsExactly("lws-0-0", "lws-0-1", "lws-0-2");
    assertThat(pods.pod("lws-0-0").getMetadata().getLabels())
        .containsEntry("kueue.x-k8s.io/podset", "leader");
    assertThat(pods.pod("lws-0-2").getMetadata().getLabels())
        .containsEntry("kueue.x-k8s.io/podset", "worker");
  }

  @Test
  void whatServesIsStoppedByDeletingItsPods() {
    pods.createServing("apps/v1", "StatefulSet", "db", "{replicas: 2, template: " + TEMPLATE + "}");
    createReplica("db", 0);
    createReplica("db", 1);
    scene.createJob("high", 4, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    scene.settle();
    assertThat(scene.runs("high")).isTrue();
    assertThat(pods.find("db-0")).isEmpty();
    createReplica("db", 0);
    assertThat(pods.isGated("db-0")).isTrue();
    scene.finish("high");
    scene.settle();
    assertThat(pods.runs("db-0")).isTrue();
  }
}
