package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ApplyResult.ObjectResult.Outcome;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Neither the order of objects nor the form that they come in matters. */
class KubernetesAdmissionProperties {
  private static final List<Manifest> ALL_KINDS =
      LiveObjectsTest.text("objects/all-kinds.yaml").items();

  /** What became of all objects, and what the engine knows of them. */
  private record Summary(
      Map<String, Outcome> outcomes,
      Map<String, List<WorkloadId>> workloads,
      List<String> queues,
      Map<WorkloadId, String> explanations) {}

  private static Summary summary(AdmissionEngine engine, List<ApplyResult> results) {
    Map<String, Outcome> outcomes = new TreeMap<>();
    Map<String, List<WorkloadId>> workloads = new TreeMap<>();
    Map<WorkloadId, String> explanations = new TreeMap<>();
    for (ApplyResult result : results) {
      for (ApplyResult.ObjectResult object : result.objects()) {
        Manifest manifest = object.manifest().orElseThrow();
        String name = manifest.apiVersion() + " " + manifest.kind() + " "
            + manifest.namespace().orElse("") + "/" + manifest.name().orElse("");
        outcomes.put(name, object.outcome());
        workloads.put(name, object.workloads());
      }
      result
          .workloads()
          .forEach(id -> explanations.put(id, engine.explain(id).reasons().toString()));
    }
    return new Summary(
        outcomes,
        workloads,
        engine.view().clusterQueues().stream()
            .map(queue -> queue.spec() + " " + queue.usage() + " " + queue.inactivities())
            .toList(),
        explanations);
  }

  private static Summary apply(List<ManifestSource> sources) {
    KubernetesAdmission admission = KubernetesAdmission.create();
    return summary(admission.engine(), List.of(admission.apply(sources)));
  }

  private static HasMetadata live(Manifest manifest, boolean isTyped) {
    return isTyped
        ? manifest.as(LiveObjectsTest.type(manifest))
        : manifest.as(GenericKubernetesResource.class);
  }

  @Example
  void allKindsHaveAnEffectOrSayWhyNot() {
    Summary summary =
        apply(List.of(ManifestSource.of("x", LiveObjectsTest.content("objects/all-kinds.yaml"))));

    assertThat(summary.outcomes().values()).doesNotContain(Outcome.REFUSED);
    assertThat(summary.outcomes().entrySet().stream()
            .filter(entry -> entry.getValue() == Outcome.IGNORED)
            .map(Map.Entry::getKey))
        .containsExactly(
            "batch/v1 CronJob default/nightly",
            "example.com/v1 Surprise team-a/unknown",
            "kueue.x-k8s.io/v1beta2 MultiKueueConfig /other-clusters",
            "v1 ResourceQuota team-a/quota");
    assertThat(summary.explanations()).hasSize(9);
  }

  @Property(tries = 25)
  void orderAndFormDoNotMatter(
      @ForAll("orders") List<Integer> order, @ForAll("orders") List<Integer> typed) {
    List<HasMetadata> objects = new ArrayList<>();
    order.forEach(index -> objects.add(live(ALL_KINDS.get(index), typed.indexOf(index) % 2 == 0)));

    assertThat(apply(List.of(ManifestSource.of(objects))))
        .isEqualTo(apply(
            List.of(ManifestSource.of("x", LiveObjectsTest.content("objects/all-kinds.yaml")))));
  }

  @Provide
  Arbitrary<List<Integer>> orders() {
    return Arbitraries.shuffle(IntStream.range(0, ALL_KINDS.size()).boxed().toList());
  }

  @Property(tries = 25)
  void oneBadJobChangesNothingForTheOthers(@ForAll("orders") List<Integer> order) {
    GenericKubernetesResource bad = (GenericKubernetesResource) live(
        ALL_KINDS.stream().filter(item -> item.is("batch", "Job")).findFirst().orElseThrow(),
        false);
    bad.getMetadata().setName("bad");
    bad.setAdditionalProperties(ImmutableMap.of("spec", ImmutableMap.of("parallelism", "many")));
    List<HasMetadata> objects = new ArrayList<>();
    order.forEach(index -> objects.add(live(ALL_KINDS.get(index), true)));
    objects.add(order.get(0), bad);
    KubernetesAdmission admission = KubernetesAdmission.create();

    ApplyResult result = admission.apply(ManifestSource.of(objects));

    assertThat(result.problems()).extracting(ManifestIssue::source).containsOnly("Job team-a/bad");
    assertThat(result.workloads()).hasSize(9);
  }

  static List<String> files() throws Exception {
    return LiveObjectsTest.files();
  }

  @ParameterizedTest
  @MethodSource("files")
  void manifestsAndTheirObjectsAreAppliedAlike(String file) {
    Manifests text = LiveObjectsTest.text(file);
    Summary expected = apply(List.of(ManifestSource.of(file, LiveObjectsTest.content(file))));

    for (boolean isTyped : new boolean[] {true, false}) {
      assertThat(apply(List.of(ManifestSource.of(
              text.items().stream().map(item -> live(item, isTyped)).toList()))))
          .isEqualTo(expected);
    }
  }
}
