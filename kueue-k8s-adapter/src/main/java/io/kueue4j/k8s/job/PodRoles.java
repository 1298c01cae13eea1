package io.kueue4j.k8s.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.google.common.base.Strings;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The roles of the pods of a group: pods that admission cannot tell apart have one.
 *
 * <p>The role that a pod is marked with counts; else it is a hash of what admission looks at. The
 * hash is one of our own: that of upstream is over Go's form of the fields. Rules: J-5.
 */
final class PodRoles {
  private static final int LENGTH = 8;
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private PodRoles() {}

  static String of(Pod pod) {
    String marked = Strings.nullToEmpty(JobMetadata.annotations(pod).get(MetadataKeys.ROLE_HASH));
    return marked.isEmpty()
        ? hash(Objects.requireNonNullElseGet(pod.getSpec(), PodSpec::new))
        : marked;
  }

  private static String hash(PodSpec spec) {
    Map<String, @Nullable Object> shape = new TreeMap<>();
    shape.put("containers", containers(spec.getContainers()));
    shape.put("initContainers", containers(spec.getInitContainers()));
    shape.put("nodeSelector", spec.getNodeSelector());
    shape.put("affinity", spec.getAffinity());
    shape.put("tolerations", spec.getTolerations());
    shape.put("runtimeClassName", spec.getRuntimeClassName());
    shape.put("priority", spec.getPriority());
    shape.put("topologySpreadConstraints", spec.getTopologySpreadConstraints());
    shape.put("overhead", PodContainers.amounts(spec.getOverhead()));
    shape.put("resourceClaims", spec.getResourceClaims());
    shape.put(
        "requests",
        spec.getResources() == null
            ? null
            : PodContainers.amounts(spec.getResources().getRequests()));
    try {
      String text = MAPPER.writeValueAsString(shape);
      return Hashing.sha256().hashString(text, UTF_8).toString().substring(0, LENGTH);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("writing the fields of a pod", e);
    }
  }

  private static List<Object> containers(@Nullable List<Container> containers) {
    List<Object> shapes = new ArrayList<>();
    for (Container container : Objects.requireNonNullElse(containers, List.<Container>of())) {
      Map<String, @Nullable Object> shape = new TreeMap<>();
      shape.put(
          "requests",
          container.getResources() == null
              ? null
              : PodContainers.amounts(container.getResources().getRequests()));
      shape.put("ports", container.getPorts());
      shapes.add(shape);
    }
    return shapes;
  }
}
