package io.kueue4j.k8s.job;

import static io.kueue4j.k8s.job.GroupPods.annotated;
import static io.kueue4j.k8s.job.GroupPods.member;
import static io.kueue4j.k8s.job.GroupPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Single pods and groups: requests, starts and outcomes. */
class PodGroupTest {
  private static final JobEditor EDITOR = JobEditor.of(JobKinds.all());
  private static final PodGroupKind KIND = new PodGroupKind();
  private static final Map<String, ResourceFlavor> FLAVORS = Jobs.flavors(ResourceFlavor.builder()
      .name("spot")
      .putNodeLabels("capacity", "spot")
      .addTolerations(Toleration.exists("spot"))
      .build());

  private static Pod gated(Pod pod, String gate) {
    return new PodBuilder(pod)
        .editSpec()
        .addToSchedulingGates(
            new PodSchedulingGate(gate), new PodSchedulingGate(PodGates.ADMISSION))
        .endSpec()
        .build();
  }

  private static Pod at(Pod pod, String time) {
    return new PodBuilder(pod)
        .editMetadata()
        .withCreationTimestamp(time)
        .endMetadata()
        .build();
  }

  private static Pod phase(Pod pod, String phase) {
    return new PodBuilder(pod).editOrNewStatus().withPhase(phase).endStatus().build();
  }

  private static Pod withoutParent(Pod pod) {
    return new PodBuilder(pod)
        .editMetadata()
        .removeFromAnnotations(MetadataKeys.POD_SUSPENDING_PARENT)
        .endMetadata()
        .build();
  }

  private static List<String> podSets(PodGroup group) {
    return KindManifests.WORKLOADS.convert(group).orElseThrow().workload().podSets().stream()
        .map(podSet -> podSet.count() + " " + podSet.requests())
        .sorted()
        .toList();
  }

  @Test
  void aPodIsAWorkloadOfOnePod() {
    Workload workload =
        KindManifests.WORKLOADS.convert(pod("p", "2").build()).orElseThrow().workload();
    assertThat(workload.name()).isEqualTo(WorkloadNames.of("", "Pod", "p", ""));
    assertThat(workload.ownedBySinglePod()).isTrue();
    assertThat(workload.podSets())
        .extracting(KindManifests::text)
        .containsExactly("main x1 {cpu=2000}");
  }

  @Test
  void aPodStartsByLosingItsGate() {
    Pod waiting = EDITOR.suspend(gated(pod("p", "2").build(), "example.com/mine"));
    assertThat(waiting.getMetadata().getLabels()).containsEntry("kueue.x-k8s.io/managed", "true");
    Workload workload = KindManifests.WORKLOADS.convert(waiting).orElseThrow().workload();
    Pod started = EDITOR.start(waiting, workload, Jobs.admission(workload, "spot"), FLAVORS);
    assertThat(started.getSpec().getSchedulingGates())
        .as("the gate of others stays")
        .containsExactly(new PodSchedulingGate("example.com/mine"));
    assertThat(started.getSpec().getNodeSelector()).containsExactly(Map.entry("capacity", "spot"));
    assertThat(started.getSpec().getTolerations()).hasSize(1);
    assertThat(started.getMetadata().getLabels())
        .containsEntry("kueue.x-k8s.io/podset", "main")
        .containsEntry("kueue.x-k8s.io/cluster-queue-name", "cq");
    assertThat(started.getMetadata().getAnnotations())
        .containsEntry("kueue.x-k8s.io/workload", workload.name());
    assertThat(JobKinds.all().get(started).isSuspended(started)).isFalse();
  }

