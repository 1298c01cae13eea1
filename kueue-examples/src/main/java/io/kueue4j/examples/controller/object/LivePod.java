package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A pod that has not ended.
 *
 * @param pod its last version
 * @param owners what it belongs to or has belonged to, as {@link WorkloadPods} names it
 * @param requests what it requests, by resource, in units of the engine
 */
public record LivePod(Pod pod, ImmutableSet<String> owners, Map<String, Long> requests) {
  private static final BinaryOperator<Quantity> LARGER =
      BinaryOperator.maxBy(Comparator.comparing(Quantity::getNumericalAmount));

  public static LivePod of(Pod pod, ImmutableSet<String> owners, PodTemplates templates) {
    return new LivePod(pod, owners, requests(pod, templates));
  }

  public LivePod withOwners(ImmutableSet<String> all) {
    return new LivePod(pod, all, requests);
  }

  public ObjectKey key() {
    return ObjectKey.of(pod);
  }

  /** {@return whether a scheduling gate keeps it from a node, so that it uses nothing} */
  public boolean isGated() {
    return isGated(pod);
  }

  public static boolean isGated(Pod pod) {
    return pod.getSpec() != null
        && pod.getSpec().getSchedulingGates() != null
        && !pod.getSpec().getSchedulingGates().isEmpty();
  }

  /** {@return whether pods of a spec have a certain scheduling gate} */
  public static boolean hasGate(@Nullable PodSpec spec, String name) {
    return spec != null
        && spec.getSchedulingGates() != null
        && spec.getSchedulingGates().stream().anyMatch(gate -> name.equals(gate.getName()));
  }

  /** The API server refuses what cannot be read. */
  private static Map<String, Long> requests(Pod pod, PodTemplates templates) {
    PodSpec spec = Objects.requireNonNullElseGet(pod.getSpec(), PodSpec::new);
    PodTemplateSpec template = new PodTemplateSpec(pod.getMetadata(), allocated(spec, pod));
    try {
      return ImmutableMap.copyOf(templates.requests(
          new PodTemplates.Located(ObjectKey.of(pod).toString(), "", "", template)));
    } catch (InvalidConfigurationException e) {
      return ImmutableMap.of();
    }
  }

  /**
   * {@return the spec with what containers request or still have, if that is more: a resize takes
   * effect some time after it was requested}
   */
  private static PodSpec allocated(PodSpec spec, Pod pod) {
    List<ContainerStatus> statuses = pod.getStatus() == null
        ? List.of()
        : Objects.requireNonNullElse(pod.getStatus().getContainerStatuses(), List.of());
    Map<String, Map<String, Quantity>> present = new HashMap<>();
    statuses.forEach(status -> present.put(status.getName(), requests(status.getResources())));
    List<Container> containers = spec.getContainers().stream()
        .map(container ->
            withMost(container, present.getOrDefault(container.getName(), ImmutableMap.of())))
        .toList();
    return containers.equals(spec.getContainers())
        ? spec
        : new PodSpecBuilder(spec).withContainers(containers).build();
  }

  private static Container withMost(Container container, Map<String, Quantity> present) {
    Map<String, Quantity> requested = requests(container.getResources());
    Map<String, Quantity> most = new HashMap<>(requested);
    present.forEach((resource, quantity) -> most.merge(resource, quantity, LARGER));
    return most.equals(requested)
        ? container
        : new ContainerBuilder(container)
            .editOrNewResources()
            .withRequests(most)
            .endResources()
            .build();
  }

  private static Map<String, Quantity> requests(@Nullable ResourceRequirements resources) {
    return resources == null || resources.getRequests() == null
        ? Map.of()
        : resources.getRequests();
  }
}
