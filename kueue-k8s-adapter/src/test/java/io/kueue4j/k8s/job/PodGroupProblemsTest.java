package io.kueue4j.k8s.job;

import static io.kueue4j.k8s.job.GroupPods.annotated;
import static io.kueue4j.k8s.job.GroupPods.member;
import static io.kueue4j.k8s.job.GroupPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What pods must say of their group, and the pods of a group alike. */
class PodGroupProblemsTest {
  @Test
  void aPodSaysOfItsGroupEverythingOrNothing() {
    Pod counted = annotated(pod("a", "1").build(), "kueue.x-k8s.io/pod-group-total-count", "2");
    assertThat(ownProblems(counted))
        .containsExactly("metadata.annotations[kueue.x-k8s.io/pod-group-name]: missing; expected"
            + " the name of the group that kueue.x-k8s.io/pod-group-total-count counts");
    Pod named = annotated(pod("a", "1").build(), "kueue.x-k8s.io/pod-group-name", "g");
    assertThat(ownProblems(named))
        .containsExactly("metadata.annotations[kueue.x-k8s.io/pod-group-total-count]: missing;"
            + " expected the number of pods of the group, above 0");
    assertThat(ownProblems(annotated(named, "kueue.x-k8s.io/pod-group-total-count", "0")))
        .singleElement()
        .asString()
        .contains("\"0\"; expected the number of pods");
    Pod wrong = annotated(member("a", "1", 1), "kueue.x-k8s.io/pod-group-name", "group name");
    assertThat(ownProblems(wrong))
        .containsExactly("metadata.annotations[kueue.x-k8s.io/pod-group-name]: \"group name\";"
            + " expected the name of a Workload: lower-case letters, digits, '-' and '.'");
  }

  private static List<String> ownProblems(Pod pod) {
    return ((JobConversion.Invalid) KindManifests.WORKLOADS.convert(pod))
        .violations().stream()
            .map(violation -> violation.field() + ": " + violation.problem())
            .toList();
  }

  private static List<String> problems(Pod... pods) {
    JobConversion conversion = KindManifests.WORKLOADS.convert(PodGroup.of(List.of(pods)));
    assertThat(conversion).isInstanceOf(JobConversion.Invalid.class);
    return ((JobConversion.Invalid) conversion)
        .violations().stream().map(Object::toString).toList();
  }

  @Test
  void namesWhatPodsOfAGroupSayDifferently() {
    Pod first = member("a", "1", 2);
    assertThat(problems(
            first, annotated(member("b", "1", 2), MetadataKeys.POD_GROUP_TOTAL_COUNT, "3")))
        .containsExactly("Pod team-a/b: metadata.annotations[kueue.x-k8s.io/pod-group-total-count]:"
            + " \"3\"; expected \"2\" as in Pod team-a/a");
    Pod otherQueue = new PodBuilder(member("b", "1", 2))
        .editMetadata()
        .addToLabels(MetadataKeys.QUEUE_NAME, "other")
        .endMetadata()
        .build();
    assertThat(problems(first, otherQueue))
        .containsExactly("Pod team-a/b: metadata.labels[kueue.x-k8s.io/queue-name]: \"other\";"
            + " expected \"lq\" as in Pod team-a/a");
    assertThat(problems(annotated(first, MetadataKeys.POD_GROUP_TOTAL_COUNT, "many")))
        .containsExactly("Pod team-a/a: metadata.annotations[kueue.x-k8s.io/pod-group-total-count]:"
            + " \"many\"; expected the number of pods of the group, above 0");
    Pod indexed = new PodBuilder(first)
        .editMetadata()
        .addToLabels(MetadataKeys.POD_GROUP_POD_INDEX, "2")
        .endMetadata()
        .build();
    assertThat(problems(indexed, member("b", "1", 2)))
        .containsExactly("Pod team-a/a: metadata.labels[kueue.x-k8s.io/pod-group-pod-index]: \"2\";"
            + " expected a number from 0 to below the total count, 2");
  }

  @Test
  void aGroupHasNoMoreRolesThanAWorkloadPodSets() {
    List<Pod> pods = new ArrayList<>();
    for (int i = 1; i <= 19; i++) {
      pods.add(member("p" + i, String.valueOf(i), 19));
    }
    assertThat(problems(pods.toArray(new Pod[0])))
        .singleElement()
        .asString()
        .contains("19 roles of pods in the group; expected at most 18");
  }

  @Test
  void podsOfDifferentGroupsAreNoGroup() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodGroup.of(List.of()))
        .withMessageContaining("no pods");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodGroup.of(List.of(pod("p", "1").build())))
        .withMessageContaining("Pod team-a/p names no group");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodGroup.of(List.of(
            member("a", "1", 2), annotated(member("b", "1", 2), MetadataKeys.POD_GROUP_NAME, "h"))))
        .withMessageContaining("is of the group team-a/h, Pod team-a/a of team-a/g");
  }
}
