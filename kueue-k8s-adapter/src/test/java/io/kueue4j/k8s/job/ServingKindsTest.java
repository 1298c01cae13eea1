package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * LeaderWorkerSets, StatefulSets and Deployments: objects whose pods are started, not the objects.
 */
class ServingKindsTest {
  private static final JobEditor EDITOR = JobEditor.of(JobKinds.all());
  private static final ImmutableList<GenericKubernetesResource> OBJECTS =
      ImmutableList.copyOf(Jobs.read("serving.yaml", GenericKubernetesResource.class));

  private static GenericKubernetesResource get(String kind, String name) {
    return KindManifests.copy(OBJECTS.stream()
        .filter(object ->
            object.getKind().equals(kind) && object.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow());
  }

  private static GenericKubernetesResource withReplicas(GenericKubernetesResource job, int count) {
    return KindManifests.with(job, RawPath.of("spec.replicas"), count);
  }

  private static List<Workload> workloads(GenericKubernetesResource job) {
    return KindManifests.WORKLOADS.convertAll(job).stream()
        .map(conversion -> conversion.orElseThrow().workload())
        .toList();
  }

  @Test
  void replicasHaveBounds() {
    for (String name : List.of("lws", "equal")) {
      GenericKubernetesResource set = get("LeaderWorkerSet", name);
      assertThat(KindManifests.violations(withReplicas(set, -1)))
          .containsExactly("spec.replicas: -1; expected 0 or more");
      assertThat(KindManifests.violations(withReplicas(set, 1_000_001)))
          .containsExactly(
              "spec.replicas: 1000001; expected at most 1000000, each is one workload");
    }
  }

  @Test
  void aMillionGroupsAreMadeOneByOne() {
    List<JobConversion> conversions =
        KindManifests.WORKLOADS.convertAll(withReplicas(get("LeaderWorkerSet", "lws"), 1_000_000));
    assertThat(conversions.size()).isEqualTo(1_000_000);
    assertThat(conversions.get(999_999).orElseThrow().jobName()).isEqualTo("lws-999999");
    assertThat(conversions.get(999_999).orElseThrow().workload().name())
        .isEqualTo(
            WorkloadNames.of("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "lws-999999", "u-1"));
    assertThat(conversions.get(7)).as("none is kept").isNotSameAs(conversions.get(7));
    assertThat(conversions.get(7).orElseThrow().workload().podSets().get(0))
        .as("what is equal is shared")
        .isSameAs(conversions.get(8).orElseThrow().workload().podSets().get(0));
  }

  @Test
  void aGroupOfPodSetsNeedsALeaderTemplate() {
    GenericKubernetesResource set = KindManifests.with(
        get("LeaderWorkerSet", "equal"),
        RawPath.of("spec.leaderWorkerTemplate.workerTemplate.metadata.annotations"),
        Map.of(
            "kueue.x-k8s.io/podset-group-name", "ring",
            "kueue.x-k8s.io/podset-preferred-topology", "rack"));
    assertThat(KindManifests.violations(set))
        .containsExactly("spec.leaderWorkerTemplate.workerTemplate.metadata.annotations["
            + "kueue.x-k8s.io/podset-group-name]: \"ring\" is the group of 1 pod sets; expected"
            + " exactly 2: a leader and its workers");
  }

  @Test
  void everyGroupOfALeaderWorkerSetIsAdmittedByItself() {
    List<Workload> workloads = workloads(get("LeaderWorkerSet", "lws"));
    assertThat(workloads).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(workloads.get(i).name())
          .isEqualTo(
              WorkloadNames.of("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "lws-" + i, "u-1"));
      assertThat(workloads.get(i).podSets())
          .extracting(KindManifests::text)
          .containsExactly("leader x1 {cpu=2000}", "worker x3 {cpu=1000}");
      assertThat(workloads.get(i).priority()).isEqualTo(7);
    }
    PodSet worker = workloads.get(0).podSets().get(1);
    assertThat(worker.topologyRequest().podIndexLabel())
        .isEqualTo(Optional.of("leaderworkerset.sigs.k8s.io/worker-index"));
  }

  @Test
  void withoutALeaderAllPodsAreOfOnePodSet() {
    List<Workload> workloads = workloads(get("LeaderWorkerSet", "equal"));
    assertThat(workloads).hasSize(1);
    assertThat(workloads.get(0).podSets())
        .extracting(KindManifests::text)
        .containsExactly("main x2 {cpu=1000}");
  }

  @Test
  void aLeaderMayBeAlone() {
    GenericKubernetesResource job = KindManifests.with(
        get("LeaderWorkerSet", "lws"), RawPath.of("spec.leaderWorkerTemplate.size"), 1);
    assertThat(workloads(job).get(0).podSets())
        .extracting(KindManifests::text)
        .containsExactly("leader x1 {cpu=2000}", "worker x0 {cpu=1000}");
    assertThat(KindManifests.violations(
            KindManifests.with(job, RawPath.of("spec.leaderWorkerTemplate.size"), 0)))
        .containsExactly("spec.leaderWorkerTemplate.size: 0; expected at least the leader");
  }

  @Test
  void aStatefulSetIsOneGroup() {
    List<Workload> workloads = workloads(get("StatefulSet", "web"));
    assertThat(workloads).hasSize(1);
    assertThat(workloads.get(0).name())
        .isEqualTo(WorkloadNames.of("apps", "StatefulSet", "web", ""));
    assertThat(workloads.get(0).podSets())
        .extracting(KindManifests::text)
        .containsExactly("main x3 {cpu=100}");
  }

  @Test
  void withoutReplicasNothingIsAdmitted() {
    for (String kind : List.of("StatefulSet", "Deployment")) {
      assertThat(KindManifests.WORKLOADS.convertAll(withReplicas(get(kind, "web"), 0)))
          .containsExactly(new JobConversion.NotManaged(
              JobConversion.Reason.ON_HOLD,
              kind + " team-a/web has 0 replicas; it needs no quota"));
    }
    assertThat(KindManifests.WORKLOADS.convert(withReplicas(get("LeaderWorkerSet", "lws"), 0)))
        .isInstanceOf(JobConversion.NotManaged.class);
  }

  @Test
  void everyPodOfADeploymentIsAdmittedByItself() {
    List<Workload> workloads = workloads(get("Deployment", "web"));
    assertThat(workloads).hasSize(2);
    assertThat(workloads)
        .allSatisfy(workload -> {
          assertThat(workload.queueName()).isEqualTo("lq");
          assertThat(workload.priority()).isEqualTo(7);
          assertThat(workload.podSets())
              .extracting(KindManifests::text)
              .containsExactly("main x1 {cpu=100}");
        })
        .extracting(Workload::name)
        .containsExactly(
            WorkloadNames.of("", "Pod", "web-0", ""), WorkloadNames.of("", "Pod", "web-1", ""));
  }

  @Test
  void whatIsWrongWithADeploymentIsSaidOnceAndInItsOwnFields() {
    assertThat(KindManifests.WORKLOADS.convertAll(KindManifests.with(
            get("Deployment", "web"), RawPath.of("spec.template.spec.containers"), List.of())))
        .singleElement()
        .satisfies(conversion -> assertThat(
                ((JobConversion.Invalid) conversion).violations().get(0).field())
            .isEqualTo("spec.template.spec.containers"));
    assertThat(KindManifests.violations(withReplicas(get("Deployment", "web"), -1)))
        .containsExactly("spec.replicas: -1; expected 0 or more");
  }

  @Test
  void suspendedTheyMakePodsThatWait() {
    GenericKubernetesResource waiting = EDITOR.suspend(get("Deployment", "web"));
    assertThat(JobKinds.all().get(waiting).isSuspended(waiting)).isTrue();
    assertThat(waiting.<Map<String, String>>get("spec", "template", "metadata", "labels"))
        .containsExactly(
            Map.entry("app", "web"),
            Map.entry("kueue.x-k8s.io/managed", "true"),
            Map.entry("kueue.x-k8s.io/queue-name", "lq"),
            Map.entry("kueue.x-k8s.io/priority-class", "high"));
    assertThat(waiting.<Map<String, String>>get("spec", "template", "metadata", "annotations"))
        .containsExactly(Map.entry("kueue.x-k8s.io/pod-suspending-parent", "deployment"));
    assertThat(waiting.<List<Object>>get("spec", "template", "spec", "schedulingGates"))
        .containsExactly(Map.of("name", "kueue.x-k8s.io/admission"));
    assertThat(EDITOR.suspend(waiting)).isEqualTo(waiting);

    GenericKubernetesResource group = EDITOR.suspend(get("LeaderWorkerSet", "lws"));
    assertThat(group.<Map<String, String>>get(
            "spec", "leaderWorkerTemplate", "workerTemplate", "metadata", "annotations"))
        .containsEntry("kueue.x-k8s.io/pod-group-serving", "true")
        .containsEntry("kueue.x-k8s.io/pod-index-offset", "1");
    assertThat(group.<Map<String, String>>get(
            "spec", "leaderWorkerTemplate", "leaderTemplate", "metadata", "annotations"))
        .doesNotContainKey("kueue.x-k8s.io/pod-index-offset");
  }

  @Test
  void theirTemplatesLoseTheGateAgain() {
    JobKind<GenericKubernetesResource> kind = JobKinds.all().get(get("StatefulSet", "web"));
    GenericKubernetesResource open =
        kind.withSuspend(EDITOR.suspend(get("StatefulSet", "web")), false);
    assertThat(kind.isSuspended(open)).isFalse();
    assertThat(open.<List<Object>>get("spec", "template", "spec", "schedulingGates"))
        .isEmpty();
  }

  @Test
  void theyAreNotStartedThemselves() {
    GenericKubernetesResource web = get("StatefulSet", "web");
    Workload workload = workloads(web).get(0);
    assertThatExceptionOfType(JobStartException.class)
        .isThrownBy(() -> EDITOR.start(web, workload, Jobs.admission(workload, "f"), Map.of()))
        .withMessageStartingWith("StatefulSet team-a/web is not started itself; start its pods")
        .returns(JobStartException.Problem.STARTS_BY_PODS, JobStartException::problem);
  }

  @Test
  void whatAnotherFrameworkHasMadeIsItsOwn() {
    GenericKubernetesResource made = KindManifests.with(
        get("StatefulSet", "web"),
        RawPath.of("spec.template.metadata.annotations"),
        Map.of("kueue.x-k8s.io/pod-suspending-parent", LeaderWorkerSetKind.FRAMEWORK));
    assertThat(KindManifests.WORKLOADS.convert(made))
        .isEqualTo(new JobConversion.NotManaged(
            JobConversion.Reason.MANAGED_BY_PARENT,
            "StatefulSet team-a/web belongs to a leaderworkerset.x-k8s.io/leaderworkerset, which is"
                + " admitted as a whole"));
  }

  @Test
  void readsTheStatus() {
    JobKind<GenericKubernetesResource> kind = JobKinds.all().get(get("StatefulSet", "web"));
    assertThat(kind.isActive(get("StatefulSet", "web"))).isFalse();
    GenericKubernetesResource two =
        KindManifests.with(get("StatefulSet", "web"), RawPath.of("status.readyReplicas"), 2);
    assertThat(kind.isActive(two)).isTrue();
    assertThat(kind.podsReady(two)).isFalse();
    assertThat(kind.podsReady(withReplicas(two, 2))).isTrue();
    assertThat(kind.outcome(two)).isEmpty();
  }

  private static Pod labelled(String... labels) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      map.put(labels[i], labels[i + 1]);
    }
    return new PodBuilder()
        .withNewMetadata()
        .withName("p")
        .withNamespace("team-a")
        .withLabels(map)
        .endMetadata()
        .build();
  }

  private static Optional<JobKind.Membership> membership(GenericKubernetesResource job, Pod pod) {
    return JobKinds.all().find(job).orElseThrow().membership(job, pod);
  }

  @Test
  void thePodsOfALeaderWorkerSetKnowTheirGroupByLabels() {
    GenericKubernetesResource lws = get("LeaderWorkerSet", "lws");
    String[] labels = {
      "leaderworkerset.sigs.k8s.io/name", "lws",
      "leaderworkerset.sigs.k8s.io/group-index", "2",
      "leaderworkerset.sigs.k8s.io/worker-index", "0"
    };
    String group = workloads(lws).get(2).name();
    assertThat(membership(lws, labelled(labels)))
        .contains(new JobKind.Membership(group, 4, "leader", false));
    labels[5] = "3";
    assertThat(membership(lws, labelled(labels)))
        .contains(new JobKind.Membership(group, 4, "worker", false));
    GenericKubernetesResource equal = get("LeaderWorkerSet", "equal");
    assertThat(membership(equal, labelled(labels))).isEmpty();
    labels[1] = "equal";
    assertThat(membership(equal, labelled(labels)))
        .map(JobKind.Membership::role)
        .contains("main");
    assertThat(membership(lws, labelled())).isEmpty();
  }

  @Test
  void thePodsOfAStatefulSetAreThoseThatItControls() {
    GenericKubernetesResource web = get("StatefulSet", "web");
    web.getMetadata().setUid("u-2");
    Pod pod = new PodBuilder(labelled())
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind("StatefulSet")
        .withName("web")
        .withUid("u-2")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .build();
    JobKind.Membership membership = membership(web, pod).orElseThrow();
    assertThat(membership)
        .isEqualTo(new JobKind.Membership(workloads(web).get(0).name(), 3, "main", true));
    web.getMetadata().setUid("u-3");
    assertThat(membership(web, pod)).as("another of the same name").isEmpty();
    assertThat(membership(get("Deployment", "web"), pod)).isEmpty();
    Pod member = membership.applyTo(pod);
    assertThat(PodGroup.nameOf(member)).isEqualTo(membership.group());
    assertThat(PodGroup.of(List.of(member)).totalCount()).hasValue(3);
    assertThat(member.getMetadata().getAnnotations())
        .containsEntry("kueue.x-k8s.io/role-hash", "main")
        .containsEntry("kueue.x-k8s.io/pod-group-fast-admission", "true");
  }
}
