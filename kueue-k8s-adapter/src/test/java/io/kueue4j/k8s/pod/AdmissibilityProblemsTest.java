package io.kueue4j.k8s.pod;

import static io.kueue4j.k8s.pod.Pods.container;
import static io.kueue4j.k8s.pod.Pods.limitRange;
import static io.kueue4j.k8s.pod.Pods.list;
import static io.kueue4j.k8s.pod.Pods.located;
import static io.kueue4j.k8s.pod.Pods.pod;
import static io.kueue4j.k8s.pod.Pods.requesting;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LimitRangeItemBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules R-9, M-27. */
class AdmissibilityProblemsTest {
  private static List<String> problems(PodTemplates templates, PodTemplateSpec template) {
    return templates.admissibilityProblems(located(template));
  }

  private static PodTemplates limited(LimitRangeItemBuilder... items) {
    PodTemplates.Builder templates = PodTemplates.builder();
    for (LimitRangeItemBuilder item : items) {
      templates.putLimitRanges(Pods.NAMESPACE, limitRange(item.build()));
    }
    return templates.build();
  }

  @Test
  void requestsMustNotExceedLimits() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withInitContainers(container(list("cpu", "2"), list("cpu", "1")))
        .withContainers(
            container(list("cpu", "1", "memory", "2Gi"), list("cpu", "1", "memory", "1Gi")))
        .withNewResources()
        .withRequests(list("memory", "3Gi"))
        .withLimits(list("memory", "2Gi"))
        .endResources()
        .build());
    assertThat(problems(PodTemplates.plain(), template))
        .containsExactly(
            "spec.template.spec.initContainers[0]: requests must not exceed limits: cpu 2 > 1",
            "spec.template.spec.containers[0]: requests must not exceed limits: memory 2Gi > 1Gi",
            "spec.template.spec: requests must not exceed limits: memory 3Gi > 2Gi");
  }

  @Test
  void amountsAreComparedAsTheyAreCounted() {
    assertThat(problems(
            PodTemplates.plain(), pod(container(list("cpu", "0.9m"), list("cpu", "0.1m")))))
        .isEmpty();
  }

  @Test
  void aRequestWithoutLimitHasNone() {
    assertThat(problems(PodTemplates.plain(), pod(requesting("cpu", "100")))).isEmpty();
  }

  @Test
  void containersStayWithinTheTightestLimitRange() {
    PodTemplates templates = limited(
        new LimitRangeItemBuilder()
            .withType("Container")
            .withMax(list("cpu", "4", "memory", "1"))
            .withMin(list("cpu", "100m")),
        new LimitRangeItemBuilder()
            .withType("Container")
            .withMax(list("cpu", "2"))
            .withMin(list("cpu", "200m")));
    assertThat(problems(templates, pod(requesting("cpu", "2"), requesting("cpu", "200m"))))
        .isEmpty();
    assertThat(problems(
            templates,
            pod(requesting("cpu", "3"), container(list("cpu", "150m"), list("cpu", "3")))))
        .containsExactly(
            "spec.template.spec.containers[0]: requests must not be above the maximum of the"
                + " LimitRange: cpu 3 > 2",
            "spec.template.spec.containers[1]: requests must not be above the maximum of the"
                + " LimitRange: cpu 3 > 2",
            "spec.template.spec.containers[1]: requests must not be below the minimum of the"
                + " LimitRange: cpu 150m < 200m");
  }

  @Test
  void podsStayWithinTheLimitRangeAsAWhole() {
    PodTemplates templates = limited(new LimitRangeItemBuilder()
        .withType("Pod")
        .withMax(list("cpu", "2"))
        .withMin(list("memory", "2")));
    assertThat(problems(
            templates, pod(requesting("cpu", "1", "memory", "1"), requesting("cpu", "1500m"))))
        .containsExactly(
            "spec.template.spec: requests must not be above the maximum of the LimitRange:"
                + " cpu 2500m > 2",
            "spec.template.spec: requests must not be below the minimum of the LimitRange:"
                + " memory 1 < 2");
  }

  @Test
  void limitRangesOfOtherNamespacesDoNotHold() {
    PodTemplates templates = PodTemplates.builder()
        .putLimitRanges(
            "other",
            limitRange(new LimitRangeItemBuilder()
                .withType("Pod")
                .withMax(list("cpu", "1"))
                .build()))
        .build();
    assertThat(problems(templates, pod(requesting("cpu", "2")))).isEmpty();
  }

  @Test
  void podsAndNegativeAmountsAreViolations() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withContainers(container(list("cpu", "-1"), list("pods", "3")))
        .withNewResources()
        .withRequests(list("memory", "-2Gi"))
        .endResources()
        .build());
    assertThat(PodTemplates.plain().violations(located(template)))
        .extracting(violation -> violation.field())
        .containsExactly(
            "spec.template.spec.containers[0].resources.requests[cpu]",
            "spec.template.spec.containers[0].resources.limits[pods]",
            "spec.template.spec.resources.requests[memory]");
    assertThat(PodTemplates.plain().violations(located(pod(requesting("cpu", "1")))))
        .isEmpty();
  }

  @Test
  void violationsHoldWhatCannotBeRead() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withContainers(requesting("cpu", "x"))
        .addNewToleration()
        .withOperator("Like")
        .endToleration()
        .build());
    assertThat(PodTemplates.plain().violations(located(template))).hasSize(2);
    assertThat(PodTemplates.plain().violations(located(new PodTemplateSpec())))
        .singleElement()
        .hasToString("Job team-a/train: spec.template.spec: missing; expected the spec of a pod");
  }
}
