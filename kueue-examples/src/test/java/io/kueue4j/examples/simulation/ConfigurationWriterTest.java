package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Configuration of former versions means the same in v1beta2. */
final class ConfigurationWriterTest {
  private static void assertKept(String given) {
    Manifests manifests = ManifestReader.create().read(ManifestSource.of("given.yaml", given));
    assertThat(GivenObject.of(manifests)).isNotEmpty();
    for (GivenObject config : GivenObject.of(manifests)) {
      GenericKubernetesResource written = ConfigurationWriter.write(config);
      Manifests read = ManifestReader.create().read(ManifestSource.of(written));

      assertThat(read.notes()).isEmpty();
      assertThat(read.configObjects()).containsExactly(config.object());
      assertThat(written.getApiVersion()).isEqualTo("kueue.x-k8s.io/v1beta2");
      assertThat(ManifestReader.create()
              .read(ManifestSource.of(written))
              .items()
              .get(0)
              .labels())
          .isEqualTo(
              config.object() instanceof ResourceFlavor
                  ? Map.of()
                  : config.manifest().labels());
    }
  }

  @Test
  void ofV1beta1() {
    assertKept("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ClusterQueue
        metadata: {name: full, labels: {team: a}}
        spec:
          cohort: pool
          queueingStrategy: StrictFIFO
          stopPolicy: Hold
          namespaceSelector:
            matchLabels: {team: a}
            matchExpressions: [{key: tier, operator: In, values: [one, two]}, {key: x, operator: Exists}]
          flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: Preempt}
          preemption:
            withinClusterQueue: LowerOrNewerEqualPriority
            reclaimWithinCohort: LowerPriority
            borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 100}
          admissionChecks: [budget]
          fairSharing: {weight: 2500m}
          admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
          resourceGroups:
          - coveredResources: [cpu, memory]
            flavors:
            - name: spot
              resources:
              - {name: cpu, nominalQuota: 1500m, borrowingLimit: 2, lendingLimit: 0}
              - {name: memory, nominalQuota: 10Gi}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: empty}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ClusterQueue
        metadata: {name: strategy}
        spec:
          namespaceSelector: {}
          admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [spot]}]}
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: lq, namespace: team-a}
        spec: {clusterQueue: full, stopPolicy: HoldAndDrain, fairSharing: {weight: 500m}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: spot}
        spec:
          nodeLabels: {pool: spot}
          nodeTaints: [{key: spot, value: "true", effect: NoSchedule}, {key: k, effect: NoExecute}]
          tolerations:
          - {key: spot, operator: Exists, effect: NoExecute, tolerationSeconds: 60}
          - {key: a, value: b}
          topologyName: racks
        ---
        {apiVersion: kueue.x-k8s.io/v1beta1, kind: WorkloadPriorityClass, metadata: {name: high}, value: 7}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta1, kind: AdmissionCheck, metadata: {name: budget},
         spec: {controllerName: example.com/budget}}
        """);
  }

  @Test
  void ofQuotaWithoutEnd() {
    assertKept("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ClusterQueue
        metadata: {name: endless}
        spec:
          cohort: pool
          resourceGroups:
          - coveredResources: [cpu, memory]
            flavors:
            - name: default
              resources:
              - {name: cpu, nominalQuota: 9223372036854775807}
              - {name: memory, nominalQuota: 0, borrowingLimit: 9223372036854775807}
        """);
  }

  @Test
  void ofV1alpha1() {
    assertKept("""
        apiVersion: kueue.x-k8s.io/v1alpha1
        kind: ClusterQueue
        metadata: {name: first}
        spec:
          namespaceSelector: {}
          resources:
          - name: cpu
            flavors: [{name: default, quota: {min: 9, max: 12}}]
        ---
        {apiVersion: kueue.x-k8s.io/v1alpha1, kind: Queue, metadata: {name: main, namespace: default},
         spec: {clusterQueue: first}}
        ---
        {apiVersion: kueue.x-k8s.io/v1alpha1, kind: ResourceFlavor, metadata: {name: default},
         labels: {pool: a}, taints: [{key: k, effect: NoSchedule}]}
        ---
        {apiVersion: kueue.x-k8s.io/v1alpha1, kind: Cohort, metadata: {name: child}, spec: {parent: root}}
        ---
        {apiVersion: kueue.x-k8s.io/v1alpha1, kind: Topology, metadata: {name: racks},
         spec: {levels: [{nodeLabel: block}, {nodeLabel: kubernetes.io/hostname}]}}
        """);
  }

  @Test
  void ofV1alpha2() {
    assertKept("""
        {apiVersion: kueue.x-k8s.io/v1alpha2, kind: ResourceFlavor,
         metadata: {name: spot, labels: {pool: spot}}, taints: [{key: k, effect: NoSchedule}]}
        """);
  }
}
