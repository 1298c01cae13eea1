package io.kueue4j.k8s.pod;

import static io.kueue4j.k8s.pod.Pods.located;
import static io.kueue4j.k8s.pod.Pods.pod;
import static io.kueue4j.k8s.pod.Pods.requesting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.Container;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rule R-4. */
class ResourceTransformationTest {
  private static Map<String, Long> requests(
      Container container, PodTemplates.Transformation... transformations) {
    return PodTemplates.builder()
        .addTransformations(transformations)
        .build()
        .requests(located(pod(container)));
  }

  @Test
  void aNegativeOutputNeverTakesFromARequest() {
    assertThat(requests(
            requesting("cpu", "4", "x", "3"),
            PodTemplates.Transformation.replace("x", Map.of("cpu", "-1", "credits", "2"))))
        .as("V-13: generated cpu -3 is floored to 0")
        .containsExactly(Map.entry("cpu", 4000L), Map.entry("credits", 6L));
  }

  @Test
  void outputsOfSeveralInputsOffsetEachOther() {
    assertThat(requests(
            requesting("cpu", "4", "x", "5", "y", "3"),
            PodTemplates.Transformation.replace("x", Map.of("cpu", "1")),
            PodTemplates.Transformation.replace("y", Map.of("cpu", "-1"))))
        .as("V-13: generated cpu +5 and -3")
        .containsExactly(Map.entry("cpu", 6000L));
  }

  @Test
  void retainKeepsTheInputAndReplaceDropsIt() {
    Container mig = requesting("nvidia.com/mig-1g.5gb", "2", "nvidia.com/mig-2g.10gb", "1");
    assertThat(requests(
            mig,
            PodTemplates.Transformation.replace(
                "nvidia.com/mig-1g.5gb", Map.of("example.com/memory", "5Gi")),
            PodTemplates.Transformation.retain(
                "nvidia.com/mig-2g.10gb", Map.of("example.com/memory", "10Gi"))))
        .containsExactly(
            Map.entry("example.com/memory", 20L << 30), Map.entry("nvidia.com/mig-2g.10gb", 1L));
  }

  @Test
  void replaceByNothingDropsTheInput() {
    assertThat(requests(
            requesting("cpu", "1", "x", "1"), PodTemplates.Transformation.replace("x", Map.of())))
        .containsOnlyKeys("cpu");
  }

  @Test
  void multipliesByAnotherResourceOfThePod() {
    PodTemplates.Transformation perGpu = PodTemplates.Transformation.retain(
            "memory-per-gpu", Map.of("credits", "1"))
        .multipliedBy("gpu");
    assertThat(requests(requesting("memory-per-gpu", "10", "gpu", "4"), perGpu))
        .as("the multiplier does not reach what is retained")
        .containsExactly(
            Map.entry("credits", 40L), Map.entry("gpu", 4L), Map.entry("memory-per-gpu", 10L));
    assertThat(requests(requesting("memory-per-gpu", "10"), perGpu)).containsEntry("credits", 10L);
  }

  @Test
  void isExactUntilTheEnd() {
    assertThat(requests(
            requesting("cpu", "100m"),
            PodTemplates.Transformation.replace("cpu", Map.of("c", "0.3"))))
        .as("0.03, rounded up once")
        .containsExactly(Map.entry("c", 1L));
    assertThat(requests(
            requesting("x", "100", "y", "100"),
            PodTemplates.Transformation.replace("x", Map.of("c", "0.005")),
            PodTemplates.Transformation.replace("y", Map.of("c", "0.005"))))
        .containsExactly(Map.entry("c", 1L));
  }

  @Test
  void inputsAreUniqueAndOutputsQuantities() {
    PodTemplates.Transformation x = PodTemplates.Transformation.replace("x", Map.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodTemplates.builder().addTransformations(x, x).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodTemplates.Transformation.retain("x", Map.of("credits", "many")))
        .withMessageStartingWith("credits: \"many\" is not a quantity");
  }
}
