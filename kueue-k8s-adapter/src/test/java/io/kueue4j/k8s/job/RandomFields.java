package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds unknown fields to a job, and the fields that a start writes in every possible form. */
final class RandomFields {
  /** Mappings whose values must be amounts, texts, or types of replicas. */
  private static final Set<String> CLOSED =
      Set.of("requests", "limits", "labels", "annotations", "nodeSelector", "podSetInfos");

  private final Random random;

  RandomFields(Random random) {
    this.random = random;
  }

  GenericKubernetesResource strew(GenericKubernetesResource job) {
    GenericKubernetesResource copy = KindManifests.copy(job);
    copy.setAdditionalProperties(RawTree.mapping(strew("", copy.getAdditionalProperties())));
    return copy;
  }

  private Object strew(String name, Object node) {
    if (node instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      list.forEach(item -> items.add(strew("item", item)));
      return items;
    }
    if (!(node instanceof Map<?, ?>) || CLOSED.contains(name) || name.equals("podSets")) {
      return node;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    boolean first = random.nextBoolean();
    if (first) {
      unknown(name, fields);
    }
    RawTree.mapping(node).forEach((key, value) -> fields.put(key, strew(key, value)));
    if (!first) {
      unknown(name, fields);
    }
    if (name.equals("template")
        && fields.get("spec") instanceof Map<?, ?> spec
        && spec.containsKey("containers")) {
      podTemplate(fields);
    }
    return fields;
  }

  private void unknown(String name, Map<String, Object> fields) {
    if (!name.isEmpty() && !name.endsWith("ReplicaSpecs") && random.nextInt(3) == 0) {
      fields.put("unknown" + random.nextInt(3), value());
    }
  }

  private void podTemplate(Map<String, Object> template) {
    if (random.nextBoolean()) {
      Map<String, Object> metadata = new LinkedHashMap<>();
      maybe(metadata, "labels", Map.of(), entries("app"), null);
      maybe(metadata, "annotations", Map.of(), entries("note"), null);
      template.put("metadata", random.nextInt(5) == 0 ? null : metadata);
    }
    Map<String, Object> spec = RawTree.mapping(template.get("spec"));
    maybe(spec, "nodeSelector", Map.of(), entries("zone"), entries("capacity"), null);
    maybe(spec, "tolerations", List.of(), List.of(toleration()), null);
    maybe(spec, "schedulingGates", List.of(), List.of(Map.of("name", "example.com/g")), null);
    template.put("spec", spec);
  }

  private void maybe(Map<String, Object> fields, String name, @Nullable Object... values) {
    if (random.nextBoolean()) {
      fields.put(name, values[random.nextInt(values.length)]);
    }
  }

  private static Map<String, Object> entries(String key) {
    return Map.of(key, "capacity".equals(key) ? "spot" : "v");
  }

  private Map<String, Object> toleration() {
    Map<String, Object> toleration = new LinkedHashMap<>();
    toleration.put("key", "other");
    toleration.put("tolerationSeconds", random.nextBoolean() ? null : random.nextInt(9));
    toleration.put("unknown", random.nextBoolean());
    return toleration;
  }

  private Object value() {
    Map<String, Object> nulls = new HashMap<>();
    nulls.put("nothing", null);
    Object[] values = {
      null,
      "",
      "text",
      1,
      1L << 40,
      new BigInteger("123456789012345678901234567890"),
      new BigDecimal("1.50"),
      true,
      List.of(),
      Map.of(),
      nulls,
      List.of(1, "x")
    };
    return values[random.nextInt(values.length)];
  }
}
