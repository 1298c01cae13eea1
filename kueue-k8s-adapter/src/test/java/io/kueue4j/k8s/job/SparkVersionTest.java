package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What versions of Kueue read differently from SparkApplications. */
class SparkVersionTest {
  private static Settings version(KueueVersion version) {
    return Settings.builder().kueueVersion(version).build();
  }

  private static <J extends HasMetadata> JobKind<J> kind(KueueVersion version, J job) {
    return JobKinds.all().forSettings(version(version)).get(job);
  }

  private static List<PodSet> podSets(KueueVersion version, HasMetadata job) {
    return JobWorkloads.builder()
        .kinds(JobKinds.all().forSettings(version(version)))
        .build()
        .convert(job)
        .orElseThrow()
        .workload()
        .podSets();
  }

  private static List<String> texts(KueueVersion version, HasMetadata job) {
    return podSets(version, job).stream().map(KindManifests::text).toList();
  }

  private static GenericKubernetesResource spark(Map<String, ?> driver, Map<String, ?> more) {
    GenericKubernetesResource job = KindManifests.with("SparkApplication", "spec.driver", driver);
    for (Map.Entry<String, ?> field : more.entrySet()) {
      job = KindManifests.with(job, RawPath.of("spec").field(field.getKey()), field.getValue());
    }
    return job;
  }

  private static String driver(KueueVersion version, Map<String, ?> driver, Map<String, ?> more) {
    return texts(version, spark(driver, more)).get(0);
  }

  private static String mebibytes(long memory) {
    return "driver x1 {cpu=1000, memory=" + (memory << 20) + "}";
  }

  @ParameterizedTest
  @CsvSource({
    "V0_19, '{}'",
    "V0_19_7, '{cpu=3000, memory=5033164800}'",
    "V0_20, '{cpu=3000, memory=5033164800}'"
  })
  void requestsAreThoseOfSpark(KueueVersion version, String requests) {
    // 4096 Mi, and 0.172 of it: 704.512 Mi.
    assertThat(driver(
            version,
            Map.of("cores", 3),
            Map.of(
                "memoryOverheadFactor", "0.172", "sparkConf", Map.of("spark.driver.memory", "4g"))))
        .isEqualTo("driver x1 " + requests);
  }

  @Test
  void theDefaultsAreThoseOfSpark() {
    assertThat(driver(KueueVersion.V0_20, Map.of(), Map.of())).isEqualTo(mebibytes(1024 + 384));
    assertThat(driver(KueueVersion.V0_20, Map.of(), Map.of("type", "Python")))
        .isEqualTo(mebibytes(1024 + 409));
    assertThat(driver(KueueVersion.V0_20, Map.of("memory", "20g"), Map.of()))
        .isEqualTo(mebibytes(20480 + 2048));
  }

  @Test
  void fieldsWinOverProperties() {
    Map<String, ?> properties = Map.of(
        "spark.driver.memory", "9g",
        "spark.driver.memoryOverhead", "1g",
        "spark.driver.cores", "7",
        "spark.kubernetes.driver.request.cores", "500m");
    assertThat(driver(
            KueueVersion.V0_20,
            Map.of("memory", "2048", "memoryOverhead", "100m", "coreRequest", "1", "cores", 8),
            Map.of("sparkConf", properties)))
        .isEqualTo(mebibytes(2148));
    assertThat(driver(KueueVersion.V0_20, Map.of("cores", 8), Map.of("sparkConf", properties)))
        .isEqualTo("driver x1 {cpu=500, memory=" + (10240L << 20) + "}");
  }

  @Test
  void executorsHaveMemoryOutsideOfTheHeap() {
    GenericKubernetesResource job = spark(
        Map.of(),
        Map.of(
            "type", "Python",
            "executor", Map.of("instances", 1, "memory", "1g", "memoryOverhead", "0"),
            "sparkConf",
                Map.of(
                    "spark.executor.pyspark.memory", "100",
                    "spark.memory.offHeap.enabled", "true",
                    "spark.memory.offHeap.size", "10485760")));
    assertThat(texts(KueueVersion.V0_20, job).get(1))
        .isEqualTo("executor x1 {cpu=1000, memory=" + ((1024L + 100 + 10) << 20) + "}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1Gi", "much", "1.5g", "", "9223372036854775807p"})
  void memoryIsInTheNotationOfJava(String memory) {
    assertThat(KindManifests.violations(spark(Map.of("memory", memory), Map.of())))
        .singleElement()
        .asString()
        .startsWith("spec.driver.memory: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0.1", "much", "NaN"})
  void aFactorIsANumber(String factor) {
    assertThat(KindManifests.violations(spark(Map.of(), Map.of("memoryOverheadFactor", factor))))
        .containsExactly(
            "spec.memoryOverheadFactor: \"" + factor + "\"; expected a number of at least 0");
  }

  @ParameterizedTest
  @CsvSource({"V0_19,{zone=z}", "V0_19_7,'{disk=ssd, zone=y}'", "V0_20,'{disk=ssd, zone=y}'"})
  void theSelectorOfARoleAddsToTheWholeOne(KueueVersion version, String selector) {
    GenericKubernetesResource job =
        spark(Map.of("nodeSelector", Map.of("zone", "y", "disk", "ssd")), Map.of());
    assertThat(podSets(version, job).get(0).nodeSelector()).hasToString(selector);
  }

  @ParameterizedTest
  @CsvSource({
    "V0_19_7,OnFailure,true",
    "V0_20,OnFailure,false",
    "V0_20,Always,false",
    "V0_20,Never,true"
  })
  void aFailedSubmissionMayBeRepeated(KueueVersion version, String policy, boolean ended) {
    GenericKubernetesResource job = KindManifests.with(
        KindManifests.with("SparkApplication", "spec.restartPolicy.type", policy),
        RawPath.of("status.applicationState.state"),
        "SUBMISSION_FAILED");
    assertThat(kind(version, job).outcome(job).isPresent()).isEqualTo(ended);
  }

  @ParameterizedTest
  @CsvSource({"V0_19_7,1,false", "V0_20,1,true", "V0_20,,false"})
  void theLeastExecutorsSufficeIfTheirNumberChanges(
      KueueVersion version, Integer least, boolean ready) {
    GenericKubernetesResource job = KindManifests.with(
        KindManifests.with(
            KindManifests.with("SparkApplication", "spec.dynamicAllocation.enabled", true),
            RawPath.of("spec.dynamicAllocation.minExecutors"),
            least),
        RawPath.of("status"),
        Map.of(
            "applicationState",
            Map.of("state", "RUNNING"),
            "executorState",
            Map.of("e-1", "RUNNING")));
    assertThat(kind(version, job).podsReady(job)).isEqualTo(ready);
  }
}
