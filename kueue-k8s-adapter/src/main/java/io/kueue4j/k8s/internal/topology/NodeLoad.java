package io.kueue4j.k8s.internal.topology;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.math.LongMath;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node and the requests of its pods, as counted by the scores of the Kubernetes scheduler: a
 * container that requests no cpu or no memory counts with a small default.
 *
 * <p>Amounts are milli-units of cpu and whole units of every other resource.
 *
 * @param name the name of the node
 * @param allocatable the allocatable amounts, by resource
 * @param requested the requests of its pods, by resource
 * @since 0.1.0
 */
public record NodeLoad(
    String name, SortedMap<String, Long> allocatable, SortedMap<String, Long> requested) {
  /** Copies what it is given. */
  public NodeLoad {
    allocatable = ImmutableSortedMap.copyOf(allocatable);
    requested = ImmutableSortedMap.copyOf(requested);
  }

  private static final long DEFAULT_CPU = 100;
  private static final long DEFAULT_MEMORY = 200 * 1024 * 1024;

  /**
   * {@return the load of a node with the given pods, which are assumed to be bound to it and
   * running}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a quantity is invalid
   */
  public static NodeLoad of(Node node, Iterable<Pod> pods) {
    Map<String, Long> requested = new TreeMap<>();
    for (Pod pod : pods) {
      scoredRequests(pod)
          .forEach((resource, amount) -> requested.merge(resource, amount, Amount::add));
    }
    return new NodeLoad(node.name(), node.allocatable(), ImmutableSortedMap.copyOf(requested));
  }

  /**
   * {@return the requests of a pod as counted by scores}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a quantity is invalid
   */
  public static SortedMap<String, Long> scoredRequests(Pod pod) {
    PodTemplateSpec template =
        new PodTemplateSpec(pod.getMetadata(), Objects.requireNonNull(pod.getSpec()));
    Map<String, Long> requests = new TreeMap<>(PodTemplates.plain()
        .requests(new PodTemplates.Located(
            "Pod " + (pod.getMetadata() == null ? "" : PodUsage.key(pod.getMetadata())),
            "",
            "",
            template)));
    List<Container> containers =
        Objects.requireNonNullElse(pod.getSpec().getContainers(), List.of());
    for (Container container : containers) {
      addDefault(container, ResourceNames.CPU, DEFAULT_CPU, requests);
      addDefault(container, ResourceNames.MEMORY, DEFAULT_MEMORY, requests);
    }
    requests.merge(ResourceNames.PODS, 1L, Amount::add);
    return ImmutableSortedMap.copyOf(requests);
  }

  /** {@return this load with the requests of one more pod} */
  public NodeLoad plus(Map<String, Long> requests) {
    Map<String, Long> sum = new TreeMap<>(requested);
    requests.forEach((resource, amount) -> sum.merge(resource, amount, Amount::add));
    return new NodeLoad(name, allocatable, ImmutableSortedMap.copyOf(sum));
  }

  /** {@return the free amount of a resource, 0 if requests exceed the allocatable amount} */
  public long free(String resource) {
    return Math.max(
        LongMath.saturatedSubtract(
            allocatable.getOrDefault(resource, 0L), requested.getOrDefault(resource, 0L)),
        0);
  }

  /** {@return whether a pod with these requests fits} */
  public boolean fits(Map<String, Long> requests) {
    return requests.entrySet().stream()
        .allMatch(
            request -> request.getValue() == 0 || request.getValue() <= free(request.getKey()));
  }

  private static void addDefault(
      Container container, String resource, long amount, Map<String, Long> requests) {
    boolean requested = container.getResources() != null
        && (has(container.getResources().getRequests(), resource)
            || has(container.getResources().getLimits(), resource));
    if (!requested) {
      requests.merge(resource, amount, Amount::add);
    }
  }

  private static boolean has(@Nullable Map<String, Quantity> amounts, String resource) {
    return amounts != null
        && amounts.get(resource) != null
        && !Strings.isNullOrEmpty(amounts.get(resource).getAmount());
  }
}