  @Test
  void aPodThatRunsIsNotStoppedButDeleted() {
    Pod running = phase(pod("p", "2").build(), "Running");
    assertThatExceptionOfType(JobStartException.class)
        .isThrownBy(() -> EDITOR.stop(running, EDITOR.snapshot(running)))
        .withMessageContaining("a gate cannot be put back")
        .returns(JobStartException.Problem.NOT_STOPPABLE, JobStartException::problem);
    assertThatExceptionOfType(JobStartException.class).isThrownBy(() -> EDITOR.suspend(running));
    Pod target = PodGroup.terminationTarget(
        running,
        "WorkloadEvictedDueToPreempted",
        "make room",
        Instant.parse("2026-01-01T01:00:00Z"));
    assertThat(target.getStatus().getConditions()).singleElement().satisfies(condition -> {
      assertThat(condition.getType()).isEqualTo("TerminationTarget");
      assertThat(condition.getStatus()).isEqualTo("True");
      assertThat(condition.getReason()).isEqualTo("WorkloadEvictedDueToPreempted");
      assertThat(condition.getLastTransitionTime()).isEqualTo("2026-01-01T01:00:00Z");
    });
    assertThat(PodGroup.terminationTarget(target, "Again", "", Instant.EPOCH)
            .getStatus()
            .getConditions())
        .hasSize(1);
  }

  @Test
  void aPodOfAGroupIsNoWorkloadOfItsOwn() {
    assertThat(KindManifests.WORKLOADS.convert(member("p", "1", 2)))
        .isEqualTo(new JobConversion.NotManaged(
            JobConversion.Reason.PART_OF_GROUP,
            "Pod team-a/p is one of the pod group g, which is admitted as a whole"));
  }

  @Test
  void aGroupHasAPodSetPerRole() {
    PodGroup group =
        PodGroup.of(List.of(member("a", "1", 3), member("b", "2", 3), member("c", "1000m", 3)));
    assertThat(podSets(group)).containsExactly("1 {cpu=2000}", "2 {cpu=1000}");
    assertThat(KIND.podSets(group)).extracting(JobPodSet::name).isSorted();
    Workload workload = KindManifests.WORKLOADS.convert(group).orElseThrow().workload();
    assertThat(workload.name()).isEqualTo("g");
    assertThat(workload.namespace()).isEqualTo("team-a");
  }

