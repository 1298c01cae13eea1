package io.kueue4j.k8s.pod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the properties in which two pods may differ for scheduling, apart from their total
 * requests, as a text that is equal if and only if they do not differ.
 *
 * <p>The text is JSON with sorted keys and exact amounts, so that it depends neither on the order
 * of a map nor on the notation of a quantity. Rules: R-10.
 */
final class PodShape {
  private static final String TOPOLOGY_ANNOTATIONS = "kueue.x-k8s.io/podset-";

  private static final ObjectMapper MAPPER = JsonMapper.builder()
      .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
      .build();

  private PodShape() {}

  static String of(PodTemplateSpec template, EffectivePod pod) {
    PodSpec spec = template.getSpec();
    Map<String, Object> shape = new TreeMap<>();
    put(shape, "initContainers", containers(spec.getInitContainers(), pod.initContainers()));
    put(shape, "containers", containers(spec.getContainers(), pod.containers()));
    put(shape, "podRequests", pod.podLevel().map(it -> plain(it.requests())).orElse(Map.of()));
    put(shape, "overhead", plain(pod.overhead()));
    put(shape, "affinity", spec.getAffinity());
    put(shape, "runtimeClassName", spec.getRuntimeClassName());
    put(shape, "priority", spec.getPriority());
    put(shape, "topologySpreadConstraints", spec.getTopologySpreadConstraints());
    put(shape, "resourceClaims", spec.getResourceClaims());
    put(shape, "topologyRequest", topologyAnnotations(template.getMetadata()));
    return write(shape);
  }

  private static List<Object> containers(
      @Nullable List<Container> containers, List<ContainerResources> resources) {
    List<Object> shapes = new ArrayList<>();
    for (int i = 0; i < resources.size(); i++) {
      Map<String, Object> shape = new TreeMap<>();
      put(shape, "requests", plain(resources.get(i).requests()));
      put(shape, "ports", containers == null ? null : containers.get(i).getPorts());
      shapes.add(shape);
    }
    return shapes;
  }

  private static Map<String, String> plain(ResourceList amounts) {
    return Maps.transformValues(
        amounts.amounts(), amount -> amount.stripTrailingZeros().toPlainString());
  }

  private static Map<String, String> topologyAnnotations(@Nullable ObjectMeta metadata) {
    return metadata == null
        ? Map.of()
        : Maps.filterKeys(
            Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()),
            key -> key.startsWith(TOPOLOGY_ANNOTATIONS));
  }

  private static void put(Map<String, Object> shape, String key, @Nullable Object value) {
    boolean empty = value == null
        || (value instanceof Collection<?> list && list.isEmpty())
        || (value instanceof Map<?, ?> map && map.isEmpty());
    if (!empty) {
      // Convert model objects to maps first, because their properties are not sorted by key.
      shape.put(key, MAPPER.convertValue(value, Object.class));
    }
  }

  private static String write(Map<String, Object> shape) {
    try {
      return MAPPER.writeValueAsString(shape);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write the shape of a pod: " + shape, e);
    }
  }
}
