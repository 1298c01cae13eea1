package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.dra.DeviceClassMapping;
import io.kueue4j.k8s.internal.dra.DeviceClassMappings;
import io.kueue4j.k8s.internal.dra.ResourceClaims;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The counting of devices; rules D-1, D-2, D-4. */
class ResourceClaimsTest {
  private static final DeviceClassMapping GPUS =
      DeviceClassMapping.of("whole-gpus", "gpu.nvidia.com", "gpu.amd.com");

  private static Manifests read(String yaml) {
    return ManifestReader.create().read(ManifestSource.of("test.yaml", yaml));
  }

  private static GenericKubernetesResource object(String yaml) {
    return read(yaml).items().get(0).as(GenericKubernetesResource.class);
  }

  private static GenericKubernetesResource template(String version, String requests) {
    return object("""
        apiVersion: resource.k8s.io/%s
        kind: ResourceClaimTemplate
        metadata: {name: claim, namespace: team}
        spec:
          spec:
            devices:
              requests: %s
        """.formatted(version, requests));
  }

  private static GenericKubernetesResource deviceClass(String name, String resource, String time) {
    return object("""
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: %s, creationTimestamp: "%s"}
        spec: {extendedResourceName: %s}
        """.formatted(name, time, resource));
  }

  private static ResourceClaims claiming(String requests) {
    return ResourceClaims.builder()
        .addMappings(GPUS)
        .addClaimTemplates(template("v1", requests))
        .build();
  }

  private static Job job(String claims, String containers) {
    return read("""
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: train
              namespace: team
              labels: {kueue.x-k8s.io/queue-name: lq}
            spec:
              parallelism: 3
              completions: 3
              suspend: true
              template:
                spec:
                  restartPolicy: Never
                  resourceClaims: %s
                  %s
            """.formatted(claims, containers)).items().get(0).as(Job.class);
  }

  private static final String ONE_CPU =
      "containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]";
  private static final String ONE_CLAIM = "[{name: gpu, resourceClaimTemplateName: claim}]";

  private static Workload workload(ResourceClaims claims, Job job) {
    return JobWorkloads.builder()
        .resourceClaims(claims)
        .build()
        .convert(job)
        .orElseThrow()
        .workload();
  }

  private static Workload workload(ResourceClaims claims) {
    return workload(claims, job(ONE_CLAIM, ONE_CPU));
  }

  private static PodSet podSet(ResourceClaims claims) {
    Workload workload = workload(claims);
    assertThat(workload.admissibilityProblems()).isEmpty();
    return workload.podSets().get(0);
  }

  @Nested
  class Templates {
    @Test
    void devicesCountAsTheResourceThatTheirClassIsMappedTo() {
      PodSet podSet =
          podSet(claiming("[{name: a, exactly: {deviceClassName: gpu.nvidia.com, count: 2}}]"));
      assertThat(podSet.requests())
          .isEqualTo(ImmutableSortedMap.of("cpu", 1000L, "whole-gpus", 2L));
      assertThat(podSet.podRequests()).contains(ImmutableSortedMap.of("cpu", 1000L));
      assertThat(podSet.count()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
      "v1, '[{name: a, exactly: {deviceClassName: gpu.amd.com, allocationMode: ExactCount, count: 2}}]'",
      "v1beta2, '[{name: a, exactly: {deviceClassName: gpu.amd.com, count: 2}}]'",
      "v1beta1, '[{name: a, deviceClassName: gpu.amd.com, allocationMode: ExactCount, count: 2}]'",
      "v1beta1, '[{name: a, deviceClassName: gpu.amd.com}, {name: b, deviceClassName: gpu.nvidia.com}]'",
    })
    void everyVersionIsUnderstood(String version, String requests) {
      ResourceClaims claims = ResourceClaims.builder()
          .addMappings(GPUS)
          .addClaimTemplates(template(version, requests))
          .build();
      assertThat(podSet(claims).requests()).containsEntry("whole-gpus", 2L);
    }

