package io.kueue4j.k8s.pod;

import static io.kueue4j.k8s.pod.Pods.container;
import static io.kueue4j.k8s.pod.Pods.limitRange;
import static io.kueue4j.k8s.pod.Pods.list;
import static io.kueue4j.k8s.pod.Pods.located;
import static io.kueue4j.k8s.pod.Pods.pod;
import static io.kueue4j.k8s.pod.Pods.requesting;
import static io.kueue4j.k8s.pod.Pods.runtimeClass;
import static io.kueue4j.k8s.pod.Pods.sidecar;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.LimitRangeItemBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules, N-2, N-3. */
class EffectiveRequestsTest {
  private static Map<String, Long> requests(PodTemplateSpec template) {
    return PodTemplates.plain().requests(located(template));
  }

  @Test
  void addsUpContainers() {
    assertThat(requests(pod(requesting("cpu", "500m", "memory", "1Gi"), requesting("cpu", "1"))))
        .containsExactly(Map.entry("cpu", 1500L), Map.entry("memory", 1L << 30));
  }

  @Test
  void aPodWithoutResourcesRequestsNothing() {
    assertThat(requests(pod(requesting()))).isEmpty();
    assertThat(requests(pod(new PodSpecBuilder().build()))).isEmpty();
  }

  @Test
  void initContainersCountOnlyWhereTheyAskForMore() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withInitContainers(requesting("cpu", "3"), requesting("cpu", "1", "memory", "5"))
        .withContainers(requesting("cpu", "2", "memory", "7"))
        .build());
    assertThat(requests(template)).containsEntry("cpu", 3000L).containsEntry("memory", 7L);
  }

  @Test
  void sidecarsRunBesideWhatComesAfterThem() {
    PodTemplateSpec before = pod(new PodSpecBuilder()
        .withInitContainers(sidecar("cpu", "1"), requesting("cpu", "4"))
        .withContainers(requesting("cpu", "2"))
        .build());
    PodTemplateSpec after = pod(new PodSpecBuilder()
        .withInitContainers(requesting("cpu", "4"), sidecar("cpu", "1"))
        .withContainers(requesting("cpu", "2"))
        .build());
    assertThat(requests(before)).containsEntry("cpu", 5000L);
    assertThat(requests(after)).containsEntry("cpu", 4000L);
  }

  @Test
  void podLevelRequestsReplaceCpuMemoryAndHugePagesOnly() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withContainers(requesting("cpu", "4", "hugepages-2Mi", "4Mi", "nvidia.com/gpu", "2"))
        .withNewResources()
        .withRequests(list("cpu", "5", "hugepages-2Mi", "6Mi", "nvidia.com/gpu", "9"))
        .endResources()
        .withOverhead(list("cpu", "250m"))
        .build());
    assertThat(requests(template))
        .containsExactly(
            Map.entry("cpu", 5250L),
            Map.entry("hugepages-2Mi", 6L << 20),
            Map.entry("nvidia.com/gpu", 2L));
  }

  @Test
  void limitsAloneAreRequests() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withContainers(container(list("cpu", "1"), list("cpu", "2", "google.com/tpu", "4")))
        .withNewResources()
        .withLimits(list("memory", "8"))
        .endResources()
        .build());
    assertThat(requests(template))
        .containsExactly(
            Map.entry("cpu", 1000L), Map.entry("google.com/tpu", 4L), Map.entry("memory", 8L));
  }

  @Test
  void roundsUpOncePerPodAndNeverBelowZero() {
    assertThat(requests(pod(requesting("cpu", "0.4m"), requesting("cpu", "0.4m"))))
        .containsEntry("cpu", 1L);
    assertThat(requests(pod(requesting("memory", "100m")))).containsEntry("memory", 1L);
    assertThat(requests(pod(requesting("cpu", "-1")))).containsEntry("cpu", 0L);
  }

  @Test
  void isExactWhereTheModelIsNot() {
    assertThat(requests(pod(requesting("memory", "1Ei")))).containsEntry("memory", 1L << 60);
    assertThat(requests(pod(requesting("memory", "1e3")))).containsEntry("memory", 1000L);
    assertThat(requests(pod(requesting("memory", "9007199254740993"))))
        .containsEntry("memory", 9007199254740993L);
    assertThat(requests(pod(requesting("memory", "8E"), requesting("memory", "8E"))))
        .containsEntry("memory", Long.MAX_VALUE);
  }

  @Test
  void limitRangesOfTheNamespaceGiveDefaults() {
    PodTemplates templates = PodTemplates.builder()
        .putLimitRanges(
            Pods.NAMESPACE,
            limitRange(new LimitRangeItemBuilder()
                .withType("Container")
                .withDefault(list("cpu", "3", "memory", "3"))
                .withDefaultRequest(list("cpu", "2"))
                .build()))
        .putLimitRanges(
            Pods.NAMESPACE,
            limitRange(new LimitRangeItemBuilder()
                .withType("Container")
                .withDefaultRequest(list("cpu", "9", "ephemeral-storage", "5"))
                .build()))
        .putLimitRanges(
            "other",
            limitRange(new LimitRangeItemBuilder()
                .withType("Container")
                .withDefaultRequest(list("cpu", "100"))
                .build()))
        .build();
    assertThat(templates.requests(located(pod(requesting()))))
        .as("the first default wins, then limits become requests")
        .containsExactly(
            Map.entry("cpu", 2000L), Map.entry("ephemeral-storage", 5L), Map.entry("memory", 3L));
    assertThat(templates.requests(located(pod(container(Map.of(), list("cpu", "1"))))))
        .as("limits become requests before defaults are filled in")
        .containsEntry("cpu", 1000L);
    assertThat(templates.convert(pod(requesting())).build().requests())
        .as("a template that stands alone has no namespace")
        .isEmpty();
  }

  @Test
  void limitRangesOfPodsHoldForPodLevelResourcesOnly() {
    PodTemplates templates = PodTemplates.builder()
        .putLimitRanges(
            Pods.NAMESPACE,
            limitRange(
                new LimitRangeItemBuilder()
                    .withType("Pod")
                    .withDefaultRequest(list("cpu", "2"))
                    .build(),
                new LimitRangeItemBuilder()
                    .withType("PersistentVolumeClaim")
                    .withDefaultRequest(list("cpu", "50"))
                    .build()))
        .build();
    PodTemplateSpec podLevel = pod(new PodSpecBuilder()
        .withContainers(requesting("cpu", "1"))
        .withNewResources()
        .withRequests(list("memory", "1"))
        .endResources()
        .build());
    assertThat(templates.requests(located(podLevel)))
        .containsExactly(Map.entry("cpu", 2000L), Map.entry("memory", 1L));
    assertThat(templates.requests(located(pod(requesting("cpu", "5")))))
        .containsEntry("cpu", 5000L);
  }

  @Test
  void runtimeClassesAddTheirOverheadUnlessThePodHasItsOwn() {
    PodTemplates templates = PodTemplates.builder()
        .addRuntimeClasses(runtimeClass("kata", list("cpu", "250m", "memory", "120Mi")))
        .build();
    PodSpecBuilder spec = new PodSpecBuilder().withContainers(requesting("cpu", "1"));
    assertThat(templates.requests(located(pod(spec.withRuntimeClassName("kata").build()))))
        .containsExactly(Map.entry("cpu", 1250L), Map.entry("memory", 120L << 20));
    assertThat(
            templates.requests(located(pod(spec.withOverhead(list("cpu", "1")).build()))))
        .containsExactly(Map.entry("cpu", 2000L));
    assertThat(templates.requests(located(pod(new PodSpecBuilder()
            .withContainers(requesting("cpu", "1"))
            .withRuntimeClassName("unknown")
            .build()))))
        .containsExactly(Map.entry("cpu", 1000L));
  }

  @Test
  void leavesOutExcludedResources() {
    PodTemplates templates = PodTemplates.builder()
        .addExcludedResourcePrefixes("networking.example.com/", "ephemeral")
        .build();
    assertThat(templates.requests(located(pod(requesting(
            "cpu", "1", "networking.example.com/vpc", "1", "ephemeral-storage", "1Gi")))))
        .containsOnlyKeys("cpu");
  }

  @Test
  void namesEveryFieldThatIsNoQuantity() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withInitContainers(requesting("memory", "1K"))
        .withContainers(
            requesting("cpu", "abc"), container(list("memory", "1Gi"), list("memory", "5Gb")))
        .withOverhead(list("cpu", "１"))
        .build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> requests(template))
        .withMessageContainingAll(
            "Job team-a/train: spec.template.spec.initContainers[0].resources.requests[memory]:"
                + " \"1K\" is not a quantity, expected",
            "spec.template.spec.containers[0].resources.requests[cpu]: \"abc\"",
            "spec.template.spec.containers[1].resources.limits[memory]: \"5Gb\"",
            "spec.template.spec.overhead[cpu]");
  }

  @Test
  void namesWhatIsMissing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> requests(new PodTemplateSpec()))
        .withMessageContaining("spec.template.spec: missing");
    PodTemplateSpec noContainer = pod(new PodSpecBuilder().build());
    noContainer.getSpec().getContainers().add(null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> requests(noContainer))
        .withMessageContaining("spec.template.spec.containers[0]: empty; expected an element");
    Map<String, io.fabric8.kubernetes.api.model.Quantity> noQuantity = list();
    noQuantity.put("cpu", null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> requests(pod(container(noQuantity, Map.of()))))
        .withMessageContaining("requests[cpu]: \"\" is not a quantity");
  }

  @Test
  void configurationIsReadWhenItIsGiven() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodTemplates.builder()
            .putLimitRanges(
                Pods.NAMESPACE,
                limitRange(new LimitRangeItemBuilder()
                    .withType("Pod")
                    .withMax(list("cpu", "lots"))
                    .build()))
            .build())
        .withMessageContaining("LimitRange team-a/limits: spec.limits[0].max[cpu]: \"lots\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodTemplates.builder()
            .addRuntimeClasses(runtimeClass("kata", list("cpu", "x")))
            .build())
        .withMessageContaining("RuntimeClass kata: overhead.podFixed[cpu]: \"x\"");
  }
}
