package io.kueue4j.k8s.internal.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.job.JobReferences;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices that are counted by the counters that they consume; rule D-3. */
class DeviceCountersTest {
  private static final String DRIVER = "gpu.nvidia.com";
  private static final CounterSource MEMORY =
      new CounterSource("memory", DRIVER, "device.driver == '" + DRIVER + "'");

  private static Manifest read(String yaml) {
    return ManifestReader.create()
        .read(ManifestSource.of("test.yaml", yaml))
        .items()
        .get(0);
  }

  private static GenericKubernetesResource object(String yaml) {
    return read(yaml).as(GenericKubernetesResource.class);
  }

  private static String device(String name, String profile, String memory) {
    return "{name: %s, attributes: {profile: {string: %s}}, consumesCounters:"
            .formatted(name, profile)
        + " [{counterSet: gpu-0, counters: {memory: {value: %s}, multiprocessors: {value: 14}}}]}"
            .formatted(memory);
  }

  private static GenericKubernetesResource slice(String pool, int generation, String... devices) {
    return object("""
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: slice}
        spec:
          driver: gpu.nvidia.com
          nodeName: node-1
          pool: {name: %s, generation: %s, resourceSliceCount: 1}
          devices: [%s]
        """.formatted(pool, generation, String.join(", ", devices)));
  }

