package io.kueue4j.examples.docs;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The controller of the documentation starts and stops jobs. */
class JobAdmissionTest {
  @Test
  void aControllerOfOnesOwnStartsAndStopsJobs() {
    String all = """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: spot}
        spec: {nodeLabels: {pool: spot}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: research}
        spec:
          namespaceSelector: {}
          preemption: {withinClusterQueue: LowerPriority}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: queue, namespace: default}
        spec: {clusterQueue: research}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec:
          suspend: true
          template:
            spec:
              containers: [{name: main, resources: {requests: {cpu: 3}}}]
        """;
    Manifests manifests = ManifestReader.create().read(ManifestSource.of("all.yaml", all));
    Job train = manifests.items("batch", "Job").get(0).as(Job.class);
    train.getMetadata().setCreationTimestamp("2026-01-01T00:00:00Z");
    Job late = train.toBuilder()
        .editMetadata()
        .withName("late")
        .withCreationTimestamp("2026-01-01T00:00:01Z")
        .endMetadata()
        .build();
    Job contradicting = train.toBuilder()
        .editMetadata()
        .withName("contradicting")
        .withCreationTimestamp("2025-12-31T00:00:00Z")
        .endMetadata()
        .editSpec()
        .editTemplate()
        .editOrNewMetadata()
        .addToLabels("kueue.x-k8s.io/podset", "other")
        .endMetadata()
        .endTemplate()
        .endSpec()
        .build();
    List<HasMetadata> written = new ArrayList<>();
    JobAdmission admission = new JobAdmission(written::add);
    for (Manifest manifest : manifests.items()) {
      if (!manifest.is("batch", "Job")) {
        admission.seen(manifest.as(GenericKubernetesResource.class)).throwIfRefused();
      }
    }
    admission.seen(contradicting, train, late).throwIfRefused();
    admission.decide();

    assertThat(written).singleElement(as(type(Job.class))).satisfies(job -> {
      assertThat(job.getMetadata().getName()).isEqualTo("train");
      assertThat(job.getSpec().getSuspend()).isFalse();
      assertThat(job.getSpec().getTemplate().getSpec().getNodeSelector())
          .isEqualTo(Map.of("pool", "spot"));
    });

    Job ended = ((Job) written.get(0))
        .edit()
        .withNewStatus()
        .addNewCondition()
        .withType("Complete")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
    admission.seen(ended).throwIfRefused();
    admission.decide();
    assertThat(written)
        .extracting(job -> job.getMetadata().getName())
        .containsExactly("train", "late");

    GenericKubernetesResource draining = ManifestReader.create()
        .read(ManifestSource.of(
            "drain.yaml",
            all.replace(
                "namespaceSelector: {}", "stopPolicy: HoldAndDrain\n  namespaceSelector: {}")))
        .items("kueue.x-k8s.io", "ClusterQueue")
        .get(0)
        .as(GenericKubernetesResource.class);
    admission.seen(draining).throwIfRefused();
    assertThat(written).last().asInstanceOf(type(Job.class)).satisfies(job -> {
      assertThat(job.getMetadata().getName()).isEqualTo("late");
      assertThat(job.getSpec().getSuspend()).isTrue();
    });
  }
}