    @Test
    void claimsAddUp() {
      ResourceClaims claims =
          claiming("[{name: a, exactly: {deviceClassName: gpu.nvidia.com, count: 2}}]");
      Workload workload = workload(
          claims,
          job(
              "[{name: x, resourceClaimTemplateName: claim},"
                  + " {name: z, resourceClaimTemplateName: claim}]",
              "containers: [{name: c, image: i, resources: {requests: {whole-gpus: 1}}}]"));
      assertThat(workload.podSets().get(0).requests()).containsEntry("whole-gpus", 5L);
    }

    @Test
    void administrationCostsNothing() {
      ResourceClaims claims = claiming(
          "[{name: a, exactly: {deviceClassName: unmapped, adminAccess: true, count: 8}}]");
      assertThat(podSet(claims).requests()).containsOnlyKeys("cpu");
    }

    @Test
    void sumsDoNotOverflow() {
      ResourceClaims claims = claiming(
          "[{name: a, exactly: {deviceClassName: gpu.nvidia.com, count: 9223372036854775807}},"
              + " {name: b, exactly: {deviceClassName: gpu.amd.com, count: 9223372036854775807}}]");
      assertThat(podSet(claims).requests()).containsEntry("whole-gpus", Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
      "'[{name: a, exactly: {deviceClassName: other}}]', devices.requests[0].exactly: DeviceClass"
          + " other is not mapped",
      "'[{name: a, exactly: {deviceClassName: gpu.amd.com, allocationMode: All}}]',"
          + " devices.requests[0].exactly.allocationMode \"All\" is not supported",
      "'[{name: a, firstAvailable: [{name: x, deviceClassName: gpu.amd.com}]}]',"
          + " devices.requests[0].firstAvailable choosing among alternatives",
      "'[{name: a}]', devices.requests[0] asks for nothing",
      "'[{name: a, exactly: {count: 2}}]', devices.requests[0].exactly.deviceClassName missing",
      "'[{name: a, exactly: {deviceClassName: gpu.amd.com, count: -2}}]',"
          + " devices.requests[0].exactly.count is -2",
      "'[{name: a, exactly: {deviceClassName: gpu.amd.com, count: many}}]',"
          + " devices.requests[0].exactly.count is many",
      "'[7]', devices.requests[0] is no mapping",
      "'{}', devices.requests is no list",
    })
    void whatCannotBeCountedIsNotAdmitted(String requests, String problem) {
      Workload workload = workload(claiming(requests));
      assertThat(workload.admissibilityProblems()).hasSize(1);
      assertThat(workload.admissibilityProblems().get(0))
          .startsWith("spec.template.spec.resourceClaims[0]: ResourceClaimTemplate claim: ")
          .contains(problem);
      assertThat(workload.podSets().get(0).requests()).containsOnlyKeys("cpu");
    }

    @Test
    void classesThatAreCountedOtherwiseAreNotAdmitted() {
      ResourceClaims claims = ResourceClaims.builder()
          .addMappings(
              new DeviceClassMapping("memory", ImmutableList.of("mig"), ImmutableList.of(), true))
          .addClaimTemplates(template("v1", "[{name: a, exactly: {deviceClassName: mig}}]"))
          .build();
      assertThat(workload(claims).admissibilityProblems().get(0))
          .contains("counted by capacities, which is not supported");
    }

    @Test
    void claimsThatPodsShareAreNotAdmitted() {
      Workload workload =
          workload(claiming("[]"), job("[{name: gpu, resourceClaimName: shared}]", ONE_CPU));
      assertThat(workload.admissibilityProblems())
          .singleElement()
          .asString()
          .startsWith("spec.template.spec.resourceClaims[0].resourceClaimName: ");
    }

    @Test
    void withoutTheTemplateThereIsNoAdmission() {
      assertThat(workload(ResourceClaims.none()).admissibilityProblems())
          .containsExactly(
              "spec.template.spec.resourceClaims[0].resourceClaimTemplateName: there is"
                  + " no ResourceClaimTemplate claim in namespace team");
    }

