package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Numbers of pods whose product overflows are errors, whatever the kind of the job. */
class PodCountsTest {
  private static final int MANY = 1 << 20;
  private static final String PROBLEM =
      ": 1048576 times 1048576 pods; expected at most 2147483647 pods in all";

  @Test
  void ofAJobSet() {
    JobConversion conversion =
        KindManifests.WORKLOADS.convert(Jobs.jobSet(Jobs.replicated("a", MANY, MANY)));
    assertThat(((JobConversion.Invalid) conversion).violations())
        .singleElement()
        .satisfies(violation -> assertThat(violation.field() + ": " + violation.problem())
            .isEqualTo("spec.replicatedJobs[0].replicas" + PROBLEM));
  }

  @Test
  void ofARayCluster() {
    RawPath group = RawPath.of("spec.workerGroupSpecs").item(0);
    GenericKubernetesResource job = KindManifests.with(
        KindManifests.with(KindManifests.get("RayCluster"), group.field("replicas"), MANY),
        group.field("numOfHosts"),
        MANY);
    assertThat(KindManifests.violations(job))
        .containsExactly("spec.workerGroupSpecs[0].replicas" + PROBLEM);
  }

  @Test
  void ofAWrappedJobSet() {
    Map<String, Object> jobSet = Map.of(
        "apiVersion",
        "jobset.x-k8s.io/v1alpha2",
        "kind",
        "JobSet",
        "spec",
        Map.of(
            "replicatedJobs",
            List.of(Map.of(
                "name",
                "a",
                "replicas",
                MANY,
                "template",
                Map.of(
                    "spec",
                    Map.of("parallelism", MANY, "template", KindManifests.template("1")))))));
    assertThat(KindManifests.violations(KindManifests.with(
            "AppWrapper", "spec.components", List.of(Map.of("template", jobSet)))))
        .containsExactly("spec.components[0].template.spec.replicatedJobs[0].replicas" + PROBLEM);
  }

  @Test
  void ofTheJobsOfARuntime() {
    GenericKubernetesResource job = KindManifests.with(
        "TrainJob",
        "spec.runtimePatches",
        List.of(Map.of(
            "manager",
            "example.com/user",
            "trainingRuntimeSpec",
            Map.of(
                "template",
                Map.of(
                    "spec",
                    Map.of(
                        "replicatedJobs",
                        List.of(Map.of(
                            "name",
                            "more",
                            "replicas",
                            MANY,
                            "template",
                            Map.of(
                                "spec",
                                Map.of(
                                    "parallelism",
                                    MANY,
                                    "template",
                                    KindManifests.template("1")))))))))));
    assertThat(KindManifests.violations(job))
        .singleElement()
        .asString()
        .endsWith("spec.template.spec.replicatedJobs[0].replicas" + PROBLEM);
  }

  @Test
  void theLargestProductIsTaken() {
    RawPath group = RawPath.of("spec.workerGroupSpecs").item(0);
    GenericKubernetesResource job = KindManifests.with(
        KindManifests.with(KindManifests.get("RayCluster"), group.field("replicas"), 1),
        group.field("numOfHosts"),
        Integer.MAX_VALUE);
    assertThat(KindManifests.podSets(job)).contains("small x2147483647 {cpu=1000}");
  }
}
