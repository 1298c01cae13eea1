package io.kueue4j.k8s.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.pod.PodTemplates;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kueue's Configuration becomes the settings that decide as that Kueue does. */
class KueueConfigurationTest {
  private static KueueConfiguration read(String version, String fields) {
    return read(version, fields, KueueVersion.V0_20);
  }

  private static KueueConfiguration read(String version, String fields, KueueVersion kueue) {
    String text =
        "apiVersion: config.kueue.x-k8s.io/" + version + "\nkind: Configuration\n" + fields;
    return KueueConfiguration.find(
            ManifestReader.create().read(ManifestSource.of("x.yaml", text)).items(), kueue)
        .orElseThrow();
  }

  private static Settings settings(String version, String fields) {
    return read(version, fields).settings();
  }

  @Test
  void anEmptyOneHasTheDefaultsOfItsVersion() {
    assertThat(settings("v1beta1", "")).isEqualTo(Settings.defaults());
    assertThat(settings("v1beta2", ""))
        .isEqualTo(Settings.builder().podsReady(PodsReadyPolicy.defaults()).build());
  }

  @Test
  void fairSharingIsEnabledByItsPresenceOrByItsFlag() {
    assertThat(settings("v1beta2", "fairSharing: {}").fairSharing())
        .hasValueSatisfying(strategies -> assertThat(strategies).isEmpty());
    assertThat(settings("v1beta2", "fairSharing: {preemptionStrategies: [LessThanInitialShare]}")
            .fairSharing())
        .hasValueSatisfying(strategies ->
            assertThat(strategies).containsExactly(FairSharingStrategy.LESS_THAN_INITIAL_SHARE));
    assertThat(settings("v1beta1", "fairSharing: {enable: true}").fairSharing()).isPresent();
    assertThat(settings("v1beta1", "fairSharing: {enable: false}").fairSharing())
        .isEmpty();
  }

  @Test
  void fieldsThatAreMisspelledAreNamed() {
    assertThat(read("v1beta2", """
            fairSharing: {premptionStrategies: [LessThanInitialShare]}
            admissionFairSharing: {usageHalfLife: 168h}
            waitForPodsReady: {timeout: 5m, requeuingStrategy: {backoffLimit: 3}}
            resources: {deviceClassMappings: [], excludeResourcePrefix: [example.com]}
            health: {healthProbeBindAddress: ":8081"}
            """).notes())
        .extracting(note -> note.field() + ": " + note.message())
        .containsExactlyInAnyOrder(
            "fairSharing.premptionStrategies: unknown field; did you mean \"preemptionStrategies\"?",
            "admissionFairSharing.usageHalfLife: unknown field; did you mean \"usageHalfLifeTime\"?",
            "waitForPodsReady.requeuingStrategy.backoffLimit: unknown field; did you mean \"backoffLimitCount\"?",
            "resources.excludeResourcePrefix: unknown field; did you mean \"excludeResourcePrefixes\"?");
    assertThat(read("v1beta1", "waitForPodsReady: {enable: false, timeout: 5m}").notes())
        .isEmpty();
  }

  @Test
  void usageOfLocalQueuesIsMeasuredAsGiven() {
    assertThat(settings("v1beta2", """
            admissionFairSharing:
              usageHalfLifeTime: 168h
              usageSamplingInterval: 2m30s
              resourceWeights: {cpu: 2.0, memory: 0}
            """).admissionFairSharing())
        .contains(AdmissionFairSharing.of(Duration.ofDays(7))
            .withUsageSamplingInterval(Duration.ofSeconds(150))
            .withResourceWeight("cpu", 2)
            .withResourceWeight("memory", 0));
  }

  @Test
  void podsAreWaitedForAsGiven() {
    String fields = """
        waitForPodsReady:
          enable: true
          timeout: 10m
          recoveryTimeout: 3m
          requeuingStrategy: {timestamp: Creation, backoffLimitCount: 5, backoffBaseSeconds: 10, backoffMaxSeconds: 60}
        """;
    PodsReadyPolicy expected = PodsReadyPolicy.builder()
        .timeout(Duration.ofMinutes(10))
        .recoveryTimeout(Duration.ofMinutes(3))
        .requeuingTimestamp(RequeuingTimestamp.CREATION)
        .backoffLimitCount(5)
        .backoffBase(Duration.ofSeconds(10))
        .backoffMax(Duration.ofMinutes(1))
        .build();
    assertThat(settings("v1beta2", fields).podsReady()).contains(expected);
    assertThat(settings("v1beta1", "waitForPodsReady: {enable: true}").podsReady())
        .contains(PodsReadyPolicy.builder()
            .timeout(Duration.ofMinutes(5))
            .blockAdmission(true)
            .build());
    assertThat(settings("v1beta1", "waitForPodsReady: {timeout: 1m}").podsReady())
        .isEmpty();
  }

  @Test
  void featureGatesThatDecideNothingAreAccepted() {
    KueueConfiguration configuration = read(
        "v1beta2",
        "featureGates: {PartialAdmission: false, VisibilityOnDemand: false,"
            + " KueueDRAIntegration: true, FairSharingRefill: false}");
    assertThat(configuration.settings().isEnabled(FeatureGate.PARTIAL_ADMISSION))
        .isFalse();
    assertThat(configuration.notes()).isEmpty();
  }

