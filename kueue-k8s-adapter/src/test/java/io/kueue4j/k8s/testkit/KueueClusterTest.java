package io.kueue4j.k8s.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.status.ObjectConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KueueClusterTest {
  private static final WorkloadId FIRST = WorkloadId.of("default", "first");
  private static final WorkloadId SECOND = WorkloadId.of("default", "second");
  private static final WorkloadId THIRD = WorkloadId.of("default", "third");

  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: any}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: team}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: queue}
      spec: {clusterQueue: team}
      """;

  /** Nothing is awaited: Kueue acts before a write returns. */
  @RegisterExtension
  static final KueueExtension KUEUE =
      KueueExtension.of(kueue -> kueue.timeout(Duration.ZERO).manifests(QUEUES));

  /** {@return a Workload of two pods that request 2 CPUs each, the quota of the queue} */
  private static String workload(WorkloadId id, String... fields) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: NAME, namespace: default}
        spec:
          queueName: queue
          FIELDS
          podSets:
          - name: main
            count: 2
            template:
              spec:
                restartPolicy: Never
                containers:
                - {name: main, image: train, resources: {requests: {cpu: 2}}}
        """.replace("NAME", id.name()).replace("FIELDS", String.join("\n  ", fields));
  }

  private static Resource<GenericKubernetesResource> stored(KueueCluster kueue, WorkloadId id) {
    return kueue
        .client()
        .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "Workload")
        .inNamespace(id.namespace())
        .withName(id.name());
  }

  /** As an operator does whose pods have stopped. */
  private static void resetAdmission(KueueCluster kueue, WorkloadId id) {
    List<Map<String, Object>> conditions = stored(kueue, id).get().get("status", "conditions");
    conditions.stream()
        .filter(condition -> "QuotaReserved".equals(condition.get("type")))
        .forEach(condition -> condition.put("status", "False"));
    String patch = "{\"status\": {\"admission\": null, \"conditions\": "
        + Serialization.asJson(conditions) + "}}";
    stored(kueue, id).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private static String reason(KueueCluster kueue, WorkloadId id, String type) {
    List<Map<String, Object>> conditions = stored(kueue, id).get().get("status", "conditions");
    return conditions.stream()
        .filter(condition -> type.equals(condition.get("type")))
        .map(condition -> condition.get("status") + " " + condition.get("reason"))
        .findFirst()
        .orElse("none");
  }

  @Test
  void admitsWhatFitsAndSaysWhyAnotherWaits(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND));

    GenericKubernetesResource admitted = kueue.admits(FIRST);
    assertThat(admitted.<String>get("status", "admission", "clusterQueue")).isEqualTo("team");
    assertThat(kueue.pends(SECOND)).contains("cpu in flavor any", "4 more needed");
    assertThat(kueue.isPending(SECOND)).isTrue();
    assertThat(reason(kueue, SECOND, "QuotaReserved")).isEqualTo("False WaitingForQuota");
    GenericKubernetesResource queue = kueue
        .client()
        .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "ClusterQueue")
        .withName("team")
        .get();
    Map<String, Object> status = queue.get("status");
    assertThat(status).containsEntry("admittedWorkloads", 1).containsEntry("pendingWorkloads", 1);

    kueue.finish(FIRST);
    kueue.admits(SECOND);
  }

  @Test
  void namesTheReasonWhenAWorkloadIsNotAdmitted(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND));

    assertThatThrownBy(() -> kueue.admits(SECOND))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Workload default/second is not admitted within 0 ms")
        .hasMessageContaining("4 more needed")
        .hasMessageContaining("it would be admitted if");
    assertThatThrownBy(() -> kueue.admits(THIRD))
        .hasMessageContaining(
            "there is no such Workload; there are [default/first, default/second]");
    assertThatThrownBy(() -> kueue.pends(FIRST)).hasMessageContaining("is not pending");
  }

  @Test
  void preemptsALowerPriorityAndWaitsForItsOperator(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND, "priority: 100"));

    assertThat(kueue.evicts(FIRST)).isEqualTo("Preempted");
    assertThat(reason(kueue, FIRST, "Preempted")).isEqualTo("True InClusterQueue");
    assertThat(kueue.isPending(SECOND)).as("its quota is still taken").isTrue();
    assertThatThrownBy(() -> kueue.pends(FIRST))
        .hasMessageContaining("holds its quota until its operator deletes it or resets");

    resetAdmission(kueue, FIRST);
    kueue.admits(SECOND);
    kueue.pends(FIRST);
    assertThat(reason(kueue, FIRST, "Requeued")).isEqualTo("True Preempted");
  }

  @Test
  void admitsThePreemptorWhenItsVictimIsDeleted(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND, "priority: 100"));
    stored(kueue, FIRST).delete();

    kueue.admits(SECOND);
    assertThat(kueue.evicts(FIRST)).as("although it is gone").isEqualTo("Preempted");
    assertThatThrownBy(() -> kueue.evicts(FIRST)).hasMessageContaining("no such Workload");
  }

  @Test
  void keepsTheQuotaOfADeletedWorkloadWithFinalizers(KueueCluster kueue) {
    kueue.apply(workload(FIRST)
        .replace("namespace: default", "namespace: default, finalizers: [example.com/stop]"));
    kueue.apply(workload(SECOND));
    stored(kueue, FIRST).delete();
    kueue.pends(SECOND);
    stored(kueue, FIRST).edit(workload -> {
      workload.getMetadata().setFinalizers(List.of());
      return workload;
    });

    kueue.admits(SECOND);
  }

  @Test
  void evictsWithoutReadyPodsAndRequeuesAfterTheBackoff(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.advance(Duration.ofMinutes(30));

    assertThat(kueue.evicts(FIRST)).isEqualTo("PodsReadyTimeout");
    kueue.podsStopped(FIRST);
    kueue.pends(FIRST);
    Map<String, Object> state = stored(kueue, FIRST).get().get("status", "requeueState");
    assertThat(state).containsEntry("count", 1);
    assertThat(Instant.parse(String.valueOf(state.get("requeueAt"))))
        .isEqualTo(kueue.clock().instant().plusSeconds(60));

    kueue.advance(Duration.ofSeconds(59));
    kueue.pends(FIRST);
    kueue.advance(Duration.ofSeconds(2));
    kueue.admits(FIRST);
  }

  @Test
  void keepsAWorkloadWhoseOperatorReportsReadyPods(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    stored(kueue, FIRST)
        .editStatus(workload -> ObjectConditions.set(
            workload, "PodsReady", true, "Started", "all run", kueue.clock().instant()));
    kueue.advance(Duration.ofHours(2));

    kueue.admits(FIRST);
  }

  @Test
  void evictsForTheReasonOfTheTest(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.evict(FIRST, EvictionReason.NODE_FAILURES);

    assertThat(kueue.evicts(FIRST)).isEqualTo("NodeFailures");
    kueue.podsStopped(FIRST);
    kueue.admits(FIRST);
    assertThatThrownBy(() -> kueue.podsStopped(FIRST)).hasMessageContaining("is not evicted");
    assertThatThrownBy(() -> kueue.evict(FIRST, EvictionReason.PREEMPTED))
        .hasMessageContaining("create a Workload of higher priority");
  }

  @Test
  void admitsWhenAdmissionChecksAreReady(KueueCluster kueue) {
    admitAndEvictByChecks(kueue);
  }

  private static void admitAndEvictByChecks(KueueCluster kueue) {
    kueue.apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: budget}
        spec: {controllerName: example.com/budget}
        status: {conditions: [{type: Active, status: "True", reason: Active, message: ""}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: team}
        spec:
          namespaceSelector: {}
          admissionChecksStrategy: {admissionChecks: [{name: budget}]}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
        """);
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND));
    assertThat(reason(kueue, FIRST, "QuotaReserved")).startsWith("True");
    assertThat(reason(kueue, FIRST, "Admitted")).startsWith("False");
    assertThatThrownBy(() -> kueue.admits(FIRST)).hasMessageContaining("budget");

    kueue.setCheck(FIRST, "budget", CheckState.READY);
    kueue.admits(FIRST);
    kueue.finish(FIRST);
    kueue.setCheck(SECOND, "budget", CheckState.REJECTED);
    assertThat(kueue.evicts(SECOND)).startsWith("Deactivated");
    assertThat(stored(kueue, SECOND).get().<Boolean>get("spec", "active")).isFalse();
    assertThatThrownBy(() -> kueue.setCheck(FIRST, "budget", CheckState.READY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A check controller of the operator writes the status itself. */
  @Test
  void followsAdmissionChecksThatOthersWrite(KueueCluster kueue) {
    admitAndEvictByChecks(kueue);
    stored(kueue, SECOND).delete();
    kueue.apply(workload(THIRD));
    stored(kueue, THIRD).editStatus(workload -> {
      List<Map<String, Object>> checks = workload.get("status", "admissionChecks");
      checks.get(0).put("state", "Ready");
      return workload;
    });

    kueue.admits(THIRD);
  }

  /** As the Java Operator SDK writes objects. */
  @Test
  void takesWhatOthersApply(KueueCluster kueue) {
    admitAndEvictByChecks(kueue);
    GenericKubernetesResource third =
        Serialization.unmarshal(workload(THIRD), GenericKubernetesResource.class);
    kueue.client().resource(third).serverSideApply();
    third.setAdditionalProperties(Map.of(
        "status", Map.of("admissionChecks", List.of(Map.of("name", "budget", "state", "Ready")))));
    stored(kueue, SECOND).delete();
    kueue
        .client()
        .resource(third)
        .subresource("status")
        .patch(PatchContext.of(PatchType.SERVER_SIDE_APPLY), third);

    assertThat(kueue.admits(THIRD).<String>get("spec", "queueName")).isEqualTo("queue");
    assertThat(reason(kueue, THIRD, "QuotaReserved")).startsWith("True");
  }

  @Test
  void refusesAnOutdatedStatus(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    GenericKubernetesResource outdated = stored(kueue, FIRST).get();
    kueue.finish(FIRST);

    assertThatThrownBy(() -> kueue.client().resource(outdated).updateStatus())
        .hasMessageContaining("has been modified");
    assertThatThrownBy(() -> kueue
            .client()
            .resource(outdated)
            .subresource("status")
            .patch(PatchContext.of(PatchType.SERVER_SIDE_APPLY), outdated))
        .hasMessageContaining("has been modified");
  }

  @Test
  void releasesADeactivatedWorkloadAtOnceAndQueuesItAgain(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND));
    kueue.apply(workload(FIRST, "active: false"));

    assertThat(kueue.evicts(FIRST)).isEqualTo("Deactivated");
    kueue.admits(SECOND);
    resetAdmission(kueue, FIRST);
    kueue.finish(SECOND);
    kueue.pends(FIRST);
    kueue.apply(workload(FIRST, "active: true"));
    kueue.admits(FIRST);
  }

  @Test
  void freesThePodsThatAreReclaimable(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND).replace("count: 2", "count: 1"));
    kueue.pends(SECOND);
    stored(kueue, FIRST).editStatus(workload -> {
      workload
          .<Map<String, Object>>get("status")
          .put("reclaimablePods", List.of(Map.of("name", "main", "count", 1)));
      return workload;
    });

    kueue.admits(SECOND);
  }

  @Test
  void reordersPendingWorkloadsByTheirPriority(KueueCluster kueue) {
    kueue.apply(workload(FIRST, "priority: 100"));
    kueue.apply(workload(SECOND));
    kueue.apply(workload(THIRD));
    kueue.apply(workload(THIRD, "priority: 50"));
    kueue.finish(FIRST);

    kueue.admits(THIRD);
    kueue.pends(SECOND);
  }

  @Test
  void lendsQuotaWithinACohort(KueueCluster kueue) {
    kueue.apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: all}
        spec:
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: team}
        spec:
          cohortName: all
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
        """);
    kueue.apply(workload(FIRST));
    kueue.apply(workload(SECOND));

    kueue.admits(FIRST);
    kueue.admits(SECOND);
  }

  @Test
  void placesPodsOnNodes(KueueCluster kueue) {
    kueue.apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Topology
        metadata: {name: racks}
        spec: {levels: [{nodeLabel: rack}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: any}
        spec: {topologyName: racks, nodeLabels: {pool: a}}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: node, labels: {pool: a, rack: r1}}
        status:
          allocatable: {cpu: 8, pods: 10}
          conditions: [{type: Ready, status: "True"}]
        """);
    String placed = workload(FIRST)
        .replace("  template:", "  topologyRequest: {required: rack}\n    template:");
    kueue.apply(placed);
    GenericKubernetesResource admitted = kueue.admits(FIRST);
    Map<String, Object> assignment =
        admitted.get("status", "admission", "podSetAssignments", 0, "topologyAssignment");
    assertThat(assignment).extractingByKey("levels").isEqualTo(List.of("rack"));

    kueue.finish(FIRST);
    kueue.client().nodes().withName("node").delete();
    kueue.apply(placed.replace("first", "second"));
    assertThat(kueue.pends(SECOND)).contains("topology");
  }

  @Test
  @SuppressWarnings("NullAway") // What callers without such a checker may pass.
  void saysWhatItExpectsOfTextThatIsNoObject(KueueCluster kueue) {
    for (String text : List.of("hello", "kind: ClusterQueue", "a: [1", "{\"kind\": 1}")) {
      assertThatThrownBy(() -> kueue.apply(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected YAML or JSON objects with apiVersion, kind and metadata");
    }
    assertThatThrownBy(() -> kueue.apply(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("apply: manifests is null");
  }

  @Test
  void reportsAnInvalidWorkloadAndAdmitsItWhenCorrected(KueueCluster kueue) {
    String invalid = workload(FIRST).replace("cpu: 2", "cpu: two");
    assertThatThrownBy(() -> kueue.apply(invalid))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Workload default/first")
        .hasMessageContaining("requests");
    assertThat(kueue.problems()).containsOnlyKeys("Workload default/first");
    assertThatThrownBy(() -> kueue.admits(FIRST)).hasMessageContaining("it is invalid");

    kueue.apply(workload(FIRST));
    kueue.admits(FIRST);
    assertThat(kueue.problems()).isEmpty();
  }

  @Test
  void reportsInvalidConfigurationInItsStatus(KueueCluster kueue) {
    assertThatThrownBy(() -> kueue.apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: other}
        spec: {namespaceSelector: {}, queueingStrategy: Random}
        """))
        .hasMessageContaining("ClusterQueue other")
        .hasMessageContaining("queueingStrategy");
    GenericKubernetesResource queue = kueue
        .client()
        .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "ClusterQueue")
        .withName("other")
        .get();

    assertThat(queue.<String>get("status", "conditions", 0, "reason"))
        .isEqualTo("InvalidConfiguration");
  }

  @Test
  void keepsADeletedClusterQueueUntilNoWorkloadNeedsIt(KueueCluster kueue) {
    kueue.apply(workload(FIRST));
    var queue = kueue
        .client()
        .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "ClusterQueue")
        .withName("team");
    queue.delete();
    assertThat(kueue.problems()).containsOnlyKeys("ClusterQueue team");

    kueue.finish(FIRST);
    assertThat(kueue.problems()).isEmpty();
    kueue.apply(workload(SECOND));
    assertThat(kueue.pends(SECOND)).contains("team");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1beta2"})
  void servesBothVersions(String version) {
    try (KueueCluster kueue = KueueCluster.builder()
        .manifests(QUEUES.replace("v1beta2", version))
        .now(Instant.parse("2030-01-01T00:00:00.5Z"))
        .start()) {
      kueue.apply(workload(FIRST).replace("v1beta2", version));

      GenericKubernetesResource admitted = kueue.admits(FIRST);
      assertThat(admitted.getApiVersion()).endsWith(version);
      assertThat(admitted.getMetadata().getCreationTimestamp()).isEqualTo("2030-01-01T00:00:00Z");
    }
  }
}
