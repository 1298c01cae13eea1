package io.kueue4j.examples.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Replaces each name in the needed fields of objects; removes messages, which contain names. */
final class NameWalk {
  private static final String MESSAGE = "message";

  /** Fields whose text is a name, wherever they are. */
  private static final ImmutableSet<String> NAMES = ImmutableSet.of(
      "clusterName",
      "clusterQueue",
      "cohort",
      "cohortName",
      "deviceClassName",
      "namespace",
      "nodeName",
      "parent",
      "parentName",
      "podSetGroupName",
      "priorityClassName",
      "queueName",
      "resourceClaimTemplateName",
      "topologyName");

  /** Fields whose elements are names, or have a name. */
  private static final ImmutableSet<String> NAMED = ImmutableSet.of(
      "admissionChecks",
      "containers",
      "deviceClassNames",
      "flavors",
      "initContainers",
      "localQueues",
      "metadata",
      "namespaces",
      "nominatedClusterQueueNames",
      "onFlavors",
      "ownerReferences",
      "podSetAssignments",
      "podSetUpdates",
      "podSets",
      "priorityClassRef",
      "reclaimablePods",
      "unhealthyNodes",
      "workloads");

  private static final ImmutableSet<String> LABELS =
      ImmutableSet.of("labels", "matchLabels", "nodeLabels", "nodeSelector");
  private static final ImmutableSet<String> LABELS_WITH_NAMES = ImmutableSet.of(
      "kubernetes.io/hostname",
      "kubernetes.io/metadata.name",
      "kueue.x-k8s.io/priority-class",
      "kueue.x-k8s.io/queue-name");
  private static final ImmutableSet<String> ANNOTATIONS_WITH_NAMES = ImmutableSet.of(
      "kueue.x-k8s.io/workload-slice-name", "kueue.x-k8s.io/workload-slice-replacement-for");

  private final Set<String> topologyLevels;
  private final UnaryOperator<String> replacement;

  NameWalk(Set<String> topologyLevels, UnaryOperator<String> replacement) {
    this.topologyLevels = topologyLevels;
    this.replacement = replacement;
  }

  /** {@return the labels whose values are domains of topologies among objects} */
  static ImmutableSet<String> topologyLevels(Iterable<ObjectNode> objects) {
    ImmutableSet.Builder<String> levels = ImmutableSet.builder();
    objects.forEach(object -> object
        .path("spec")
        .path("levels")
        .forEach(level -> levels.add(level.path("nodeLabel").asText())));
    return levels.build();
  }

  /** Replaces the names in an object. */
  void visit(ObjectNode object) {
    if (NeededFields.isDeployment(object)) {
      return; // Its name and image say the version of Kueue.
    }
    visit("", object, object.path("kind").asText().equals("Namespace"));
  }

  private void visit(String context, ObjectNode object, boolean isSelector) {
    for (Map.Entry<String, JsonNode> field : ImmutableList.copyOf(object.properties())) {
      String name = field.getKey();
      JsonNode value = field.getValue();
      if (value.isTextual()) {
        object.set(name, TextNode.valueOf(text(context, name, value.asText(), isSelector)));
      } else if (value instanceof ObjectNode inner) {
        visit(name, inner, isSelector || name.equals("namespaceSelector"));
      } else if (value instanceof ArrayNode list) {
        visit(name, list, isSelector || hasNames(name, object));
      }
    }
  }

  private void visit(String context, ArrayNode list, boolean isSelector) {
    boolean areNames = NAMED.contains(context) || (context.equals("values") && isSelector);
    for (int i = 0; i < list.size(); i++) {
      JsonNode item = list.get(i);
      if (item.isTextual() && areNames) {
        list.set(i, TextNode.valueOf(replaceParts(item.asText())));
      } else if (item instanceof ObjectNode inner) {
        visit(context, inner, isSelector);
      }
    }
  }

  /** {@return whether the list of values belongs to a label with names, or to a topology domain} */
  private boolean hasNames(String field, ObjectNode holder) {
    return field.equals("values")
        && (holder.has("count") || isName(holder.path("key").asText()));
  }

  private String text(String context, String field, String text, boolean isSelector) {
    if (field.equals(MESSAGE)) {
      return "";
    }
    boolean isName = NAMES.contains(field)
        || (field.equals("name") && NAMED.contains(context))
        || context.equals("flavors")
        || (LABELS.contains(context) && (isSelector || isName(field)));
    if (isName) {
      return replace(text);
    }
    return context.equals("annotations") && ANNOTATIONS_WITH_NAMES.contains(field)
        ? replaceParts(text)
        : text;
  }

  /** Replaces a name, or both parts of {@code namespace/name}. */
  private String replaceParts(String text) {
    return Splitter.on('/').splitToStream(text).map(this::replace).collect(Collectors.joining("/"));
  }

  private boolean isName(String label) {
    return LABELS_WITH_NAMES.contains(label) || topologyLevels.contains(label);
  }

  private String replace(String name) {
    return name.isEmpty() ? name : replacement.apply(name);
  }
}
