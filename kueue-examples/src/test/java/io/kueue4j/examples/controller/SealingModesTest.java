package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Admission;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.StrictSecretStore;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.seal.SealSecret;
import io.kueue4j.examples.controller.seal.SealState;
import io.kueue4j.examples.controller.seal.Sealing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without keys, with keys for the first time, and with changed keys; and the counted usage. */
class SealingModesTest {
  private static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";

  private final Scene scene = Scene.create();

  private static Scene unsealed() {
    return new Scene(ControllerOptions.defaults(), Scene.Mode.UNSEALED);
  }

  private static boolean isSealed(Scene scene, String name) {
    return Json.parse(scene.note(name)).has("seal");
  }

  // ----- without keys

  @Test
  void withoutKeysNotesAreBelievedAsTheyStand() {
    Scene scene = unsealed();
    scene.createJob("train", 3);
    scene.settle();
    assertThat(isSealed(scene, "train")).isFalse();
    scene.restart();
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    assertThat(scene.writes("train")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0", "300"})
  void usageIsCountedFromThePodsWhateverTheNoteSays(String cpus) {
    Scene scene = unsealed();
    scene.createJob("train", 3);
    scene.settle();
    String note = scene.note("train");
    String usage = "\"resourceUsage\":{\"cpu\":\"3\"}";
    assertThat(note).contains(usage);
    scene.forge("train", note.replace(usage, usage.replace("3", cpus)));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void aQueueThatDoesNotExistAndThenTheRealOneIsNoWayRoundEither() {
    Scene scene = unsealed();
    scene.createJob("one", 3);
    scene.settle();
    Job copy = scene.createJob("copy", 4);
    String noted = scene
        .note("one")
        .replace(scene.job("one").getMetadata().getUid(), copy.getMetadata().getUid())
        .replace("job-one", "job-copy");
    scene.forge(
        "copy",
        noted
            .replace("research", "nowhere")
            .replace("\"localQueue\":\"queue\"", "\"localQueue\":\"no\""));
    scene.settle();
    assertThat(scene.runs("copy")).isFalse();
    scene.forge("copy", noted);
    scene.settle();
    assertThat(scene.runs("copy")).isFalse();
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void withoutKeysTheNoteOfAnotherGroupStopsAGroup() {
    PodScene pods = new PodScene(new Scene(ControllerOptions.defaults(), Scene.Mode.UNSEALED));
    pods.createMember("one", "a", 3, 1);
    pods.createMember("two", "b", 3, 1);
    assertThat(pods.isGated("b")).isTrue();
    String note = JobAnnotations.get(pods.pod("a"), JobAnnotations.ADMISSION);
    pods.edit("b", tree -> {
      PodScene.annotations(tree).put(JobAnnotations.ADMISSION, note);
      Trees.child(tree, "spec").remove("schedulingGates");
    });
    assertThat(pods.names()).containsExactly("a");
    assertThat(pods.scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void whoEmptiesANoteIsStoppedAlsoWithoutKeys() {
    Scene scene = unsealed();
    Job given = scene.createJob("train", 3);
    scene.settle();
    scene.forge("train", "");
    scene.createJob("high", 4, Scene.withLabel(PRIORITY_CLASS, "high"));
    scene.settle();
    assertThat(scene.runs("high")).isTrue();
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("train"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
  }

  // ----- an update from a version without seals

  private static Sealing accepting(Scene scene) {
    return new Sealing(scene.newSecret().look().keys(), false, Optional.empty())
        .acceptingUnsealed();
  }

  private static void startUnsealed(Scene scene) {
    scene.createJob("train", 3);
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
  }

  @Test
  void afterAnUpdateUnsealedNotesAreNotBelieved() {
    Scene scene = unsealed();
    startUnsealed(scene);
    scene.restart(Sealing.with(scene.newSecret().look().keys().orElseThrow()));
    scene.settle();
    assertThat(scene.events("train")).startsWith("Started", "AdmissionRefused", "Stopped");
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("no seal");
    assertThat(scene.runs("train")).as("started anew, by this controller").isTrue();
    assertThat(isSealed(scene, "train")).isTrue();
  }

  @Test
  void whatRunsIsAdoptedAndSealedIfThatIsAskedFor() {
    Scene scene = unsealed();
    startUnsealed(scene);
    scene.restart(accepting(scene));
    assertThat(scene.loop().isSealing()).isTrue();
    scene.settle();
    assertThat(scene.loop().isSealing()).isFalse();
    assertThat(scene.events("train")).containsExactly("Started");
    assertThat(scene.writes("train")).isEqualTo(2);
    assertThat(isSealed(scene, "train")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);

    scene.restart(Sealing.with(scene.newSecret().look().keys().orElseThrow()));
    scene.settle();
    assertThat(scene.events("train")).containsExactly("Started");
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void theSameIsDoneWhenTheKeyIsLost() {
    scene.createJob("train", 3);
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, StrictSecretStore.KEY);
    scene.restart(accepting(scene));
    scene.settle();
    assertThat(scene.events("train")).containsExactly("Started");
    scene.restart();
    scene.settle();
    assertThat(scene.events("train")).containsExactly("Started");
  }

  @Test
  void onlyWhatIsThereInTheBeginningIsAdopted() {
    Scene scene = unsealed();
    startUnsealed(scene);
    String note = scene.note("train");
    scene.restart(accepting(scene));
    scene.work();
    scene.settle();
    scene.forge("train", note);
    scene.settle();
    assertThat(scene.events("train")).contains("AdmissionRefused", "Stopped");
  }

  @Test
  void whatHasAWrongSealIsNotAdopted() {
    scene.createJob("train", 3);
    scene.settle();
    scene.forge("train", scene.note("train").replace("\"priority\":0", "\"priority\":5"));
    scene.restart(accepting(scene));
    scene.settle();
    assertThat(scene.events("train")).contains("AdmissionRefused", "Stopped");
  }

  private static String replaced(String note, String part, String by) {
    assertThat(note).contains(part);
    return note.replace(part, by);
  }

  private void assertNotAdopted(Consumer<Scene> change, String reason) {
    Scene scene = unsealed();
    startUnsealed(scene);
    change.accept(scene);
    scene.restart(accepting(scene));
    scene.work();
    assertThat(scene.job("train").getSpec().getSuspend()).as(reason).isTrue();
    assertThat(scene.view().refusedNotes())
        .anySatisfy(refused -> assertThat(refused.reason()).contains("not accepted", reason));
  }

  @Test
  void whatContradictsTheClusterIsNotAdopted() {
    assertNotAdopted(
        scene -> scene.forge("train", replaced(scene.note("train"), "research", "elsewhere")),
        "elsewhere");
    assertNotAdopted(
        scene -> scene.forge(
            "train",
            replaced(scene.note("train"), "\"localQueue\":\"queue\"", "\"localQueue\":\"no\"")),
        "LocalQueue no");
    assertNotAdopted(
        scene -> scene.editQueue(
            "namespaceSelector", ImmutableMap.of("matchLabels", ImmutableMap.of("team", "a"))),
        "namespaceSelector");
    assertNotAdopted(Scene::deleteClusterQueue, "does not exist");
    assertNotAdopted(
        scene ->
            scene.forge("train", replaced(scene.note("train"), "\"cpu\":\"3\"", "\"cpu\":\"1\"")),
        "other pods");
    assertNotAdopted(
        scene -> scene.forge("train", replaced(scene.note("train"), "\"spot\"", "\"free\"")),
        "no flavor");
    assertNotAdopted(
        scene -> scene.edit("train", job -> job.getSpec().setParallelism(2)), "other pods");
  }

  // ----- other keys

  private void editSecret(Consumer<com.fasterxml.jackson.databind.node.ObjectNode> change) {
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        StrictSecretStore.KEY,
        tree -> change.accept(Trees.child(tree, "data")));
  }

  private void moveKey() {
    editSecret(data -> {
      data.set(SealSecret.PREVIOUS, data.get(SealSecret.CURRENT));
      data.remove(SealSecret.CURRENT);
    });
  }

  private String keyOf(String name) {
    return Json.parse(scene.note(name)).at("/seal/key").asText();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterARotationAllNotesAreSealedAnew(boolean isAway) {
    scene.createJob("one", 2);
    scene.createJob("two", 2);
    scene.settle();
    String old = keyOf("one");
    moveKey();
    if (isAway) {
      scene.restart();
    } else {
      scene.lookAtSecret();
    }
    assertThat(scene.loop().isSealing()).isTrue();
    scene.settle();
    assertThat(scene.loop().isSealing()).isFalse();
    assertThat(keyOf("one")).isEqualTo(keyOf("two")).isNotEqualTo(old);
    assertThat(scene.writes("one")).isEqualTo(2);

    editSecret(data -> data.remove(SealSecret.PREVIOUS));
    scene.restart();
    scene.settle();
    assertThat(scene.events("one")).containsExactly("Started");
    assertThat(scene.events("two")).containsExactly("Started");
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aRotationRemovesAFormerStatusThatWasPutBackBesideANote() {
    scene.createJob("train", 3);
    scene.settle();
    scene.createHigh(4);
    scene.settle();
    String status = JobAnnotations.get(scene.job("train"), JobAnnotations.STATUS);
    assertThat(status).contains("Preempted");
    scene.finish("high");
    scene.settle();
    assertThat(scene.runs("train")).isTrue();
    scene.edit(
        "train", job -> job.getMetadata().getAnnotations().put(JobAnnotations.STATUS, status));
    moveKey();
    scene.restart();
    long before = scene.writes("train");
    scene.settle();
    assertThat(scene.loop().isSealing()).isFalse();
    assertThat(scene.writes("train")).isEqualTo(before + 1);
    assertThat(scene.runs("train")).isTrue();
    assertThat(JobAnnotations.get(scene.job("train"), JobAnnotations.STATUS)).isEmpty();
  }

  @Test
  void waitingPodsOfAGroupGetNoNoteByARotation() {
    PodScene pods = new PodScene(scene);
    for (String name : List.of("first", "waiting")) {
      pods.createPod(
          name,
          1,
          tree -> PodScene.annotations(tree)
              .put(PodScene.GROUP_NAME, "service")
              .put("kueue.x-k8s.io/pod-group-serving", "true")
              .put("kueue.x-k8s.io/pod-group-total-count", "1"));
    }
    assertThat(pods.runs("first")).isTrue();
    moveKey();
    scene.restart();
    scene.settle();
    assertThat(scene.loop().isSealing()).isFalse();
    assertThat(scene.writes("first")).isEqualTo(2);
    assertThat(pods.isGated("waiting")).isTrue();
    assertThat(JobAnnotations.get(pods.pod("waiting"), JobAnnotations.ADMISSION))
        .isEmpty();
  }

  @Test
  void aJobThatIsBeingStoppedIsSealedAnewToo() {
    Job given = scene.createJob("low", 4);
    scene.settle();
    scene.createJob("high", 4, Scene.withLabel(PRIORITY_CLASS, "high"));
    scene.work();
    String old = keyOf("low");
    moveKey();
    scene.lookAtSecret();
    scene.work();
    assertThat(keyOf("low")).isNotEqualTo(old);
    editSecret(data -> data.remove(SealSecret.PREVIOUS));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("high")).isTrue();
    assertThat(Json.tree(Scene.withoutMetadata(scene.job("low"))))
        .isEqualTo(Json.tree(Scene.withoutMetadata(given)));
  }

  @Test
  void whatHadHappenedToAJobThatWaitsIsSealedAnewToo() {
    scene.createJob("low", 4);
    scene.settle();
    scene.createJob("high", 4, Scene.withLabel(PRIORITY_CLASS, "high"));
    scene.settle();
    moveKey();
    scene.lookAtSecret();
    scene.settle();
    editSecret(data -> data.remove(SealSecret.PREVIOUS));
    scene.restart();
    scene.settle();
    assertThat(scene.view().refusedNotes()).isEmpty();
    assertThat(WrittenNotes.status(scene.job("low"))).isPresent();
  }

  @Test
  void manyNotesAreSealedAnewInSeveralSteps() {
    scene.editQueue(
        "resourceGroups",
        List.of(ImmutableMap.of(
            "coveredResources", List.of("cpu"),
            "flavors",
                List.of(ImmutableMap.of(
                    "name",
                    "spot",
                    "resources",
                    List.of(ImmutableMap.of("name", "cpu", "nominalQuota", 1000)))))));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      names.add("job" + i);
      scene.createJob("job" + i, 1);
    }
    scene.settle();
    String old = keyOf("job0");
    moveKey();
    scene.lookAtSecret();
    scene.work();
    assertThat(names.stream().filter(name -> !keyOf(name).equals(old)).count())
        .as("in one step")
        .isBetween(1L, 149L);
    scene.settle();
    assertThat(names).noneMatch(name -> keyOf(name).equals(old));
    assertThat(scene.loop().isSealing()).isFalse();
  }

  @Test
  void whatThisControllerHasVerifiedStaysValidWhenTheKeyIsReplaced() {
    scene.createJob("train", 3);
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, StrictSecretStore.KEY);
    scene.newSecret().look();
    SealState state = scene.lookAtSecret();
    assertThat(state.problem()).isEmpty();
    scene.settle();
    assertThat(keyOf("train")).isEqualTo(state.keys().orElseThrow().current().id());
    scene.restart();
    scene.settle();
    assertThat(scene.events("train")).containsExactly("Started");
  }

  @Test
  void aSecretThatIsDeletedIsMadeAgainWithTheSameKey() {
    scene.createJob("train", 3);
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, StrictSecretStore.KEY);
    scene.lookAtSecret();
    assertThat(scene.cluster.get(StrictSecretStore.KEY, Secret.class)).isPresent();
    scene.restart();
    scene.settle();
    assertThat(scene.events("train")).containsExactly("Started");
    assertThat(scene.writes("train")).isEqualTo(1);
  }

  @Test
  void aKeyThatIsLostWhileNoControllerRunsStopsWhatRan() {
    scene.createJob("train", 3);
    scene.settle();
    scene.cluster.delete(StrictCluster.USER, StrictSecretStore.KEY);
    scene.restart();
    scene.settle();
    assertThat(scene.events("train")).contains("AdmissionRefused", "Stopped");
    assertThat(scene.view().refusedNotes().get(0).reason())
        .contains("a key that the controller does not have");
  }

  // ----- sealed and restored content is equal

  private void assertRestoredAsItWas(String name) {
    Admission before = WrittenNotes.of(scene.job(name)).orElseThrow().admission();
    assertThat(scene.loop().engine().admission(before.workload())).contains(before);
    long used = scene.usedMillis();
    long writes = scene.writes(name);
    scene.restart();
    scene.settle();
    assertThat(scene.loop().engine().admission(before.workload())).contains(before);
    assertThat(scene.usedMillis()).isEqualTo(used);
    assertThat(scene.writes(name)).isEqualTo(writes);
  }

  @Test
  void aJobThatWasAdmittedInPart() {
    scene.createJob("first", 2);
    scene.createJob("part", 1, job -> {
      job.getSpec().setParallelism(4);
      job.getSpec().setCompletions(4);
      job.getMetadata().setAnnotations(ImmutableMap.of("kueue.x-k8s.io/job-min-parallelism", "1"));
    });
    scene.settle();
    assertThat(scene.runs("part")).isTrue();
    assertThat(scene.job("part").getSpec().getParallelism()).isEqualTo(2);
    assertRestoredAsItWas("part");
  }

  @Test
  void anElasticJobThatHasShrunk() {
    scene.createJob("elastic", 1, job -> {
      job.getSpec().setParallelism(4);
      job.getMetadata().setAnnotations(ImmutableMap.of("kueue.x-k8s.io/elastic-job", "true"));
    });
    scene.settle();
    scene.edit("elastic", job -> job.getSpec().setParallelism(2));
    scene.settle();
    assertThat(scene.events("elastic")).containsExactly("Started", "CannotGrow");
    assertThat(scene.usedMillis()).isEqualTo(2000);
    assertRestoredAsItWas("elastic");
  }
}
