package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pod sets of every kind of job, their order, counts and requests. */
class JobKindTableTest {
  private static final ImmutableListMultimap<String, String> POD_SETS =
      ImmutableListMultimap.<String, String>builder()
          .putAll(
              "TFJob",
              "chief x1 {cpu=2000}",
              "ps x3 {cpu=500}",
              "worker x2 {cpu=1000, memory=209715200}",
              "evaluator x1 {cpu=1000}")
          .putAll("PyTorchJob", "master x1 {cpu=1000}", "worker x3 {cpu=1000, nvidia.com/gpu=2}")
          .putAll("XGBoostJob", "master x1 {cpu=500}", "worker x2 {cpu=500}")
          .putAll("PaddleJob", "worker x2 {cpu=1000}")
          .putAll("JAXJob", "worker x4 {cpu=1000}")
          .putAll("MPIJob", "launcher x1 {cpu=100}", "worker x2 {cpu=1000}")
          .putAll(
              "RayCluster",
              "head x1 {cpu=1000, memory=2147483648}",
              "small x2 {cpu=1000}",
              "tpu x8 {cpu=2000}",
              "lone x0 {cpu=3000}")
          .putAll(
              "RayJob",
              "head x1 {cpu=1000}",
              "workers x3 {cpu=1000}",
              "submitter x1 {cpu=500, memory=209715200}")
          .putAll("RayService", "head x1 {cpu=1000}")
          .putAll(
              "AppWrapper",
              "wrapped-0 x1 {cpu=1000}",
              "wrapped-1 x2 {cpu=2000}",
              "wrapped-2 x5 {cpu=3000}",
              "wrapped-3 x3 {cpu=1000}")
          .putAll(
              "SparkApplication",
              "driver x1 {cpu=1000, memory=1476395008}",
              "executor x2 {cpu=2500, memory=939524096, nvidia.com/gpu=1}")
          .putAll(
              "TrainJob",
              "dataset-initializer x1 {cpu=250}",
              "node x4 {cpu=2100, memory=1073741824, nvidia.com/gpu=8}")
          .build();

  static ImmutableList<String> kinds() {
    return KindManifests.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void podSetsOf(String kind) {
    assertThat(KindManifests.podSets(KindManifests.get(kind))).isEqualTo(POD_SETS.get(kind));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isSuspended(String kind) {
    var job = KindManifests.get(kind);
    var jobKind = KindManifests.KINDS.get(job);
    assertThat(jobKind.isSuspended(job)).isTrue();
    assertThat(jobKind.isSuspended(jobKind.withSuspend(job, false))).isFalse();
    assertThat(jobKind.isActive(job)).isFalse();
    assertThat(jobKind.podsReady(job)).isFalse();
    assertThat(jobKind.outcome(job)).isEmpty();
    assertThat(jobKind.reclaimablePods(job)).isEmpty();
  }

  @Test
  void everyKindHasAManifest() {
    assertThat(KindManifests.kinds()).containsExactlyElementsOf(POD_SETS.keySet());
    List<String> byPods =
        List.of("Job", "JobSet", "LeaderWorkerSet", "StatefulSet", "Deployment", "Pod", "PodGroup");
    assertThat(JobKinds.all().asList())
        .extracting(JobKind::kind)
        .containsExactlyInAnyOrderElementsOf(ImmutableList.<String>builder()
            .addAll(KindManifests.kinds())
            .addAll(byPods)
            .build());
    assertThat(JobKinds.standard()).hasToString("[batch/Job, jobset.x-k8s.io/JobSet]");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aTemplateThatIsNoneNamesItsPlace(String kind) {
    var job = KindManifests.get(kind);
    String path = KindManifests.KINDS.get(job).podSets(job).get(0).path();
    // The first pod set of these is not at its path, or has no template.
    Map<String, String> places = Map.of(
        "SparkApplication", "spec.driver",
        "AppWrapper", "spec.components[0].template.spec",
        "TrainJob", "spec.runtimePatches[0]");
    String place = places.getOrDefault(kind, path);
    RawPath raw = RawPath.ROOT;
    for (String step : Splitter.on('.').split(place.replace("[0]", ".0"))) {
      raw = step.equals("0") ? raw.item(0) : raw.field(step);
    }
    assertThat(KindManifests.violations(KindManifests.with(job, raw, "none")))
        .isNotEmpty()
        .allSatisfy(
            problem -> assertThat(problem).startsWith(place + ": \"none\"; expected a mapping"));
  }
}