    @Test
    void templatesOfOtherNamespacesAreOfNoUse() {
      Job job = job(ONE_CLAIM, ONE_CPU);
      job.getMetadata().setNamespace("other");
      Workload workload =
          workload(claiming("[{name: a, exactly: {deviceClassName: gpu.nvidia.com}}]"), job);
      assertThat(workload.admissibilityProblems()).hasSize(1);
    }

    @Test
    void podsWithoutClaimsAreAsBefore() {
      Workload with = workload(
          claiming("[{name: a, exactly: {deviceClassName: gpu.nvidia.com}}]"), job("[]", ONE_CPU));
      assertThat(with).isEqualTo(workload(ResourceClaims.none(), job("[]", ONE_CPU)));
    }
  }

  @Nested
  class Extended {
    private static final String GPU = "example.com/gpu";

    private static String containers(String... requests) {
      return "containers: ["
          + String.join(
              ", ",
              Arrays.stream(requests)
                  .map(amount -> "{name: c, image: i, resources: {limits: {example.com/gpu: \""
                      + amount + "\"}}}")
                  .toList())
          + "]";
    }

    private static ResourceClaims backed(String... classes) {
      ResourceClaims.Builder claims = ResourceClaims.builder().addMappings(GPUS);
      for (String deviceClass : classes) {
        claims.addDeviceClasses(deviceClass(deviceClass, GPU, "2026-01-01T00:00:00Z"));
      }
      return claims.build();
    }

    @Test
    void theyCountAsTheirClassIsMapped() {
      PodSet podSet = workload(backed("gpu.nvidia.com"), job("[]", containers("2", "1")))
          .podSets()
          .get(0);
      assertThat(podSet.requests()).isEqualTo(ImmutableSortedMap.of("whole-gpus", 3L));
      assertThat(podSet.podRequests()).contains(ImmutableSortedMap.of(GPU, 3L));
    }

    @Test
    void theyKeepTheirNameWithoutAMapping() {
      PodSet podSet =
          workload(backed("other"), job("[]", containers("2"))).podSets().get(0);
      assertThat(podSet.requests()).isEqualTo(ImmutableSortedMap.of(GPU, 2L));
      assertThat(podSet.podRequests()).isEqualTo(Optional.empty());
    }

    @Test
    void initContainersRunOneAfterTheOther() {
      String pods =
          "initContainers: [{name: a, image: i, resources: {limits: {example.com/gpu: 4}}},"
              + " {name: b, image: i, resources: {limits: {example.com/gpu: 3}}}]\n"
              + "      " + containers("1");
      assertThat(workload(backed("gpu.nvidia.com"), job("[]", pods))
              .podSets()
              .get(0)
              .requests())
          .isEqualTo(ImmutableSortedMap.of("whole-gpus", 4L));
    }

    @Test
    void sidecarsAndOverheadCountSinceTheFix() {
      String pods = "initContainers: [{name: a, image: i, restartPolicy: Always,"
          + " resources: {limits: {example.com/gpu: 2}}}]\n"
          + "      overhead: {example.com/gpu: 1}\n"
          + "      " + containers("3");
      ResourceClaims.Builder claims = ResourceClaims.builder()
          .addMappings(GPUS)
          .addDeviceClasses(deviceClass("gpu.nvidia.com", GPU, "2026-01-01T00:00:00Z"));
      assertThat(workload(claims.kueueVersion(KueueVersion.V0_19).build(), job("[]", pods))
              .podSets()
              .get(0)
              .requests())
          .isEqualTo(ImmutableSortedMap.of("whole-gpus", 3L));
      assertThat(workload(claims.kueueVersion(KueueVersion.V0_19_7).build(), job("[]", pods))
              .podSets()
              .get(0)
              .requests())
          .as("the sidecar is added, the overhead stays under its own name")
          .isEqualTo(ImmutableSortedMap.of("whole-gpus", 5L, GPU, 1L));
    }

