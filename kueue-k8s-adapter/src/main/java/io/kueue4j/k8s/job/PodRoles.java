package io.kueue4j.k8s.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Strings;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The roles of the pods of a group: pods that are equal for admission have the same role.
 *
 * <p>The role in the annotation of a pod takes precedence; otherwise the role is Kueue's hash of
 * the fields that admission uses, so that the pod sets of a group have the same names as in Kueue.
 * The hash covers the fields as stored: the API server and its plugins fill in some (the protocol
 * of ports, the priority, tolerations of failing nodes), so a pod in a file may have another hash
 * than in a cluster. Rules: J-5.
 */
final class PodRoles {
  private static final int LENGTH = 8;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final GoStruct REQUIREMENT =
      new GoStruct().required("key", "").required("operator", "").optional("values");
  private static final GoStruct SELECTOR =
      new GoStruct().optional("matchLabels").optional("matchExpressions", REQUIREMENT);
  private static final GoStruct NODE_TERM =
      new GoStruct().optional("matchExpressions", REQUIREMENT).optional("matchFields", REQUIREMENT);
  private static final GoStruct POD_TERM = new GoStruct()
      .optional("labelSelector", SELECTOR)
      .optional("namespaces")
      .required("topologyKey", "")
      .optional("namespaceSelector", SELECTOR)
      .optional("matchLabelKeys", "mismatchLabelKeys");
  private static final GoStruct NODE_AFFINITY = affinity(
      new GoStruct().required("nodeSelectorTerms", NODE_TERM, null),
      new GoStruct().required("weight", 0).required("preference", NODE_TERM, Map.of()));
  private static final GoStruct POD_AFFINITY = affinity(
      POD_TERM,
      new GoStruct().required("weight", 0).required("podAffinityTerm", POD_TERM, Map.of()));
  private static final GoStruct AFFINITY = new GoStruct()
      .optional("nodeAffinity", NODE_AFFINITY)
      .optional("podAffinity", POD_AFFINITY)
      .optional("podAntiAffinity", POD_AFFINITY);
  private static final GoStruct TOLERATION =
      new GoStruct().optional("key", "operator", "value", "effect", "tolerationSeconds");
  private static final GoStruct PORT = new GoStruct()
      .optional("name", "hostPort")
      .required("containerPort", 0)
      .optional("protocol", "hostIP");
  private static final GoStruct CLAIM = new GoStruct()
      .required("name", "")
      .optional("resourceClaimName", "resourceClaimTemplateName");
  private static final GoStruct SPREAD = new GoStruct()
      .required("maxSkew", 0)
      .required("topologyKey", "")
      .required("whenUnsatisfiable", "")
      .optional("labelSelector", SELECTOR)
      .optional("minDomains", "nodeAffinityPolicy", "nodeTaintsPolicy", "matchLabelKeys");

  private PodRoles() {}

  static String of(Pod pod) {
    String marked = Strings.nullToEmpty(JobMetadata.annotations(pod).get(MetadataKeys.ROLE_HASH));
    return marked.isEmpty() ? shape(pod) : marked;
  }

  /** {@return Kueue's hash of the fields that admission uses} */
  static String shape(Pod pod) {
    return hash(Objects.requireNonNullElseGet(pod.getSpec(), PodSpec::new));
  }

  private static String hash(PodSpec spec) {
    Map<String, @Nullable Object> shape = new TreeMap<>();
    shape.put("initContainers", containers(spec.getInitContainers()));
    shape.put("containers", containers(spec.getContainers()));
    shape.put("nodeSelector", orNull(spec.getNodeSelector()));
    shape.put("affinity", formed(AFFINITY, spec.getAffinity()));
    shape.put("tolerations", formed(TOLERATION, orNull(spec.getTolerations())));
    shape.put("runtimeClassName", spec.getRuntimeClassName());
    shape.put("priority", spec.getPriority());
    shape.put(
        "topologySpreadConstraints", formed(SPREAD, orNull(spec.getTopologySpreadConstraints())));
    shape.put("overhead", amounts(spec.getOverhead()));
    shape.put("resourceClaims", formed(CLAIM, orNull(spec.getResourceClaims())));
    if (spec.getResources() != null) {
      shape.put("resources", amounts(spec.getResources().getRequests()));
    }
    Map<String, Object> whole = Map.of("spec", shape);
    return Hashing.sha256().hashString(json(whole), UTF_8).toString().substring(0, LENGTH);
  }

  private static @Nullable Object containers(@Nullable List<Container> containers) {
    List<Object> shapes = new ArrayList<>();
    for (Container container : Elements.<Container>of(containers)) {
      ResourceRequirements resources =
          Objects.requireNonNullElseGet(container.getResources(), ResourceRequirements::new);
      Map<String, @Nullable Object> requests = new TreeMap<>();
      requests.put("requests", amounts(resources.getRequests()));
      Map<String, @Nullable Object> shape = new TreeMap<>();
      shape.put("resources", requests);
      shape.put("ports", formed(PORT, orNull(container.getPorts())));
      shapes.add(shape);
    }
    return orNull(shapes);
  }

  private static @Nullable Object amounts(@Nullable Map<String, Quantity> amounts) {
    Map<String, @Nullable String> texts = new TreeMap<>();
    if (amounts != null) {
      amounts.forEach((resource, amount) ->
          texts.put(resource, amount == null ? "0" : GoQuantity.canonical(amount)));
    }
    return texts.isEmpty() ? null : texts;
  }

  private static GoStruct affinity(GoStruct required, GoStruct preferred) {
    return new GoStruct()
        .optional("requiredDuringSchedulingIgnoredDuringExecution", required)
        .optional("preferredDuringSchedulingIgnoredDuringExecution", preferred);
  }

  private static @Nullable Object formed(GoStruct type, @Nullable Object object) {
    return object == null ? null : type.form(RawValues.of(object));
  }

  private static <T> @Nullable List<T> orNull(@Nullable List<T> list) {
    return list == null || list.isEmpty() ? null : list;
  }

  private static @Nullable Map<String, String> orNull(@Nullable Map<String, String> map) {
    return map == null || map.isEmpty() ? null : new TreeMap<>(map);
  }

  /**
   * {@return JSON with Go's escapes of characters that could end a script in HTML} Outside of texts
   * these characters do not occur.
   */
  private static String json(Object value) {
    try {
      return MAPPER
          .writeValueAsString(value)
          .replace("<", "\\u003c")
          .replace(">", "\\u003e")
          .replace("&", "\\u0026")
          .replace("\u2028", "\\u2028")
          .replace("\u2029", "\\u2029");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("writing the fields of a pod", e);
    }
  }
}
