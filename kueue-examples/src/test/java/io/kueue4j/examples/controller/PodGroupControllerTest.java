package io.kueue4j.examples.controller;

import static io.kueue4j.examples.controller.PodScene.annotations;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of plain pods: admitted together, each started with its own write. */
class PodGroupControllerTest {
  /** The writes of Workloads when another job ends and the group is admitted. */
  private static final int WRITES_BEFORE = 2;

  private final PodScene pods = PodScene.create();
  private final Scene scene = pods.scene;

  private void createGroup(int cpus) {
    pods.createMember("group", "a", cpus, 3);
    pods.createMember("group", "b", cpus, 3);
    pods.createMember("group", "c", cpus, 3);
  }

  private void createHigh() {
    scene.createJob("high", 4, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    scene.settle();
  }

  @Test
  void aGroupStartsWhenAllOfItIsThere() {
    pods.createMember("group", "a", 1, 3);
    pods.createMember("group", "b", 1, 3);
    assertThat(pods.isGated("a")).isTrue();
    assertThat(scene.state("group")).isEqualTo(JobState.UNMANAGED);
    assertThat(scene.view("group").messages())
        .containsExactly("'group' group has fewer runnable pods than expected: 2 of 3");
    pods.createMember("group", "c", 1, 3);
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(pods::runs);
    assertThat(pods.pod("b").getSpec().getNodeSelector())
        .containsEntry("pool", "spot")
        .containsEntry("zone", "a");
    assertThat(scene.state("group")).isEqualTo(JobState.ADMITTED);
    // The pods are not jobs of their own.
    assertThat(scene.view().jobs()).extracting(JobView::name).containsExactly("group");
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(name -> scene.writes(name) == 1);
  }

  @Test
  void aGroupWaitsForQuotaForAllOfIt() {
    scene.createJob("first", 2);
    createGroup(1);
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(pods::isGated);
    assertThat(scene.state("group")).isEqualTo(JobState.PENDING);
    scene.finish("first");
    scene.settle();
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(pods::runs);
  }

  @Test
  void aStoppedGroupHoldsItsQuotaUntilItsPodsAreGone() {
    createGroup(1);
    pods.keep("c");
    createHigh();
    assertThat(pods.names()).contains("c").doesNotContain("a", "b");
    assertThat(pods.pod("c").getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(pods.pod("c").getStatus().getConditions())
        .anySatisfy(condition -> assertThat(condition.getReason()).isEqualTo("Preempted"));
    assertThat(scene.runs("high")).isFalse();
    pods.gone("c");
    assertThat(scene.runs("high")).isTrue();
  }

  @Test
  void replacementsOfAStoppedGroupWaitAsAGroup() {
    createGroup(1);
    createHigh();
    assertThat(scene.runs("high")).isTrue();
    createGroup(1);
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(pods::isGated);
    scene.finish("high");
    scene.settle();
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(pods::runs);
  }

  @Test
  void whatReplacesAFailedPodRunsOnTheSameAdmission() {
    createGroup(1);
    pods.setPhase("b", "Failed");
    pods.createMember("group", "d", 1, 3);
    assertThat(pods.runs("d")).isTrue();
    assertThat(pods.pod("d").getSpec().getNodeSelector()).containsEntry("pool", "spot");
    assertThat(scene.isRecorded(pods.pod("d"))).isTrue();
  }

  /** Otherwise a later controller would not know that it holds quota. */
  @Test
  void aPodThatReplacesAWaitingOneOwnsTheRecordWhenItStarts() {
    scene.createJob("first", 4);
    scene.settle();
    createGroup(1);
    List<String> owners = new ArrayList<>();
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        if (object instanceof Pod) {
          owners.addAll(scene
              .cluster
              .get(Scene.key("Workload", "default", "group"), GenericKubernetesResource.class)
              .orElseThrow()
              .getMetadata()
              .getOwnerReferences()
              .stream()
              .map(OwnerReference::getName)
              .toList());
        }
        return super.replace(object);
      }
    });
    scene.finish("first");
    scene.cluster.delete(StrictCluster.USER, PodScene.key("b"));
    pods.createMember("group", "d", 1, 3);
    assertThat(pods.runs("d")).isTrue();
    assertThat(owners).startsWith("a", "c", "d");
  }

  @Test
  void aReplacementWaitsUntilThePodBeforeIsGone() {
    createGroup(1);
    pods.keep("b");
    pods.delete("b");
    pods.createMember("group", "d", 1, 3);
    assertThat(pods.isGated("d")).isTrue();
    pods.gone("b");
    assertThat(pods.runs("d")).isTrue();
  }

  @Test
  void ofTwoReplacementsOnlyTheOneStartsThatFits() {
    createGroup(1);
    pods.setPhase("a", "Succeeded");
    scene.createJob("next", 2);
    scene.settle();
    pods.keep("b");
    ImmutableList.of("a", "b").forEach(pods::delete);
    pods.createMember("group", "d", 1, 3);
    pods.createMember("group", "e", 1, 3);
    assertThat(ImmutableList.of("d", "e")).allMatch(pods::isGated);
    pods.gone("b");
    assertThat(ImmutableList.of("d", "e").stream().filter(pods::runs)).hasSize(1);
    assertThat(scene.usedMillis()).isEqualTo(4000);
  }

  @Test
  void aReplacementThatStartsWithoutItsNodeSelectorsIsDeleted() {
    createGroup(1);
    pods.setPhase("b", "Failed");
    pods.createPod("d", 1, tree -> {
      PodScene.annotations(tree)
          .put(PodScene.GROUP_NAME, "group")
          .put("kueue.x-k8s.io/pod-group-total-count", "3");
      ((ObjectNode) tree.get("spec")).remove("schedulingGates");
    });
    assertThat(pods.find("d")).isEmpty();
    assertThat(ImmutableList.of("a", "c")).allMatch(pods::runs);
  }

  @Test
  void podsThatAreTooManyAreDeleted() {
    createGroup(1);
    pods.createMember("group", "d", 1, 3);
    assertThat(pods.names()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(scene.events("d")).contains("ExcessPodDeleted");
  }

  @Test
  void podsThatHaveSucceededGiveTheirQuotaBack() {
    createGroup(1);
    scene.createJob("next", 2);
    scene.settle();
    assertThat(scene.runs("next")).isFalse();
    pods.setPhase("a", "Succeeded");
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void aReplacementOfAPodWithoutQuotaWaitsForItsGroup() {
    createGroup(1);
    pods.setPhase("a", "Succeeded");
    scene.createJob("next", 2);
    scene.settle();
    pods.delete("a");
    pods.createMember("group", "d", 1, 3);
    assertThat(pods.isGated("d")).as("its quota was given to another").isTrue();
    assertThat(scene.usedMillis()).isEqualTo(4000);
    pods.setPhase("b", "Succeeded");
    pods.setPhase("c", "Succeeded");
    assertThat(pods.runs("d")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void aGroupHasEndedWhenAllItsPodsHave() {
    createGroup(1);
    ImmutableList.of("a", "b", "c").forEach(name -> pods.setPhase(name, "Succeeded"));
    assertThat(scene.state("group")).isEqualTo(JobState.FINISHED);
    assertThat(scene.view("group").messages()).containsExactly("Pods succeeded: 3/3.");
    scene.createJob("next", 4);
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void podsOfOneGroupMayAskForDifferentThings() {
    pods.createMember("group", "leader", 2, 3);
    pods.createMember("group", "b", 1, 3);
    pods.createMember("group", "c", 1, 3);
    assertThat(ImmutableList.of("leader", "b", "c")).allMatch(pods::runs);
    scene.createJob("next", 1);
    scene.settle();
    assertThat(scene.runs("next")).isFalse();
  }

  @Test
  void podsThatDoNotAgreeAreInvalidTogether() {
    pods.createMember("group", "a", 1, 2);
    pods.createMember("group", "b", 1, 3);
    assertThat(pods.isGated("a")).isTrue();
    assertThat(pods.isGated("b")).isTrue();
    assertThat(scene.state("group")).isEqualTo(JobState.INVALID);
  }

  @Test
  void anotherControllerKnowsWhatAGroupHolds() {
    createGroup(1);
    scene.restart();
    scene.settle();
    assertThat(scene.state("group")).isEqualTo(JobState.ADMITTED);
    scene.createJob("next", 2);
    scene.settle();
    assertThat(scene.runs("next")).isFalse();
    pods.setPhase("a", "Succeeded");
    assertThat(scene.runs("next")).isTrue();
  }

  @Test
  void aGroupDoesNotRunByTheRecordOfOneBeforeIt() {
    pods.createMember("group", "a", 3, 1);
    ObjectKey record = Scene.key("Workload", "default", "group");
    pods.setPhase("a", "Succeeded");
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE,
        record,
        tree -> Trees.child(tree, "metadata").remove("ownerReferences"));
    pods.delete("a");
    scene.createJob("next", 4);
    scene.settle();
    assertThat(scene.runs("next")).isTrue();
    assertThat(scene.cluster.get(record)).isPresent();
    scene.restart(new BeforeEachWrite(scene.connection(), () -> {
      throw new WriteException(WriteException.Reason.UNAVAILABLE, "the server fails");
    }));
    pods.createMember("group", "a", 3, 1);
    scene.restart();
    scene.settle();
    assertThat(pods.isGated("a")).isTrue();
  }

  @Test
  void anotherControllerKnowsWhatReplacementsHold() {
    pods.createMember("group", "a", 2, 2);
    pods.createMember("group", "b", 2, 2);
    pods.setPhase("a", "Succeeded");
    pods.delete("b");
    assertThat(scene.usedMillis()).as("for a replacement").isEqualTo(2000);
    pods.createMember("group", "c", 2, 2);
    assertThat(pods.runs("c")).isTrue();
    pods.keep("c");
    pods.delete("c");
    scene.restart();
    scene.settle();
    assertThat(scene.usedMillis()).isEqualTo(2000);
    pods.gone("c");
    assertThat(scene.usedMillis()).as("for another replacement").isEqualTo(2000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aStopBetweenTheStartsOfTwoPodsLosesNothing(int started) {
    scene.createJob("first", 4);
    scene.settle();
    createGroup(1);
    scene.restart(new MortalWrites(scene.connection(), WRITES_BEFORE + started));
    scene.finish("first");
    assertThatThrownBy(scene::work).isInstanceOf(MortalWrites.Death.class);
    assertThat(ImmutableList.of("a", "b", "c").stream().filter(pods::runs)).hasSize(started);
    scene.restart();
    scene.createJob("next", 2);
    scene.settle();
    assertThat(ImmutableList.of("a", "b", "c")).allMatch(pods::runs);
    assertThat(scene.runs("next")).isFalse();
  }

  @Test
  void whatFollowsAPodThatDoesNotStartWaits() {
    scene.restart(new InterceptedWrites(scene.connection()) {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        if (object.getMetadata().getName().equals("b")) {
          throw new WriteException(WriteException.Reason.UNAVAILABLE, "the server fails");
        }
        return super.replace(object);
      }
    });
    createGroup(1);
    assertThat(pods.runs("a")).isTrue();
    assertThat(pods.isGated("c")).isTrue();
    assertThat(scene.usedMillis()).isEqualTo(3000);
  }

  @Test
  void aPodThatIsMadeAMemberIsNoJobOfItsOwnAnyMore() {
    scene.createJob("first", 4);
    scene.settle();
    pods.createPod("a", 1, tree -> {});
    assertThat(scene.state("a")).isEqualTo(JobState.PENDING);
    pods.edit(
        "a",
        tree -> annotations(tree)
            .put(PodScene.GROUP_NAME, "group")
            .put("kueue.x-k8s.io/pod-group-total-count", "1"));
    assertThat(scene.view().jobs()).extracting(JobView::name).containsExactly("group", "first");
    scene.cluster.delete(StrictCluster.USER, Scene.key("Job", "default", "first"));
    scene.settle();
    assertThat(pods.runs("a")).isTrue();
  }
}
