package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads configuration objects: Kueue's own kinds in every version, Namespace, Node, and
 * CapacityWindow, a kind of this library.
 *
 * <p>All versions are read by the same code; a version only determines the names of fields. Rules:
 * M-1, M-14, M-19, M-21, M-33.
 *
 * @since 0.1.0
 */
public final class KueueReader {
  /** The kind Workload. */
  public static final String WORKLOAD = "Workload";

  private static final ImmutableSet<String> CONFIGURATION = ImmutableSet.of(
      "ResourceFlavor",
      "ClusterQueue",
      "LocalQueue",
      "Queue",
      "Cohort",
      "WorkloadPriorityClass",
      "AdmissionCheck",
      "Topology");
  private static final ImmutableSet<String> NAMESPACED =
      ImmutableSet.of("LocalQueue", "Queue", WORKLOAD);
  private static final ImmutableSet<String> UNUSED =
      ImmutableSet.of("MultiKueueCluster", "MultiKueueConfig", "ProvisioningRequestConfig");

  /** The API groups of the kinds that are read. */
  public static final ImmutableList<String> GROUPS =
      ImmutableList.of(KueueApiVersion.GROUP, CapacityWindowReader.GROUP);

  /** The fields of the manifest, by field of the object, for most kinds. */
  private static final ImmutableMap<String, String> ORIGINS =
      ImmutableMap.of("", "spec", "name", "metadata.name", "namespace", "metadata.namespace");

  private final Manifest manifest;
  private final Issues issues;
  private final Fields object;
  private final KueueApiVersion version;
  private final String name;

  /** Whether an API server has stored the object. */
  private final boolean isStored;

  private final Map<String, String> origins = new HashMap<>(ORIGINS);

  private KueueReader(Manifest manifest, Issues issues) {
    this.manifest = manifest;
    this.issues = issues;
    object = Fields.of(manifest, issues);
    object.ignore("apiVersion", "kind");
    if (!manifest.kind().equals("AdmissionCheck")) {
      object.ignore("status");
    }
    version = KueueApiVersion.of(manifest.version()).orElse(KueueApiVersion.V1BETA2);
    Fields metadata = object.object("metadata");
    metadata.ignoreAll();
    name = metadata.requiredText("name");
    isStored = metadata.has("uid");
  }

  /** {@return whether objects of Kueue's kind {@code kind} have a namespace} */
  public static boolean isNamespaced(String kind) {
    return NAMESPACED.contains(kind);
  }

  /** {@return whether this is a kind of Kueue, or a CapacityWindow} */
  public static boolean isKnown(String group, String kind) {
    return isConfiguration(group, kind)
        || isWindow(group, kind)
        || isUnused(group, kind)
        || (group.equals(KueueApiVersion.GROUP) && kind.equals(WORKLOAD));
  }

  private static boolean isWindow(String group, String kind) {
    return group.equals(CapacityWindowReader.GROUP) && kind.equals(CapacityWindowReader.KIND);
  }

  /** {@return the known kinds of {@code group}, empty unless it is Kueue's group or ours} */
  public static Stream<String> kinds(String group) {
    return switch (group) {
      case KueueApiVersion.GROUP ->
        Stream.of(CONFIGURATION, UNUSED, ImmutableSet.of(WORKLOAD)).flatMap(Set::stream);
      case CapacityWindowReader.GROUP -> Stream.of(CapacityWindowReader.KIND);
      default -> Stream.empty();
    };
  }

  /** {@return whether this is a kind of Kueue that does not influence decisions} */
  public static boolean isUnused(String group, String kind) {
    return group.equals(KueueApiVersion.GROUP) && UNUSED.contains(kind);
  }

  private static boolean isConfiguration(String group, String kind) {
    return group.equals(KueueApiVersion.GROUP) && CONFIGURATION.contains(kind);
  }

