package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.internal.job.ManifestJob;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobReferences;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobReferencesTest {
  private final JobReferences references = JobReferences.create();

  private static List<Manifest> read(String text) {
    return ManifestReader.create().read(ManifestSource.of("x.yaml", text)).items();
  }

  private void put(String text) {
    read(text).forEach(references::put);
  }

  private JobConversion convert(String kind) {
    Manifest job = LiveObjectsTest.text("objects/all-kinds.yaml").items().stream()
        .filter(item -> item.kind().equals(kind))
        .findFirst()
        .orElseThrow();
    ManifestJob found =
        ManifestJob.findAll(ImmutableList.of(job), references.kinds()).get(0);
    return references.resolve(found.job(), references.workloads().build().convert(found.job()));
  }

  @Test
  void aJobIsConvertedWithAllThatItRefersTo() {
    LiveObjectsTest.text("objects/all-kinds.yaml").items().forEach(references::put);

    Workload workload = convert("Job").orElseThrow().workload();

    assertThat(workload.priority()).isEqualTo(1000);
    // 250m of the LimitRange and 100m of the RuntimeClass, and a device of the claim.
    assertThat(workload.podSets().get(0).requests())
        .containsEntry("cpu", 350L)
        .containsEntry("gpus", 1L);
    assertThat(convert("TrainJob")).isInstanceOf(JobConversion.Converted.class);
  }

  @Test
  void devicesOfStoredWorkloadsAreCounted() {
    Manifest stored = read("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: stored}
        spec:
          queueName: main
          podSets:
          - name: main
            count: 1
            template:
              spec:
                resourceClaims: [{name: gpu, resourceClaimTemplateName: two-gpus}]
                containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
        """).get(0);
    assertThat(references.read(stored).workload().admissibilityProblems())
        .containsExactly(
            "spec.podSets[0].template.spec.resourceClaims[0].resourceClaimTemplateName:"
                + " there is no ResourceClaimTemplate two-gpus in namespace default");

    put("""
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: two-gpus}
        spec:
          spec:
            devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.com, count: 2}}]}
        """);
    put("""
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        resources: {deviceClassMappings: [{name: gpus, deviceClassNames: [gpu.com]}]}
        """);
    Workload workload = references.read(stored).workload();
    assertThat(workload.admissibilityProblems()).isEmpty();
    assertThat(workload.podSets().get(0).requests())
        .containsOnly(Map.entry("cpu", 1000L), Map.entry("gpus", 2L));
    assertThat(workload.podSets().get(0).podRequests())
        .contains(ImmutableSortedMap.of("cpu", 1000L));
  }

  @Test
  void whatIsRemovedIsNotFoundAnyMore() {
    List<Manifest> items = LiveObjectsTest.text("objects/all-kinds.yaml").items();
    items.forEach(references::put);
    items.stream().filter(item -> item.kind().equals("WorkloadPriorityClass")).forEach(item -> {
      assertThat(references.remove(item)).isTrue();
      assertThat(references.remove(item)).isFalse();
    });

    assertThat(convert("Job")).isInstanceOf(JobConversion.Invalid.class);
  }

  @Test
  void theLastOfOneNameCounts() {
    LiveObjectsTest.text("objects/all-kinds.yaml").items().forEach(references::put);
    put("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: high}
        value: 7
        """);

    assertThat(convert("Job").orElseThrow().workload().priority()).isEqualTo(7);
  }

  @Test
  void otherKindsArePassedOver() {
    Manifest queue =
        read("{apiVersion: v1, kind: Namespace, metadata: {name: x}}").get(0);

    assertThat(references.put(queue)).isFalse();
    assertThat(references.remove(queue)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, value: 1}; metadata.name",
        "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, handler: x}; metadata.name",
        "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration,"
            + " resources: {deviceClassMappings: [{name: x}]}}; deviceClassNames",
      })
  void whatJobsCannotUseIsRefusedWithItsPlace(String text, String field) {
    Manifest object = read(text).get(0);

    assertThatThrownBy(() -> references.put(object))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith("x.yaml: document 1, line 1")
        .hasMessageContaining(field);
    JobWorkloads workloads = references.workloads().build();
    assertThat(workloads.priorityClasses()).isEmpty();
  }

  @Test
  void objectsOfClientsStayAsTheyAre() {
    GenericKubernetesResource claim = read("""
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: one-gpu}
        spec: {spec: {devices: {requests: []}}}
        """).get(0).as(GenericKubernetesResource.class);
    ManifestReader.create().read(ManifestSource.of(claim)).items().forEach(references::put);

    Job job = read("""
        apiVersion: batch/v1
        kind: Job
        metadata: {name: x, labels: {kueue.x-k8s.io/queue-name: main}}
        spec:
          template:
            spec:
              resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
              containers: [{name: c, image: i}]
        """).get(0).as(Job.class);
    // A template without a namespace is in the default one, as the job is.
    assertThat(references
            .workloads()
            .build()
            .convert(job)
            .orElseThrow()
            .workload()
            .admissibilityProblems())
        .isEmpty();
    assertThat(claim.getMetadata().getNamespace()).isNull();
    assertThat(ManifestJob.findAll(
            read("{apiVersion: batch/v1, kind: Job, metadata: {name: x}}"), references.kinds()))
        .extracting(ManifestJob::job)
        .hasOnlyElementsOfType(Job.class);
  }

  @Test
  void theCallerMayDecideWhichPodsAreJobs() {
    ImmutableList<Manifest> pods = ImmutableList.of("waits", "runs").stream()
        .map(name -> read("""
            apiVersion: v1
            kind: Pod
            metadata:
              name: %1$s
              labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/pod-group-name: group}
            spec: {%2$s containers: [{name: c}]}
            """.formatted(name, name.equals("runs") ? "nodeName: node-1," : ""))
            .get(0))
        .collect(ImmutableList.toImmutableList());

    assertThat(ManifestJob.findAll(pods, references.kinds()))
        .singleElement()
        .returns(pods.subList(0, 1), ManifestJob::manifests);
    assertThat(ManifestJob.findAll(pods, references.kinds(), pod -> true))
        .singleElement()
        .returns(pods, ManifestJob::manifests);
    assertThat(ManifestJob.findAll(pods, references.kinds(), pod -> false)).isEmpty();
  }
}