  private static ResourceClaims.Builder claiming(String selector, int count) {
    return ResourceClaims.builder()
        .addMappings(DeviceClassMapping.of("gpu.memory", "mig").counting(MEMORY))
        .addDeviceClasses(object("""
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: mig}
            spec:
              selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]
            """))
        .addClaimTemplates(object("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: claim, namespace: team}
            spec:
              spec:
                devices:
                  requests:
                  - name: a
                    exactly:
                      deviceClassName: mig
                      count: %s
                      selectors: [{cel: {expression: "%s"}}]
            """.formatted(count, selector)));
  }

  private static DeviceCharges charges(ResourceClaims.Builder claims) {
    return charges(claims.build());
  }

  private static DeviceCharges charges(ResourceClaims claims) {
    PodTemplateSpec template = new PodTemplateSpecBuilder()
        .withNewSpec()
        .addNewResourceClaim()
        .withName("gpu")
        .withResourceClaimTemplateName("claim")
        .endResourceClaim()
        .endSpec()
        .build();
    return claims.charges(new PodTemplates.Located("Job x", "team", "", template));
  }

  private static String problem(ResourceClaims.Builder claims) {
    DeviceCharges charges = charges(claims);
    assertThat(charges.charges()).isEmpty();
    assertThat(charges.violations())
        .singleElement()
        .extracting(Violation::field)
        .isEqualTo("spec.resourceClaims[0]");
    return charges.violations().get(0).problem();
  }

  private static final String SMALL = "device.attributes['gpu.nvidia.com'].profile == '1g.10gb'";

  @Test
  void theGreatestMatchingDeviceIsChargedForEachDevice() {
    assertThat(charges(claiming(SMALL, 3)
                .addResourceSlices(slice(
                    "node-1",
                    1,
                    device("a", "1g.10gb", "9Gi"),
                    device("b", "1g.10gb", "10Gi"),
                    device("c", "1g.10gb", "8Gi"),
                    device("d", "7g.80gb", "80Gi"))))
            .charges())
        .isEqualTo(Map.of("gpu.memory", 30L << 30));
  }

  @Test
  void fewerDevicesThanRequestedAreAProblem() {
    assertThat(problem(claiming(SMALL, 3)
            .addResourceSlices(
                slice("node-1", 1, device("a", "1g.10gb", "9Gi"), device("b", "x", "1Gi")))))
        .isEqualTo("ResourceClaimTemplate claim: devices.requests[0].exactly: 1 devices of the"
            + " driver gpu.nvidia.com in complete pools of ResourceSlices match; expected 3");
    assertThat(problem(claiming(SMALL, 1))).contains("0 devices of the driver");
  }

  @Test
  void onlyCompletePoolsOfTheLatestGenerationCount() {
    GenericKubernetesResource half = object("""
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: half}
        spec:
          driver: gpu.nvidia.com
          pool: {name: node-2, generation: 1, resourceSliceCount: 2}
          devices: [%s]
        """.formatted(device("b", "1g.10gb", "99Gi")));
    assertThat(charges(claiming(SMALL, 1)
                .addResourceSlices(
                    slice("node-1", 1, device("a", "1g.10gb", "50Gi")),
                    slice("node-1", 2, device("a", "1g.10gb", "10Gi")),
                    half))
            .charges())
        .isEqualTo(Map.of("gpu.memory", 10L << 30));
  }

  @Test
  void aCounterThatNoDeviceConsumesIsAProblem() {
    ResourceClaims.Builder claims = claiming("true", 1)
        .addMappings(DeviceClassMapping.of("gpu.cores", "mig")
            .counting(new CounterSource("cores", DRIVER, "true")))
        .addResourceSlices(slice("node-1", 1, device("a", "x", "1Gi")));
    DeviceCharges charges = charges(claims);
    assertThat(charges.violations().get(0).problem())
        .endsWith("no matching device consumes the counter cores");
  }

  @Test
  void aClassMayHaveSeveralCounters() {
    assertThat(charges(claiming("true", 2)
                .addMappings(DeviceClassMapping.of("gpu.cores", "mig")
                    .counting(new CounterSource("multiprocessors", DRIVER, "true")))
                .addResourceSlices(
                    slice("node-1", 1, device("a", "x", "1Gi"), device("b", "x", "500m"))))
            .charges())
        .isEqualTo(Map.of("gpu.memory", 2L << 30, "gpu.cores", 28L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "device.driver.size(; the selector has the end at character 20, expected a value",
        "device.attributes['x'].model == 'a'; a selector has no value for the device a: no such"
            + " key: model",
      })
  void selectorsWithoutAValueAreAProblem(String selector, String problem) {
    assertThat(problem(claiming(selector, 1)
            .addResourceSlices(slice("node-1", 1, device("a", "1g.10gb", "9Gi")))))
        .endsWith(problem);
  }

  @Test
  void amountsAreClampedAndMultipliedWithoutOverflow() {
    assertThat(charges(claiming("true", 2)
                .addResourceSlices(
                    slice("node-1", 1, device("a", "x", "8Ei"), device("b", "x", "8Ei"))))
            .charges())
        .isEqualTo(Map.of("gpu.memory", Long.MAX_VALUE));
    assertThat(charges(claiming("true", 1)
                .addResourceSlices(slice("node-1", 1, device("a", "x", "\"-5\""))))
            .charges())
        .isEqualTo(Map.of("gpu.memory", 0L));
  }

  @Test
  void theConfigurationNamesCounters() {
    assertThat(DeviceClassMappings.read(configuration("""
                - name: gpu.memory
                  deviceClassNames: [mig]
                  sources: [{counter: {name: memory, driver: gpu.nvidia.com,
                    deviceSelector: {cel: {expression: "device.driver == 'gpu.nvidia.com'"}}}}]
                - name: gpu.cores
                  deviceClassNames: [mig]
                  sources: [{counter: {name: cores, driver: gpu.nvidia.com,
                    deviceSelector: {cel: {expression: "true"}}}}]
            """)))
        .containsExactly(
            DeviceClassMapping.of("gpu.memory", "mig").counting(MEMORY),
            DeviceClassMapping.of("gpu.cores", "mig")
                .counting(new CounterSource("cores", DRIVER, "true")));
  }

  @Test
  void manifestsOfAClusterAreEnough() {
    JobReferences references = JobReferences.create();
    ResourceClaims known = claiming("true", 2).build();
    for (GenericKubernetesResource object : List.of(
        known.deviceClasses().get(0),
        known.claimTemplates().get(0),
        slice("node-1", 1, device("a", "x", "1Gi"), device("b", "x", "1Gi")))) {
      ManifestReader.create().read(ManifestSource.of(object)).items().forEach(references::put);
    }
    references.put(configuration("""
                - name: gpu.memory
                  deviceClassNames: [mig]
                  sources: [{counter: {name: memory, driver: gpu.nvidia.com,
                    deviceSelector: {cel: {expression: "true"}}}}]
            """));
    Job job = read("""
        apiVersion: batch/v1
        kind: Job
        metadata: {name: x, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}
        spec:
          template:
            spec:
              resourceClaims: [{name: gpu, resourceClaimTemplateName: claim}]
              containers: [{name: c, image: i}]
        """).as(Job.class);
    Workload converted =
        references.workloads().build().convert(job).orElseThrow().workload();
    assertThat(converted.podSets().get(0).requests()).isEqualTo(Map.of("gpu.memory", 2L << 30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{counter: {driver: d, deviceSelector: {cel: {expression: 'true'}}}}; counter.name",
        "{counter: {name: A_, driver: d, deviceSelector: {cel: {expression: 'true'}}}};"
            + " counter.name",
        "{counter: {name: a, deviceSelector: {cel: {expression: 'true'}}}}; counter.driver",
        "{counter: {name: a, driver: D, deviceSelector: {cel: {expression: 'true'}}}};"
            + " counter.driver",
        "{counter: {name: a, driver: d}}; deviceSelector.cel.expression",
        "{counter: {name: a, driver: d, deviceSelector: {cel: {expression: 'gpu =='}}}};"
            + " deviceSelector.cel.expression",
        "{}; sources",
      })
  void countersAreCheckedWhenTheConfigurationIsRead(String source, String field) {
    Manifest configuration =
        configuration("    - {name: gpus, deviceClassNames: [mig], sources: [" + source + "]}\n");
    assertThatThrownBy(() -> DeviceClassMappings.read(configuration))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining(field);
  }

  @Test
  void aCounterBelongsToOneMappingOfAClass() {
    String counter =
        "{counter: {name: memory, driver: d, deviceSelector: {cel: {expression:" + " 'true'}}}}";
    for (String second : ImmutableList.of("sources: [" + counter + "]", "sources: []")) {
      Manifest configuration = configuration("    - {name: a, deviceClassNames: [mig], sources: ["
          + counter + "]}\n" + "    - {name: b, deviceClassNames: [mig], " + second + "}\n");
      assertThatThrownBy(() -> DeviceClassMappings.read(configuration))
          .hasMessageContaining("\"mig\" is mapped to a already");
    }
  }

  private static Manifest configuration(String mappings) {
    return read("apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nresources:\n"
        + "  deviceClassMappings:\n" + mappings);
  }
}
