package io.kueue4j.examples.controller;

import static io.kueue4j.examples.controller.PodScene.annotations;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods cannot be suspended: those that run with an untrusted note are deleted. */
class SealedPodsTest {
  private static final String NOTE = JobAnnotations.ADMISSION;

  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  private void createGroup() {
    pods.createMember("group", "a", 1, 3);
    pods.createMember("group", "b", 1, 3);
    pods.createMember("group", "c", 1, 3);
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(pods::runs);
  }

  private String note(String pod) {
    return JobAnnotations.get(pods.pod(pod), NOTE);
  }

  /** A user edits a pod while the controller is not running. */
  private void forge(String pod, String note) {
    scene.cluster.edit(StrictCluster.USER, ApiWrite.Verb.REPLACE, PodScene.key(pod), tree -> {
      if (note.isEmpty()) {
        annotations(tree).remove(NOTE);
      } else {
        annotations(tree).put(NOTE, note);
      }
      Trees.child(tree, "spec").remove("schedulingGates");
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPodWithAForgedNoteIsDeleted(boolean isAway) {
    pods.createPod("one", 4, tree -> {});
    assertThat(pods.runs("one")).isTrue();
    pods.createPod("copy", 4, tree -> {});
    assertThat(pods.isGated("copy")).isTrue();
    forge("copy", note("one"));
    if (isAway) {
      scene.restart();
    }
    scene.settle();
    assertThat(pods.names()).containsExactly("one");
    assertThat(scene.events("copy")).contains("AdmissionRefused", "Stopped");
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{broken"})
  void aPodWhoseNoteIsSpoiltIsDeletedAndHoldsItsQuotaUntilThen(String note) {
    pods.createPod("one", 4, tree -> {});
    pods.keep("one");
    forge("one", note);
    pods.createPod("two", 4, tree -> {});
    assertThat(pods.pod("one").getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(pods.isGated("two")).isTrue();
    pods.gone("one");
    assertThat(pods.runs("two")).isTrue();
  }

  @Test
  void aGroupStopsIfOneOfItsPodsRunsOnAForgedNote() {
    createGroup();
    forge("b", note("a"));
    scene.settle();
    assertThat(pods.names()).isEmpty();
    assertThat(scene.view().refusedNotes().get(0).reason()).contains("copied from another object");
  }

  @Test
  void theNoteOfOnePodOfAGroupIsEnough() {
    createGroup();
    forge("a", "");
    scene.settle();
    scene.restart();
    scene.settle();
    assertThat(pods.names()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void aGroupOfWhichNoPodHasItsNoteStops() {
    createGroup();
    ImmutableList.of("a", "b", "c").forEach(pod -> forge(pod, ""));
    scene.settle();
    assertThat(pods.names()).isEmpty();
  }

  @Test
  void thePodsOfALaterGroupOfTheSameNameHaveNoUseForItsNotes() {
    createGroup();
    String old = note("a");
    ImmutableList.of("a", "b", "c").forEach(pods::delete);
    scene.createJob("other", 3);
    scene.settle();
    pods.createMember("group", "a", 1, 3);
    pods.createMember("group", "b", 1, 3);
    pods.createMember("group", "c", 1, 3);
    assertThat(pods.isGated("a")).isTrue();
    forge("a", old);
    scene.restart();
    scene.settle();
    assertThat(pods.names()).doesNotContain("a");
    assertThat(pods.isGated("b")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void aPodThatNeverWaitedIsLeftAlone() {
    pods.createPod("free", 4, tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(pods.names()).containsExactly("free");
  }

  @Test
  void aPodThatWaitedAndWhoseGateATenantRemovesIsDeleted() {
    PodScene waiting = PodScene.create();
    waiting.createPod("one", 3, tree -> {});
    waiting.createPod("two", 3, tree -> {});
    assertThat(waiting.isGated("two")).isTrue();
    waiting.edit("two", tree -> Trees.child(tree, "spec").remove("schedulingGates"));
    assertThat(waiting.find("two")).isEmpty();
    assertThat(waiting.scene.usedMillis()).isEqualTo(3000);
  }
}