    @Test
    void otherResourcesStayAsTheyAre() {
      assertThat(workload(
                  ResourceClaims.builder().addMappings(GPUS).build(), job("[]", containers("2")))
              .podSets()
              .get(0)
              .requests())
          .isEqualTo(ImmutableSortedMap.of(GPU, 2L));
    }

    @Test
    void halvesAreRefusedEvenIfTheyMakeAWhole() {
      Workload workload = workload(backed("gpu.nvidia.com"), job("[]", containers("500m", "500m")));
      assertThat(workload.admissibilityProblems())
          .hasSize(2)
          .first()
          .asString()
          .startsWith("spec.template.spec.containers[0].resources.requests[example.com/gpu]: 500m");
    }

    @Test
    void moreThanCanBeCountedIsRefused() {
      Workload workload = workload(
          backed("gpu.nvidia.com"),
          job("[]", containers("9223372036854775807", "9223372036854775807")));
      assertThat(workload.admissibilityProblems()).hasSize(1);
    }

    @Test
    void theNewestClassCountsThenTheFirstByName() {
      ResourceClaims.Builder claims = ResourceClaims.builder()
          .addMappings(
              DeviceClassMapping.of("old", "a-old"),
              DeviceClassMapping.of("first", "b-new"),
              DeviceClassMapping.of("second", "c-new"))
          .addDeviceClasses(
              deviceClass("a-old", GPU, "2025-01-01T00:00:00Z"),
              deviceClass("c-new", GPU, "2026-01-01T00:00:00Z"),
              deviceClass("b-new", GPU, "2026-01-01T00:00:00Z"));
      assertThat(workload(claims.build(), job("[]", containers("1")))
              .podSets()
              .get(0)
              .requests())
          .isEqualTo(ImmutableSortedMap.of("first", 1L));
    }

    @Test
    void classesThatAreCountedOtherwiseAreNotAdmitted() {
      ResourceClaims claims = ResourceClaims.builder()
          .addMappings(
              new DeviceClassMapping("memory", ImmutableList.of("mig"), ImmutableList.of(), true))
          .addDeviceClasses(deviceClass("mig", GPU, ""))
          .build();
      assertThat(workload(claims, job("[]", containers("1"))).admissibilityProblems())
          .hasSize(1);
    }
  }

  @Nested
  class Mappings {
    private static Manifest configuration(String mappings) {
      return read("apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
              + "resources:\n  deviceClassMappings: " + mappings)
          .items()
          .get(0);
    }

    @Test
    void areReadFromTheConfiguration() {
      assertThat(DeviceClassMappings.read(configuration("[{name: gpus, deviceClassNames: [a, b]},"
              + " {name: mem, deviceClassNames: [c], sources: [{capacity: {name: memory}}]}]")))
          .containsExactly(
              DeviceClassMapping.of("gpus", "a", "b"),
              new DeviceClassMapping("mem", ImmutableList.of("c"), ImmutableList.of(), true));
    }

    @Test
    void mayBeMissing() {
      assertThat(DeviceClassMappings.read(
              read("apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\n")
                  .items()
                  .get(0)))
          .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "[{name: gpus}]",
          "[{deviceClassNames: [a]}]",
          "[{name: gpus, deviceClassNames: [a, a]}]",
          "[{name: gpus, deviceClassNames: [a]}, {name: gpus, deviceClassNames: [b]}]",
          "[{name: gpus, deviceClassNames: [a]}, {name: others, deviceClassNames: [a]}]",
          "[{name: gpus, deviceClassNames: [a,b,c,d,e,f,g,h,i]}]",
          "{}",
        })
    void mustBeUnambiguous(String mappings) {
      Manifest configuration = configuration(mappings);
      assertThatThrownBy(() -> DeviceClassMappings.read(configuration))
          .isInstanceOf(ManifestException.class)
          .hasMessageContaining("test.yaml")
          .hasMessageContaining("deviceClassMappings");
    }
  }
}
