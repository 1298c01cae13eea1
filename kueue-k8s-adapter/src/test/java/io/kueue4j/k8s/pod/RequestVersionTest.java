package io.kueue4j.k8s.pod;

import static io.kueue4j.core.decision.KueueVersion.V0_19;
import static io.kueue4j.core.decision.KueueVersion.V0_19_7;
import static io.kueue4j.core.decision.KueueVersion.V0_20;
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
import io.kueue4j.core.decision.KueueVersion;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What versions of Kueue count differently; rules. */
class RequestVersionTest {
  private static Map<String, Long> requests(
      PodTemplates.Builder templates, KueueVersion version, PodTemplateSpec template) {
    return templates.kueueVersion(version).build().requests(located(template));
  }

  @Test
  void aLimitIsTheRequestBeforeALimitRangeHasADefault() {
    PodTemplates.Builder templates = PodTemplates.builder()
        .putLimitRanges(
            Pods.NAMESPACE,
            limitRange(new LimitRangeItemBuilder()
                .withType("Container")
                .withDefaultRequest(list("cpu", "1", "memory", "7"))
                .build()));
    PodTemplateSpec limited = pod(container(Map.of(), list("cpu", "3")));
    assertThat(requests(templates, V0_19_7, limited))
        .as("#15020: charged 1, while the pods request 3")
        .containsExactly(Map.entry("cpu", 1000L), Map.entry("memory", 7L));
    assertThat(requests(templates, V0_20, limited))
        .containsExactly(Map.entry("cpu", 3000L), Map.entry("memory", 7L));
  }

  @Test
  void requestsOfThePodCoverItsContainers() {
    PodTemplateSpec template = pod(new PodSpecBuilder()
        .withContainers(requesting("cpu", "8", "memory", "2"))
        .withNewResources()
        .withRequests(list("cpu", "0", "memory", "3"))
        .endResources()
        .withOverhead(list("cpu", "250m"))
        .build());
    assertThat(requests(PodTemplates.builder(), V0_19, template))
        .containsExactly(Map.entry("cpu", 250L), Map.entry("memory", 3L));
    assertThat(requests(PodTemplates.builder(), V0_19_7, template))
        .containsExactly(Map.entry("cpu", 8250L), Map.entry("memory", 3L));
  }

  @Test
  void anExcludedResourceIsAFactorOfATransformation() {
    PodTemplates.Builder templates = PodTemplates.builder()
        .addExcludedResourcePrefixes("acme.io/vgpu-count")
        .addTransformations(PodTemplates.Transformation.replace(
                "acme.io/cores-per-vgpu", Map.of("quota.acme.io/total-vgpu-cores", "1"))
            .multipliedBy("acme.io/vgpu-count"));
    PodTemplateSpec template =
        pod(requesting("acme.io/vgpu-count", "2", "acme.io/cores-per-vgpu", "20"));
    assertThat(requests(templates, V0_19, template))
        .containsExactly(Map.entry("quota.acme.io/total-vgpu-cores", 20L));
    assertThat(requests(templates, V0_19_7, template))
        .containsExactly(Map.entry("quota.acme.io/total-vgpu-cores", 40L));
  }

  @Test
  void anExcludedInputYieldsOutputsAndIsNotRetained() {
    PodTemplates.Builder templates = PodTemplates.builder()
        .addExcludedResourcePrefixes("example.com/")
        .addTransformations(
            PodTemplates.Transformation.retain("example.com/gpu", Map.of("credits", "10")));
    PodTemplateSpec template = pod(requesting("cpu", "1", "example.com/gpu", "2"));
    assertThat(requests(templates, V0_19, template)).containsExactly(Map.entry("cpu", 1000L));
    assertThat(requests(templates, V0_19_7, template))
        .containsExactly(Map.entry("cpu", 1000L), Map.entry("credits", 20L));
  }
}
