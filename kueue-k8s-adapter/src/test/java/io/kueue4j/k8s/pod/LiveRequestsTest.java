package io.kueue4j.k8s.pod;

import static io.kueue4j.k8s.pod.Pods.list;
import static io.kueue4j.k8s.pod.Pods.requesting;
import static io.kueue4j.k8s.pod.Pods.sidecar;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.model.InvalidConfigurationException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests of pods that exist and may be resized. */
class LiveRequestsTest {
  private static final Pod POD = new PodBuilder()
      .withNewMetadata()
      .withNamespace("team-a")
      .withName("train-0")
      .endMetadata()
      .withNewSpec()
      .withInitContainers(
          new ContainerBuilder(sidecar("cpu", "1")).withName("proxy").build())
      .withContainers(requesting("cpu", "2", "memory", "1Gi"))
      .withOverhead(list("cpu", "100m"))
      .endSpec()
      .build();

  private static ContainerStatus status(
      String name, Map<String, Quantity> running, Map<String, Quantity> allocated) {
    return new ContainerStatusBuilder()
        .withName(name)
        .withAllocatedResources(allocated)
        .withNewResources()
        .withRequests(running)
        .endResources()
        .build();
  }

  private static Map<String, Long> requests(Pod pod) {
    return PodTemplates.plain().liveRequests(pod);
  }

  private static Pod with(ContainerStatus container, ContainerStatus initContainer) {
    return new PodBuilder(POD)
        .withNewStatus()
        .withContainerStatuses(container)
        .withInitContainerStatuses(initContainer)
        .endStatus()
        .build();
  }

  @Test
  void aPodWithoutStatusRequestsWhatItsSpecDoes() {
    assertThat(requests(POD))
        .containsExactly(Map.entry("cpu", 3100L), Map.entry("memory", 1L << 30));
  }

  @Test
  void whatAContainerStillHasCounts() {
    Pod shrinking = with(
        status("c", list("cpu", "5", "memory", "1Mi"), Map.of()),
        status("proxy", list("cpu", "3"), Map.of()));
    assertThat(requests(shrinking))
        .containsExactly(Map.entry("cpu", 8100L), Map.entry("memory", 1L << 30));
  }

  @Test
  void whatTheNodeHasPromisedCounts() {
    Pod promised = with(
        status("c", list("cpu", "2"), list("cpu", "4")),
        status("proxy", list("cpu", "1"), list("cpu", "2")));
    assertThat(requests(promised)).containsEntry("cpu", 6100L);
  }

  @Test
  void aContainerThatHasLessThanItRequestsCountsByItsSpec() {
    Pod growing =
        with(status("c", list("cpu", "1"), list("cpu", "1")), status("proxy", Map.of(), Map.of()));
    assertThat(requests(growing)).containsEntry("cpu", 3100L);
  }

  @Test
  void anInvalidQuantityOfTheStatusIsNamed() {
    Pod broken = with(
        status("c", Map.of("cpu", new Quantity("many")), Map.of()),
        status("proxy", Map.of(), Map.of("cpu", new Quantity("more"))));
    assertThatExceptionOfType(InvalidConfigurationException.class)
        .isThrownBy(() -> requests(broken))
        .withMessageContaining("Pod team-a/train-0")
        .withMessageContaining("status.containerStatuses[0].resources.requests[cpu]")
        .withMessageContaining("status.initContainerStatuses[0].allocatedResources[cpu]");
  }
}
