package io.kueue4j.k8s.job;

import static io.kueue4j.k8s.job.GroupPods.annotated;
import static io.kueue4j.k8s.job.GroupPods.member;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What versions of Kueue read differently from groups of pods. */
class PodGroupVersionTest {
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

  private final PodGroup oneSucceeded =
      PodGroup.of(List.of(ready(member("a", "1", 2)), succeeded(member("b", "1", 2))));

  private static Pod ready(Pod pod) {
    return new PodBuilder(pod)
        .withNewStatus()
        .withPhase("Running")
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }

  private static Pod succeeded(Pod pod) {
    return new PodBuilder(pod)
        .withNewStatus()
        .withPhase("Succeeded")
        .endStatus()
        .build();
  }

  @Test
  void succeededPodsAreReadySince020() {
    assertThat(kind(KueueVersion.V0_19_7, oneSucceeded).podsReady(oneSucceeded)).isFalse();
    assertThat(kind(KueueVersion.V0_20, oneSucceeded).podsReady(oneSucceeded)).isTrue();
    Settings off = Settings.builder()
        .putFeatureGates(FeatureGate.POD_INTEGRATION_COUNT_SUCCEEDED_PODS_AS_READY, false)
        .build();
    assertThat(JobKinds.all().forSettings(off).get(oneSucceeded).podsReady(oneSucceeded))
        .isFalse();
  }

  @Test
  void succeededPodsOfAServiceAreNotReady() {
    PodGroup service = PodGroup.of(oneSucceeded.pods().stream()
        .map(pod -> annotated(pod, MetadataKeys.POD_GROUP_SERVING, "true"))
        .toList());
    assertThat(kind(KueueVersion.V0_20, service).podsReady(service)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(KueueVersion.class)
  void rolesOrderThePodSetsBefore020(KueueVersion version) {
    boolean byRole = !version.isAtLeast(KueueVersion.V0_20);
    assertThat(cpus(version, "a", "b").equals(cpus(version, "b", "a"))).isEqualTo(!byRole);
    assertThat(texts(version, group("a", "b")))
        .containsExactlyInAnyOrder("a x1 {cpu=1000}", "b x1 {cpu=2000}");
  }

  @Test
  void podsOfOneShapeAreOrderedByTheirNames() {
    PodGroup group = PodGroup.of(List.of(
        role(member("x", "1", 3), "z"),
        role(member("y", "1", 3), "a"),
        role(member("w", "1", 3), "a")));
    assertThat(texts(KueueVersion.V0_20, group))
        .containsExactly("a x2 {cpu=1000}", "z x1 {cpu=1000}");
    PodGroup other =
        PodGroup.of(List.of(role(member("x", "1", 2), "z"), role(member("y", "1", 2), "a")));
    assertThat(texts(KueueVersion.V0_20, other))
        .containsExactly("z x1 {cpu=1000}", "a x1 {cpu=1000}");
  }

  @Test
  void aStartOfAGroupKeepsItsForm() {
    PodGroup waiting = group("b", "a");
    PodGroup started = PodGroup.of(waiting.pods().stream()
        .map(pod -> new PodBuilder(pod)
            .editSpec()
            .withSchedulingGates()
            .addToNodeSelector("zone", pod.getMetadata().getName())
            .endSpec()
            .build())
        .toList());
    JobSync sync = JobSync.of(JobKinds.all());
    assertThat(sync.differences(started, sync.form(waiting))).isEmpty();
  }

  private static Pod role(Pod pod, String role) {
    return annotated(pod, MetadataKeys.ROLE_HASH, role);
  }

  private static PodGroup group(String first, String second) {
    return PodGroup.of(
        List.of(role(member("x", "1", 2), first), role(member("y", "2", 2), second)));
  }

  private static List<Long> cpus(KueueVersion version, String first, String second) {
    return podSets(version, group(first, second)).stream()
        .map(podSet -> podSet.requests().get("cpu"))
        .toList();
  }
}