  /**
   * Reads an object.
   *
   * @param manifest any manifest
   * @param issues receives problems and unknown fields
   * @return the object; empty if the kind is not a kind of configuration, or if there are problems
   */
  public static Optional<ConfigManifest> read(Manifest manifest, Issues issues) {
    if (manifest.is("", "Namespace")) {
      return namespace(manifest, issues);
    }
    if (manifest.is("", "Node")) {
      return NodeReader.read(manifest, issues);
    }
    if (isWindow(manifest.group(), manifest.kind())) {
      return CapacityWindowReader.read(manifest, issues);
    }
    return isConfiguration(manifest.group(), manifest.kind())
        ? new KueueReader(manifest, issues).read()
        : Optional.empty();
  }

  private static Optional<ConfigManifest> namespace(Manifest manifest, Issues issues) {
    String name = Fields.of(manifest, issues).object("metadata").requiredText("name");
    return issues.hasProblems()
        ? Optional.empty()
        : Optional.of(new ConfigManifest(
            Namespace.of(name, manifest.labels()), manifest, ImmutableMap.of("", "metadata")));
  }

  private Optional<ConfigManifest> read() {
    ConfigObject config = switch (manifest.kind()) {
      case "ResourceFlavor" -> new FlavorReader(object, version, origins).read(name);
      case "ClusterQueue" -> new ClusterQueueReader(object, version, origins).read(name);
      case "Cohort" -> cohort();
      case "WorkloadPriorityClass" -> priorityClass();
      case "AdmissionCheck" -> AdmissionCheckReader.read(object, name, isStored);
      case "Topology" -> topology();
      default -> localQueue();
    };
    if (KueueApiVersion.of(manifest.version()).isEmpty()) {
      object.note(
          "apiVersion", "version " + manifest.version() + " is not known, read as " + version);
    }
    object
        .value("metadata")
        .ifPresent(metadata -> ObjectBinder.check(metadata, ObjectMeta.class, "metadata", issues));
    object.noteUnknown();
    return issues.hasProblems()
        ? Optional.empty()
        : Optional.of(new ConfigManifest(config, manifest, origins));
  }

  private LocalQueue localQueue() {
    Fields spec = object.object("spec");
    return LocalQueue.builder()
        .namespace(manifest.namespace().orElse(""))
        .name(name)
        .clusterQueue(spec.requiredText("clusterQueue"))
        .stopPolicy(stopPolicy(spec))
        .fairSharingWeight(fairSharingWeight(spec))
        .build();
  }

  private Cohort cohort() {
    Fields spec = object.object("spec");
    // Some releases of v1alpha1 called the field parent.
    String parent =
        version == KueueApiVersion.V1ALPHA1 && spec.has("parent") ? "parent" : "parentName";
    origins.put("parent", spec.path(parent));
    return Cohort.builder()
        .name(name)
        .parent(spec.text(parent).filter(text -> !text.isEmpty()))
        .addAllResourceGroups(QuotaReader.groups(spec))
        .fairSharingWeight(fairSharingWeight(spec))
        .build();
  }

  private Topology topology() {
    ImmutableList.Builder<String> levels = ImmutableList.builder();
    for (Fields level : object.object("spec").objects("levels")) {
      levels.add(level.requiredText("nodeLabel"));
    }
    return new Topology(name, levels.build());
  }

  private WorkloadPriorityClass priorityClass() {
    object.ignore("description");
    origins.put("", "");
    if (!object.has("value")) {
      object.missing("value", "the priority, a 32-bit integer");
    }
    return new WorkloadPriorityClass(name, object.integer("value").orElse(0));
  }

  static StopPolicy stopPolicy(Fields spec) {
    return spec.choice("stopPolicy", Arrays.asList(StopPolicy.values())).orElse(StopPolicy.NONE);
  }

  static double fairSharingWeight(Fields spec) {
    return spec.object("fairSharing")
        .quantity("weight")
        .map(weight -> Quantity.parse(weight).doubleValue())
        .orElse(1.0);
  }
}
