package io.kueue4j.k8s.pod;

import static io.kueue4j.k8s.pod.Pods.list;
import static io.kueue4j.k8s.pod.Pods.located;
import static io.kueue4j.k8s.pod.Pods.pod;
import static io.kueue4j.k8s.pod.Pods.requesting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.PodResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PodSetConversionTest {
  private static PodSet convert(PodSpec spec) {
    return PodTemplates.plain().convert(located(pod(spec))).build();
  }

  private static NodeSelectorRequirement requirement(
      String key, @Nullable String operator, String... values) {
    return new NodeSelectorRequirement(key, operator, List.of(values));
  }

  @Test
  void fitsWhereverATemplateBecomesAPodSet() {
    Function<PodTemplateSpec, PodSet.Builder> converter = PodTemplates.plain()::convert;
    PodSet podSet =
        converter.apply(pod(requesting("cpu", "1"))).name("workers").count(3).build();
    assertThat(podSet.name()).isEqualTo("workers");
    assertThat(podSet.count()).isEqualTo(3);
    assertThat(podSet.requests()).containsExactly(Map.entry("cpu", 1000L));
  }

  @Test
  void readsNodeSelectorAndTolerations() {
    PodSet podSet = convert(new PodSpecBuilder()
        .withNodeSelector(Map.of("zone", "a"))
        .addNewToleration()
        .withKey("gpu")
        .withOperator("Exists")
        .withEffect("NoSchedule")
        .endToleration()
        .addNewToleration()
        .withKey("team")
        .withValue("a")
        .withTolerationSeconds(30L)
        .withEffect("NoExecute")
        .endToleration()
        .addNewToleration()
        .withOperator("Lt")
        .withKey("sla")
        .withValue("5")
        .endToleration()
        .build());
    assertThat(podSet.nodeSelector()).containsExactly(Map.entry("zone", "a"));
    assertThat(podSet.tolerations())
        .containsExactly(
            Toleration.builder()
                .key("gpu")
                .operator(Toleration.Operator.EXISTS)
                .effect(Taint.Effect.NO_SCHEDULE)
                .build(),
            Toleration.builder()
                .key("team")
                .value("a")
                .effect(Taint.Effect.NO_EXECUTE)
                .tolerationSeconds(30)
                .build(),
            Toleration.builder()
                .key("sla")
                .operator(Toleration.Operator.LESS_THAN)
                .value("5")
                .build());
  }

  @Test
  void readsRequiredNodeAffinity() {
    PodSet podSet = convert(new PodSpecBuilder()
        .withNewAffinity()
        .withNewNodeAffinity()
        .withNewRequiredDuringSchedulingIgnoredDuringExecution()
        .addNewNodeSelectorTerm()
        .withMatchExpressions(requirement("zone", "In", "a", "b"))
        .withMatchFields(requirement("metadata.name", "NotIn", "n1"))
        .endNodeSelectorTerm()
        .addNewNodeSelectorTerm()
        .withMatchExpressions(requirement("spot", "DoesNotExist"))
        .endNodeSelectorTerm()
        .endRequiredDuringSchedulingIgnoredDuringExecution()
        .endNodeAffinity()
        .endAffinity()
        .build());
    assertThat(podSet.preferredNodeAffinity()).isEmpty();
    assertThat(podSet.nodeAffinity())
        .containsExactly(
            new NodeSelectorTerm(
                ImmutableList.of(LabelRequirement.in("zone", "a", "b")),
                ImmutableList.of(new LabelRequirement(
                    "metadata.name", LabelRequirement.Operator.NOT_IN, ImmutableList.of("n1")))),
            NodeSelectorTerm.of(new LabelRequirement(
                "spot", LabelRequirement.Operator.DOES_NOT_EXIST, ImmutableList.of())));
  }

  private static PodSpec preferring(@Nullable Integer weight, String operator) {
    return new PodSpecBuilder()
        .withNewAffinity()
        .withNewNodeAffinity()
        .addNewPreferredDuringSchedulingIgnoredDuringExecution()
        .withWeight(weight)
        .withNewPreference()
        .withMatchExpressions(requirement("zone", operator, "a"))
        .endPreference()
        .endPreferredDuringSchedulingIgnoredDuringExecution()
        .addNewPreferredDuringSchedulingIgnoredDuringExecution()
        .withWeight(1)
        .endPreferredDuringSchedulingIgnoredDuringExecution()
        .endNodeAffinity()
        .endAffinity()
        .build();
  }

  @Test
  void readsPreferredNodeAffinity() {
    PodSet podSet = convert(preferring(100, "In"));
    assertThat(podSet.nodeAffinity()).isEmpty();
    assertThat(podSet.preferredNodeAffinity())
        .containsExactly(
            new PreferredNodeTerm(100, NodeSelectorTerm.of(LabelRequirement.in("zone", "a"))));
    String term =
        "spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> convert(preferring(101, "In")))
        .withMessageContaining(term + ".weight: 101; expected 1 to 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> convert(preferring(null, "In")))
        .withMessageContaining(term + ".weight: 0; expected 1 to 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> convert(preferring(1, "Is")))
        .withMessageContaining(term + ".preference.matchExpressions[0].operator: \"Is\"");
  }

  @Test
  void namesEveryFieldThatCannotBeRead() {
    PodSpec spec = new PodSpecBuilder()
        .withContainers(requesting("cpu", "?"))
        .addNewToleration()
        .withOperator("exists")
        .withEffect("Evict")
        .endToleration()
        .withNewAffinity()
        .withNewNodeAffinity()
        .withNewRequiredDuringSchedulingIgnoredDuringExecution()
        .addNewNodeSelectorTerm()
        .withMatchExpressions(requirement("zone", "Is", "a"))
        .withMatchFields(requirement("metadata.name", null, "a"))
        .endNodeSelectorTerm()
        .endRequiredDuringSchedulingIgnoredDuringExecution()
        .endNodeAffinity()
        .endAffinity()
        .build();
    String term = "spec.template.spec.affinity.nodeAffinity"
        + ".requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> convert(spec))
        .withMessageContainingAll(
            "spec.template.spec.containers[0].resources.requests[cpu]: \"?\"",
            "spec.template.spec.tolerations[0].operator: \"exists\"; expected one of Exists, Equal,"
                + " Lt, Gt",
            "spec.template.spec.tolerations[0].effect: \"Evict\"; expected one of NoSchedule,"
                + " PreferNoSchedule, NoExecute",
            term + ".matchExpressions[0].operator: \"Is\"; expected one of In, NotIn",
            term + ".matchFields[0].operator: \"\"");
  }

  @Test
  void requiredAffinityHasTerms() {
    PodSpec spec = new PodSpecBuilder()
        .withNewAffinity()
        .withNewNodeAffinity()
        .withNewRequiredDuringSchedulingIgnoredDuringExecution()
        .endRequiredDuringSchedulingIgnoredDuringExecution()
        .endNodeAffinity()
        .endAffinity()
        .build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> convert(spec))
        .withMessageContaining("nodeSelectorTerms: empty; expected at least one term");
  }

  @Test
  void emptyElementsAreNamed() {
    PodSpec spec = new PodSpec();
    spec.setTolerations(Collections.singletonList(null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> convert(spec))
        .withMessageContaining("spec.template.spec.tolerations[0]: empty; expected an element");
  }

  @Test
  void shapeDoesNotShowOrderAndNotation() {
    PodSpec one = new PodSpecBuilder()
        .withContainers(requesting("cpu", "1", "memory", "1Gi"))
        .withNewAffinity()
        .withNewPodAffinity()
        .addNewRequiredDuringSchedulingIgnoredDuringExecution()
        .withNewLabelSelector()
        .addToMatchLabels("a", "1")
        .addToMatchLabels("b", "2")
        .endLabelSelector()
        .endRequiredDuringSchedulingIgnoredDuringExecution()
        .endPodAffinity()
        .endAffinity()
        .build();
    PodSpec other = new PodSpecBuilder()
        .withContainers(requesting("memory", "1024Mi", "cpu", "1000m"))
        .withNewAffinity()
        .withNewPodAffinity()
        .addNewRequiredDuringSchedulingIgnoredDuringExecution()
        .withNewLabelSelector()
        .addToMatchLabels("b", "2")
        .addToMatchLabels("a", "1")
        .endLabelSelector()
        .endRequiredDuringSchedulingIgnoredDuringExecution()
        .endPodAffinity()
        .endAffinity()
        .build();
    assertThat(convert(one)).isEqualTo(convert(other));
    assertThat(convert(one).shape())
        .contains("\"containers\":[{\"requests\":{\"cpu\":\"1\",\"memory\":\"1073741824\"}}]");
  }

  static Stream<Consumer<PodTemplateSpec>> differences() {
    return Stream.of(
        template -> template.getSpec().setPriority(7),
        template -> template.getSpec().setRuntimeClassName("kata"),
        template -> template.getSpec().setOverhead(list("cpu", "1")),
        template -> template
            .getSpec()
            .getContainers()
            .get(0)
            .setPorts(List.of(new ContainerPortBuilder().withHostPort(80).build())),
        template -> template
            .getSpec()
            .setTopologySpreadConstraints(List.of(
                new TopologySpreadConstraintBuilder().withTopologyKey("zone").build())),
        template -> template
            .getSpec()
            .setResourceClaims(
                List.of(new PodResourceClaimBuilder().withName("gpu").build())),
        template -> template
            .getSpec()
            .setResources(
                new ResourceRequirementsBuilder().withRequests(list("cpu", "2")).build()),
        template -> template.getSpec().setInitContainers(List.of(requesting("cpu", "1"))),
        template -> template
            .getSpec()
            .setContainers(List.of(requesting("cpu", "1"), requesting("cpu", "1"))),
        template -> template
            .getMetadata()
            .setAnnotations(Map.of("kueue.x-k8s.io/podset-required-topology", "rack")));
  }

  @ParameterizedTest
  @MethodSource("differences")
  void shapeShowsWhatMattersToAScheduler(Consumer<PodTemplateSpec> difference) {
    PodTemplateSpec template = new PodTemplateSpecBuilder(pod(requesting("cpu", "2")))
        .withNewMetadata()
        .endMetadata()
        .build();
    String before = PodTemplates.plain().convert(template).build().shape();
    difference.accept(template);
    assertThat(PodTemplates.plain().convert(template).build().shape()).isNotEqualTo(before);
  }

  @Test
  void shapeDoesNotShowWhatIsRun() {
    PodTemplateSpec template = pod(requesting("cpu", "2"));
    String before = PodTemplates.plain().convert(template).build().shape();
    template.getSpec().getContainers().get(0).setImage("other");
    template.getSpec().getContainers().get(0).setName("other");
    assertThat(PodTemplates.plain().convert(template).build().shape()).isEqualTo(before);
  }
}