  @Test
  void featureGatesThatCannotBeFollowedAreNoted() {
    KueueConfiguration configuration = read(
        "v1beta2",
        "featureGates: {PartialAdmision: true, KueueDRAIntegration: false, FairSharingRefill: true}");
    assertThat(configuration.notes())
        .extracting(note -> note.field() + ": " + note.message())
        .containsExactly(
            "featureGates.PartialAdmision: unknown feature gate; did you mean"
                + " \"PartialAdmission\"?",
            "featureGates.KueueDRAIntegration: not taken into account: jobs are decided as with"
                + " true",
            "featureGates.FairSharingRefill: not taken into account: jobs are decided as with"
                + " false");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void namespacesThatAreNotManagedAreNoted(boolean withoutQueueName) {
    String fields = "managedJobsNamespaceSelector: {matchLabels: {team: a}}\n"
        + "manageJobsWithoutQueueName: " + withoutQueueName;
    assertThat(read("v1beta2", fields).notes())
        .extracting(note -> note.field() + ": " + note.message())
        .containsExactly("managedJobsNamespaceSelector: passed over: not taken into account yet");
  }

  @Test
  void requestsAreCountedAsGiven() {
    KueueConfiguration configuration = read("v1beta2", """
        resources:
          quotaCheckStrategy: IgnoreUndeclared
          excludeResourcePrefixes: [example.com/]
          transformations:
          - {input: nvidia.com/mig-1g.5gb, strategy: Replace, outputs: {example.com/credits: 10}}
          - {input: cpu, multiplyBy: memory, outputs: {x: 500m}}
        """);
    assertThat(configuration.settings().quotaCheckStrategy())
        .isEqualTo(QuotaCheckStrategy.IGNORE_UNDECLARED);
    assertThat(configuration.excludedResourcePrefixes()).containsExactly("example.com/");
    assertThat(configuration.transformations())
        .containsExactly(
            PodTemplates.Transformation.replace(
                "nvidia.com/mig-1g.5gb", Map.of("example.com/credits", "10")),
            PodTemplates.Transformation.retain("cpu", Map.of("x", "500m")).multipliedBy("memory"));
    assertThat(configuration.notes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "fairSharing: {preemptionStrategies: [Best]}; \"Best\"; expected one of",
        "fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanOrEqualToFinalShare]};"
            + " the strategies of fair sharing are",
        "waitForPodsReady: {timeout: 5 minutes}; expected a duration such as 5m",
        "waitForPodsReady: {timeout: ''}; expected a duration such as 5m",
        "waitForPodsReady: {requeuingStrategy: {backoffLimitCount: -1}}; expected 0 or more",
        "admissionFairSharing: {usageHalfLifeTime: 1h, resourceWeights: {cpu: -1}}; resourceWeights",
        "featureGates: {PartialAdmission: 'no'}; expected true or false",
        "resources: {transformations: [{input: cpu}, {input: cpu}]}; transformed twice",
      })
  void whatIsWrongIsNamedWithItsPlace(String fields, String message) {
    assertThatThrownBy(() -> read("v1beta2", fields))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith("x.yaml: document 1, line 3")
        .hasMessageContaining(message);
  }

  @Test
  void theConfigMapOfTheManagerIsRead() {
    Manifests manifests = ManifestReader.create().read(ManifestSource.of("x.yaml", """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: v1
          kind: ConfigMap
          metadata: {name: kueue-manager-config, namespace: kueue-system}
          data:
            controller_manager_config.yaml: |
              apiVersion: config.kueue.x-k8s.io/v1beta1
              kind: Configuration
              fairSharing: {enable: true}
        - apiVersion: v1
          kind: ConfigMap
          metadata: {name: other}
          data: {key: value}
        """));
    assertThat(manifests.items()).extracting(Manifest::kind).contains("Configuration");
    assertThat(KueueConfiguration.find(manifests.items(), KueueVersion.V0_20)
            .orElseThrow()
            .settings()
            .fairSharing())
        .isPresent();
    assertThat(manifests.notes())
        .singleElement()
        .asString()
        .contains("passed over: ConfigMap of v1 is not known");
  }

  @Test
  void storedWorkloadsAreCountedByTheConfiguration() {
    KubernetesAdmission admission = KubernetesAdmission.create();
    admission.apply(ManifestSource.of("x.yaml", """
            {apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration,
             resources: {excludeResourcePrefixes: [memory]}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: w, namespace: default}
            spec:
              queueName: lq
              podSets:
              - name: main
                count: 1
                template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]}}
            """)).throwIfRefused();
    assertThat(admission
            .engine()
            .workload(WorkloadId.of("default", "w"))
            .orElseThrow()
            .podSets()
            .get(0)
            .requests())
        .containsOnlyKeys("cpu");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "transformations: [{input: pods, outputs: {example.com/x: 1}}]; transformations[0].input",
        "transformations: [{input: cpu, outputs: {pods: 1}}]; transformations[0].outputs",
        "transformations: [{input: cpu, multiplyBy: pods, outputs: {example.com/x: 1}}];"
            + " transformations[0].multiplyBy",
        "deviceClassMappings: [{name: pods, deviceClassNames: [gpu]}]; deviceClassMappings[0].name"
      })
  void noResourceIsCalledPodsSince020(String resources, String field) {
    String fields = "resources: {" + resources + "}\n";
    assertThatThrownBy(() -> read("v1beta2", fields))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("resources." + field + ": \"pods\", the number of pods;");
    String gate = "featureGates: {ReservedResourceNameValidation: false}\n";
    assertThat(read("v1beta2", fields + gate).settings().kueueVersion())
        .isEqualTo(KueueVersion.V0_20);
    assertThat(read("v1beta2", fields, KueueVersion.V0_19_7).settings().kueueVersion())
        .isEqualTo(KueueVersion.V0_19_7);
  }
}
