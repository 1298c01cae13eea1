package io.kueue4j.examples.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Iterables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.examples.simulation.ClusterObjects;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.status.AdmissionWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of a cluster as one {@code List} of objects: what decides on admission, and nothing
 * else. The same state gives the same text, and is read as the same state again.
 */
public final class ClusterSnapshot {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ImmutableList<String> KINDS = ImmutableList.of(
      "Configuration",
      "Deployment",
      "Namespace",
      "Topology",
      "ResourceFlavor",
      "AdmissionCheck",
      "Cohort",
      "ClusterQueue",
      "LocalQueue",
      "Queue",
      "WorkloadPriorityClass",
      "DeviceClass",
      "ResourceClaimTemplate",
      "ResourceSlice",
      "Node",
      "Pod",
      "Workload");

  private static final String ASSIGNMENT = "topologyAssignment";

  private final ImmutableList<ObjectNode> items;

  private ClusterSnapshot(Iterable<ObjectNode> items) {
    this.items = ImmutableList.copyOf(items);
  }

  /** {@return the snapshot of the objects of a cluster} */
  public static ClusterSnapshot of(ClusterObjects objects) {
    List<ObjectNode> items = new ArrayList<>();
    objects.configuration().forEach(object -> items.add(tree(object)));
    List<ObjectNode> workloads = new ArrayList<>();
    objects.workloads().forEach(object -> workloads.add(tree(object)));
    NeededFields needed = new NeededFields(Iterables.concat(items, workloads));
    items.forEach(needed::retain);
    workloads.forEach(needed::retain);
    items.sort(Comparator.comparingInt((ObjectNode item) -> rank(item))
        .thenComparing(ClusterSnapshot::name));
    // Those that nothing was decided on stay in the order in which they are created.
    workloads.sort(Comparator.comparing(item ->
        item.has("status") ? item.at("/metadata/creationTimestamp").asText() + name(item) : "~"));
    return new ClusterSnapshot(Iterables.concat(items, workloads));
  }

  private static ObjectNode tree(GenericKubernetesResource object) {
    return MAPPER.valueToTree(object);
  }

  private static int rank(ObjectNode item) {
    int rank = KINDS.indexOf(item.path("kind").asText());
    return rank < 0 ? KINDS.size() : rank;
  }

  private static String name(ObjectNode item) {
    JsonNode metadata = item.path("metadata");
    return metadata.path("namespace").asText() + "/" + metadata.path("name").asText();
  }

  /**
   * {@return the snapshot with other names of objects, namespaces, nodes, queues and pod sets, and
   * without messages; it leads to the same decisions}
   *
   * @param salt the key of the hashes: the same names get the same hashes in every snapshot with it
   */
  public ClusterSnapshot withHashedNames(String salt) {
    List<ObjectNode> copies = new ArrayList<>();
    items.forEach(item -> copies.add(item.deepCopy()));
    copies.forEach(ClusterSnapshot::expandPlaces);
    Set<String> levels = NameWalk.topologyLevels(items);
    Set<String> names = new TreeSet<>();
    NameWalk collecting = new NameWalk(levels, name -> {
      names.add(name);
      return name;
    });
    copies.forEach(copy -> collecting.visit(copy.deepCopy()));
    HashedNames hashed = HashedNames.of(ImmutableSortedSet.copyOf(names), salt);
    NameWalk renaming = new NameWalk(levels, hashed::get);
    copies.forEach(renaming::visit);
    copies.forEach(ClusterSnapshot::compressPlaces);
    return new ClusterSnapshot(copies);
  }

  /** Writes the places of pods value by value, since common parts of names are written once. */
  private static void expandPlaces(ObjectNode item) {
    Map<String, TopologyAssignment> places = places(item);
    for (JsonNode assignment : item.at("/status/admission/podSetAssignments")) {
      TopologyAssignment place = places.get(assignment.path("name").asText());
      if (place != null && assignment instanceof ObjectNode holder) {
        holder.set(ASSIGNMENT, MAPPER.valueToTree(AdmissionWriter.v1beta1().write(place)));
      }
    }
  }

  private static ImmutableMap<String, TopologyAssignment> places(ObjectNode item) {
    if (item.at("/status/admission").isMissingNode()) {
      return ImmutableMap.of();
    }
    Optional<Admission> admission = new WorkloadReader(PodTemplates.plain())
        .read(ManifestReader.create()
            .read(ManifestSource.of(MAPPER.convertValue(item, GenericKubernetesResource.class)))
            .items()
            .get(0))
        .admission();
    ImmutableMap.Builder<String, TopologyAssignment> places = ImmutableMap.builder();
    admission.stream()
        .flatMap(held -> held.podSetAssignments().stream())
        .forEach((PodSetAssignment assignment) -> assignment
            .topologyAssignment()
            .ifPresent(place -> places.put(assignment.name(), place)));
    return places.buildOrThrow();
  }

  private static void compressPlaces(ObjectNode item) {
    for (JsonNode assignment : item.at("/status/admission/podSetAssignments")) {
      if (assignment.path(ASSIGNMENT) instanceof ObjectNode place
          && assignment instanceof ObjectNode holder
          && item.path("apiVersion").asText().equals(KueueApiVersion.V1BETA2.apiVersion())) {
        ImmutableList.Builder<TopologyAssignment.Domain> domains = ImmutableList.builder();
        place
            .path("domains")
            .forEach(domain -> domains.add(new TopologyAssignment.Domain(
                texts(domain.path("values")), domain.path("count").asInt())));
        holder.set(
            ASSIGNMENT,
            MAPPER.valueToTree(AdmissionWriter.v1beta2()
                .write(new TopologyAssignment(texts(place.path("levels")), domains.build()))));
      }
    }
  }

  private static ImmutableList<String> texts(JsonNode list) {
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    list.forEach(item -> texts.add(item.asText()));
    return texts.build();
  }

  /** {@return the list as YAML} */
  public String toYaml() {
    return Serialization.asYaml(list());
  }

  /** {@return the list as JSON} */
  public String toJson() {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(list()) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON cannot be written", e);
    }
  }

  private Map<String, Object> list() {
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("apiVersion", "v1");
    list.put("kind", "List");
    list.put("items", items.stream().map(ClusterSnapshot::sorted).toList());
    return list;
  }

  /** {@return the object with its fields in the order of their names} */
  private static Object sorted(JsonNode node) {
    if (node.isObject()) {
      Map<String, Object> fields = new TreeMap<>();
      node.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
      return fields;
    }
    if (node.isArray()) {
      List<Object> elements = new ArrayList<>();
      node.forEach(item -> elements.add(sorted(item)));
      return elements;
    }
    return node;
  }
}