  @Test
  void theOrderOfThePodsDoesNotMatter() {
    List<Pod> pods = new ArrayList<>(List.of(
        member("a", "1", 3), at(member("b", "2", 3), "2025-01-01T00:00:00Z"), member("c", "1", 3)));
    PodGroup group = PodGroup.of(pods);
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(pods, new Random(seed));
      assertThat(PodGroup.of(pods)).isEqualTo(group).hasSameHashCodeAs(group);
    }
    assertThat(group.pods()).extracting(JobMetadata::name).containsExactly("b", "a", "c");
    assertThat(group).hasToString("PodGroup team-a/g of 3 pods");
  }

  @Test
  void aRoleThatIsMarkedCounts() {
    PodGroup group = PodGroup.of(List.of(
        annotated(member("a", "1", 2), MetadataKeys.ROLE_HASH, "driver"),
        annotated(member("b", "1", 2), MetadataKeys.ROLE_HASH, "worker")));
    assertThat(KIND.podSets(group)).extracting(JobPodSet::name).containsExactly("driver", "worker");
  }

  @Test
  void aGroupWaitsForItsLastPod() {
    assertThat(KindManifests.WORKLOADS.convert(PodGroup.of(List.of(member("a", "1", 2)))))
        .isEqualTo(new JobConversion.NotManaged(
            JobConversion.Reason.INCOMPLETE_GROUP,
            "'g' group has fewer runnable pods than expected: 1 of 2"));
    Pod failed = phase(member("b", "1", 2), "Failed");
    assertThat(KindManifests.WORKLOADS.convert(PodGroup.of(List.of(member("a", "1", 2), failed))))
        .isInstanceOf(JobConversion.NotManaged.class);
    Pod deletedBeforeItRan = new PodBuilder(member("b", "1", 2))
        .editMetadata()
        .withDeletionTimestamp("2026-01-01T00:00:00Z")
        .endMetadata()
        .build();
    assertThat(KindManifests.WORKLOADS.convert(
            PodGroup.of(List.of(member("a", "1", 2), deletedBeforeItRan))))
        .isInstanceOf(JobConversion.NotManaged.class);
  }

  @Test
  void theFirstPodIsEnoughForFastAdmission() {
    Pod first = annotated(member("a", "1", 5), MetadataKeys.POD_GROUP_FAST_ADMISSION, "true");
    assertThat(podSets(PodGroup.of(List.of(first)))).containsExactly("5 {cpu=1000}");
    assertThat(KIND.notManaged(PodGroup.of(List.of(first)))).isEmpty();
    assertThat(KIND.notManaged(PodGroup.of(List.of(phase(first, "Failed")))))
        .as("the first has failed")
        .isPresent();
  }

  @Test
  void theGroupIsAsOldAsTheLastPodItNeeded() {
    PodGroup group = PodGroup.of(List.of(
        at(member("a", "1", 2), "2026-01-01T00:00:00Z"),
        at(member("b", "1", 2), "2026-01-01T00:00:09Z"),
        at(member("c", "1", 2), "2026-01-01T00:00:20Z")));
    assertThat(KindManifests.WORKLOADS.convert(group).orElseThrow().workload().creationTime())
        .contains(Instant.parse("2026-01-01T00:00:09Z"));
  }

  @Test
  void excessPodsAreTheNewestThatWait() {
    Pod old = at(member("old", "1", 2), "2026-01-01T00:00:00Z");
    Pod young = at(member("young", "1", 2), "2026-01-01T00:00:02Z");
    Pod running = at(phase(pod("run", "1").build(), "Running"), "2026-01-01T00:00:03Z");
    Pod started = new PodBuilder(running)
        .editMetadata()
        .withAnnotations(old.getMetadata().getAnnotations())
        .endMetadata()
        .build();
    PodGroup group = PodGroup.of(List.of(young, started, old));
    assertThat(group.excess()).extracting(JobMetadata::name).containsExactly("young");
    assertThat(podSets(group)).containsExactly("2 {cpu=1000}");
    Pod finalized = new PodBuilder(young)
        .editMetadata()
        .addToFinalizers(MetadataKeys.MANAGED)
        .endMetadata()
        .build();
    assertThat(PodGroup.of(List.of(finalized, started, old)).excess())
        .extracting(JobMetadata::name)
        .containsExactly("old");
    assertThat(PodGroup.of(List.of(old, young)).excess()).isEmpty();
  }

  @Test
  void startsEveryPodThatWaitsWithWhatItsRoleGot() {
    Pod labelled = new PodBuilder(member("b", "1", 3))
        .editMetadata()
        .addToLabels("own", "label")
        .endMetadata()
        .build();
    Pod ended = phase(
        new PodBuilder(member("c", "1", 3))
            .editSpec()
            .withSchedulingGates()
            .endSpec()
            .build(),
        "Succeeded");
    PodGroup group = PodGroup.of(List.of(member("a", "2", 3), labelled, ended));
    Workload workload = KindManifests.WORKLOADS.convert(group).orElseThrow().workload();
    PodGroup started = EDITOR.start(group, workload, Jobs.admission(workload, "spot"), FLAVORS);

    assertThat(started.pods()).hasSize(3);
    assertThat(started.pods().get(2)).as("has ended").isEqualTo(ended);
    assertThat(started.pods().subList(0, 2)).allSatisfy(pod -> {
      assertThat(pod.getSpec().getSchedulingGates()).isEmpty();
      assertThat(pod.getSpec().getNodeSelector()).containsEntry("capacity", "spot");
      assertThat(pod.getSpec().getTolerations()).hasSize(1);
    });
    Pod second = started.pods().get(1);
    assertThat(second.getMetadata().getLabels())
        .containsEntry("own", "label")
        .containsEntry(
            "kueue.x-k8s.io/podset",
            KIND.podSets(group).stream()
                .filter(podSet -> podSet.count() == 2)
                .findFirst()
                .orElseThrow()
                .name());
    assertThat(started.pods().get(0).getMetadata().getLabels()).doesNotContainKey("own");
    assertThat(KIND.podSets(started))
        .as("the roles stay what they were")
        .extracting(JobPodSet::name)
        .isEqualTo(KIND.podSets(group).stream().map(JobPodSet::name).toList());
    assertThat(group.pods().get(0).getSpec().getSchedulingGates()).hasSize(1);
  }

  @Test
  void aPodOfTheGroupThatContradictsTheAdmissionIsAConflict() {
    Pod other = new PodBuilder(member("b", "1", 2))
        .editMetadata()
        .addToLabels("kueue.x-k8s.io/podset", "else")
        .endMetadata()
        .build();
    PodGroup group = PodGroup.of(List.of(member("a", "1", 2), other));
    Workload workload = KindManifests.WORKLOADS.convert(group).orElseThrow().workload();
    assertThatExceptionOfType(JobStartException.class)
        .isThrownBy(() -> EDITOR.start(group, workload, Jobs.admission(workload, "spot"), FLAVORS))
        .withMessageContaining("metadata.labels[kueue.x-k8s.io/podset] is \"else\"");
  }

  @Test
  void aGroupHasSucceededWhenEnoughPodsHave() {
    Pod done = phase(member("a", "1", 2), "Succeeded");
    Pod alsoDone = phase(member("b", "1", 2), "Succeeded");
    Pod failed = phase(member("c", "1", 2), "Failed");
    assertThat(KIND.outcome(PodGroup.of(List.of(done, member("b", "1", 2))))).isEmpty();
    assertThat(KIND.outcome(PodGroup.of(List.of(done, failed))))
        .as("a replacement may come")
        .isEmpty();
    assertThat(KIND.outcome(PodGroup.of(List.of(done, failed, alsoDone))))
        .contains(new JobKind.Outcome(true, "Pods succeeded: 2/2."));
    assertThat(KIND.outcome(PodGroup.of(List.of(
            done,
            annotated(
                phase(member("c", "1", 2), "Running"), MetadataKeys.RETRIABLE_IN_GROUP, "false")))))
        .as("one runs")
        .isEmpty();
    assertThat(KIND.outcome(PodGroup.of(
            List.of(done, annotated(failed, MetadataKeys.RETRIABLE_IN_GROUP, "false")))))
        .contains(new JobKind.Outcome(true, "Pods succeeded: 1/2."));
    assertThat(KIND.outcome(PodGroup.of(
            List.of(annotated(done, MetadataKeys.POD_GROUP_SERVING, "true"), alsoDone))))
        .as("a group that serves does not end")
        .isEmpty();
  }

  @Test
  void podsThatHaveSucceededNeedNoQuota() {
    PodGroup group =
        PodGroup.of(List.of(phase(member("a", "1", 2), "Succeeded"), member("b", "1", 2)));
    assertThat(KIND.reclaimablePods(group)).hasSize(1).containsValue(1);
    assertThat(KindManifests.WORKLOADS.convert(group).orElseThrow().reclaimablePods())
        .containsValue(1);
    PodGroup serving = PodGroup.of(List.of(
        annotated(phase(member("a", "1", 2), "Succeeded"), MetadataKeys.POD_GROUP_SERVING, "true"),
        member("b", "1", 2)));
    assertThat(KIND.reclaimablePods(serving)).isEmpty();
  }

  @Test
  void aDeletedPodCountsWhileItIsOnANode() {
    Pod deleted = new PodBuilder(member("a", "1", 1))
        .editMetadata()
        .withDeletionTimestamp("2026-01-01T00:00:00Z")
        .endMetadata()
        .build();
    Pod bound = new PodBuilder(deleted).editSpec().withNodeName("n").endSpec().build();
    assertThat(KIND.notManaged(PodGroup.of(List.of(deleted)))).isPresent();
    assertThat(KIND.notManaged(PodGroup.of(List.of(bound)))).isEmpty();
  }

  @Test
  void podsThatHaveEndedKeepTheirGates() {
    PodGroup group =
        PodGroup.of(List.of(phase(member("a", "1", 2), "Failed"), member("b", "1", 2)));
    assertThat(KIND.withSuspend(group, false).pods())
        .extracting(pod -> PodGates.isGated(pod.getSpec()))
        .containsExactly(true, false);
  }

  @Test
  void aPodThatIsStuckInDeletionIsNotActive() {
    Pod deleted = new PodBuilder(phase(member("a", "1", 1), "Running"))
        .editMetadata()
        .withDeletionTimestamp("2026-01-01T00:00:00Z")
        .withDeletionGracePeriodSeconds(30L)
        .endMetadata()
        .build();
    PodGroup group = PodGroup.of(List.of(deleted));
    assertThat(group.isActive(Instant.parse("2026-01-01T00:00:30Z"))).isTrue();
    assertThat(group.isActive(Instant.parse("2026-01-01T00:00:31Z"))).isFalse();
    assertThat(KIND.isActive(group)).as("without a clock").isTrue();
    assertThat(KIND.isActive(PodGroup.of(List.of(member("a", "1", 1))))).isFalse();
  }

  @Test
  void aGroupIsReadyWhenAllItsPodsAre() {
    Pod ready = new PodBuilder(member("a", "1", 1))
        .editOrNewStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
    assertThat(KIND.podsReady(PodGroup.of(List.of(ready)))).isTrue();
    assertThat(KIND.podsReady(PodGroup.of(List.of(member("a", "1", 1))))).isFalse();
    assertThat(KIND.podsReady(
            PodGroup.of(List.of(annotated(ready, MetadataKeys.POD_GROUP_TOTAL_COUNT, "2")))))
        .isFalse();
  }

  @Test
  void whatReplacesAPodThatHasFailedGetsAllThatTheOthersGot() {
    PodGroup group =
        PodGroup.of(List.of(at(member("a", "1", 2), "2026-01-01T00:00:00Z"), member("b", "1", 2)));
    Workload workload = KindManifests.WORKLOADS.convert(group).orElseThrow().workload();
    PodGroup started = EDITOR.start(group, workload, Jobs.admission(workload, "spot"), FLAVORS);
    PodGroup again = PodGroup.of(List.of(
        started.pods().get(0), phase(started.pods().get(1), "Failed"), member("c", "1", 2)));
    assertThat(EDITOR
            .start(again, workload, Jobs.admission(workload, "spot"), FLAVORS)
            .pods())
        .filteredOn(pod -> pod.getMetadata().getName().equals("c"))
        .singleElement()
        .satisfies(pod -> {
          assertThat(pod.getSpec().getSchedulingGates()).isEmpty();
          assertThat(pod.getSpec().getNodeSelector()).containsEntry("capacity", "spot");
        });
  }

  @Test
  void aGroupThatAnObjectHasMadeIsAdmittedInItsPlace() {
    Pod pod = new PodBuilder(
            annotated(member("a", "1", 1), MetadataKeys.POD_SUSPENDING_PARENT, "statefulset"))
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind("StatefulSet")
        .withName("web")
        .withUid("u")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .build();
    assertThat(KindManifests.WORKLOADS.convert(PodGroup.of(List.of(pod))))
        .isInstanceOf(JobConversion.Converted.class);
    assertThat(KindManifests.WORKLOADS.convert(PodGroup.of(List.of(withoutParent(pod)))))
        .isInstanceOf(JobConversion.NotManaged.class);
  }

  @Test
  void thePodsOfAStatefulSetAreItsGroup() {
    List<Pod> pods = List.of(
        PodGroup.member(pod("web-0", "1").build(), "statefulset-web-1", 2, "main"),
        PodGroup.member(pod("web-1", "1").build(), "statefulset-web-1", 2, "main"));
    PodGroup group = PodGroup.of(pods);
    assertThat(KIND.isSuspended(group)).isTrue();
    assertThat(KindManifests.WORKLOADS.convert(group).orElseThrow().workload().podSets())
        .extracting(KindManifests::text)
        .containsExactly("main x2 {cpu=1000}");
    assertThat(PodGroup.nameOf(pods.get(0))).isEqualTo("statefulset-web-1");
    assertThat(EDITOR.suspend(group)).isEqualTo(group);
  }
}
