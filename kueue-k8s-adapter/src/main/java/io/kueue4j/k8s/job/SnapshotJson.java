package io.kueue4j.k8s.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@link JobSnapshot} as JSON; empty values are omitted. */
final class SnapshotJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SnapshotJson() {}

  static String write(JobSnapshot snapshot) {
    ObjectNode json = MAPPER.createObjectNode();
    ArrayNode podSets = json.putArray("podSets");
    snapshot.podSets().forEach(podSet -> write(podSet, podSets.addObject()));
    put(json, "fields", snapshot.fields().values());
    put(json, "present", snapshot.fields().present());
    return json.toString();
  }

  private static void write(JobSnapshot.PodTemplate podSet, ObjectNode json) {
    json.put("name", podSet.name());
    json.put("hasMetadata", podSet.hasMetadata());
    put(json, "labels", podSet.labels());
    put(json, "annotations", podSet.annotations());
    put(json, "nodeSelector", podSet.nodeSelector());
    put(json, "tolerations", podSet.tolerations());
    put(json, "schedulingGates", podSet.schedulingGates());
    podSet.affinity().ifPresent(affinity -> json.set("affinity", MAPPER.valueToTree(affinity)));
    podSet.counts().ifPresent(counts -> {
      ObjectNode written = json.putObject("counts");
      counts.parallelism().ifPresent(count -> written.put("parallelism", count));
      counts.completions().ifPresent(count -> written.put("completions", count));
    });
  }

  private static void put(ObjectNode json, String field, Object values) {
    JsonNode tree = MAPPER.valueToTree(values);
    if (!tree.isEmpty()) {
      json.set(field, tree);
    }
  }

  static JobSnapshot read(String text) {
    JsonNode json;
    try {
      json = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no snapshot of a job: " + e.getOriginalMessage(), e);
    }
    if (!json.path("podSets").isArray()) {
      throw new IllegalArgumentException(
          "no snapshot of a job: podSets is " + json.path("podSets") + "; expected a list");
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    json.path("fields")
        .properties()
        .forEach(field -> fields.put(field.getKey(), read(field.getValue(), Object.class)));
    return new JobSnapshot(
        list(json, "podSets", SnapshotJson::podSet),
        new JobSnapshot.SavedFields(
            fields, ImmutableSortedSet.copyOf(list(json, "present", SnapshotJson::text))));
  }

  private static JobSnapshot.PodTemplate podSet(JsonNode json) {
    return new JobSnapshot.PodTemplate(
        text(json.path("name")),
        json.path("hasMetadata").booleanValue(),
        texts(json, "labels"),
        texts(json, "annotations"),
        texts(json, "nodeSelector"),
        list(json, "tolerations", item -> read(item, Toleration.class)),
        list(json, "schedulingGates", item -> read(item, PodSchedulingGate.class)),
        Optional.ofNullable(json.get("affinity")).map(node -> read(node, Affinity.class)),
        Optional.ofNullable(json.get("counts"))
            .map(counts ->
                new JobPodSet.Counts(count(counts, "parallelism"), count(counts, "completions"))));
  }

  private static OptionalInt count(JsonNode json, String field) {
    if (!json.has(field)) {
      return OptionalInt.empty();
    }
    if (!json.path(field).isInt()) {
      throw new IllegalArgumentException(
          field + " is " + json.path(field) + "; expected a 32-bit integer");
    }
    return OptionalInt.of(json.path(field).intValue());
  }

  private static String text(JsonNode node) {
    if (!node.isTextual()) {
      throw new IllegalArgumentException("a snapshot has " + node + " where it needs text");
    }
    return node.textValue();
  }

  private static <T> List<T> list(JsonNode holder, String field, Function<JsonNode, T> read) {
    ImmutableList.Builder<T> list = ImmutableList.builder();
    for (JsonNode item : holder.path(field)) {
      if (item.isNull()) {
        throw new IllegalArgumentException(field + " of a snapshot contains null");
      }
      list.add(read.apply(item));
    }
    return list.build();
  }

  private static SortedMap<String, String> texts(JsonNode holder, String field) {
    ImmutableSortedMap.Builder<String, String> map = ImmutableSortedMap.naturalOrder();
    holder
        .path(field)
        .properties()
        .forEach(entry -> map.put(entry.getKey(), text(entry.getValue())));
    return map.buildOrThrow();
  }

  private static <T> T read(JsonNode node, Class<T> type) {
    try {
      return MAPPER.treeToValue(node, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          node + " is no " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
    }
  }
}
