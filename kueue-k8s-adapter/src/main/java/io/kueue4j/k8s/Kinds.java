package io.kueue4j.k8s;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.ImmutableTable;
import com.google.common.collect.Table;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.kueue4j.k8s.internal.dra.DeviceClassMappings;
import io.kueue4j.k8s.internal.dra.ResourceClaims;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.internal.yaml.ManifestParser;
import io.kueue4j.k8s.internal.yaml.Suggestion;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobSet;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of objects that are known, by group. */
final class Kinds implements ManifestParser.Scope {
  static final ImmutableTable<String, String, Class<?>> BUILT_IN =
      ImmutableTable.<String, String, Class<?>>builder()
          .put("", "LimitRange", LimitRange.class)
          .put("", "Namespace", Namespace.class)
          .put("", "Node", Node.class)
          .put("", "Pod", Pod.class)
          .put("", "PodTemplate", PodTemplate.class)
          .put("", "ResourceQuota", ResourceQuota.class)
          .put("batch", "CronJob", CronJob.class)
          .put("batch", "Job", Job.class)
          .put("jobset.x-k8s.io", "JobSet", JobSet.class)
          .put("node.k8s.io", "RuntimeClass", RuntimeClass.class)
          .put("scheduling.k8s.io", "PriorityClass", PriorityClass.class)
          .put(DeviceClassMappings.GROUP, DeviceClassMappings.KIND, GenericKubernetesResource.class)
          .put(
              ResourceClaims.GROUP,
              ResourceClaims.RESOURCE_CLAIM_TEMPLATE,
              GenericKubernetesResource.class)
          .put(ResourceClaims.GROUP, ResourceClaims.DEVICE_CLASS, GenericKubernetesResource.class)
          .put(
              JobKinds.TrainingRuntimes.GROUP,
              JobKinds.TrainingRuntimes.CLUSTER_TRAINING_RUNTIME,
              GenericKubernetesResource.class)
          .put(
              JobKinds.TrainingRuntimes.GROUP,
              JobKinds.TrainingRuntimes.TRAINING_RUNTIME,
              GenericKubernetesResource.class)
          .put(ResourceClaims.GROUP, "ResourceClaim", GenericKubernetesResource.class)
          .put(ResourceClaims.GROUP, ResourceClaims.RESOURCE_SLICE, GenericKubernetesResource.class)
          .build();

  private static final ImmutableSetMultimap<String, String> UNUSED =
      ImmutableSetMultimap.<String, String>builder()
          .putAll("", "PodTemplate", "ResourceQuota")
          .put("batch", "CronJob")
          .put(ResourceClaims.GROUP, "ResourceClaim")
          .build();

  private final ImmutableTable<String, String, Class<?>> types;
  private final String defaultNamespace;

  Kinds(Table<String, String, Class<?>> types, String defaultNamespace) {
    this.types = ImmutableTable.copyOf(types);
    this.defaultNamespace = defaultNamespace;
  }

  /** {@return the class for objects of the manifest's kind, empty if there is none} */
  Optional<Class<?>> type(Manifest manifest) {
    return Optional.ofNullable(types.get(manifest.group(), manifest.kind()));
  }

  /** {@return whether the kind has a class or is one of Kueue's} */
  boolean isKnown(Manifest manifest) {
    return !manifest.is("", ManagerConfigMap.KIND) && isKnown(manifest.group(), manifest.kind());
  }

  @Override
  public boolean isKnown(String group, String kind) {
    return types.contains(group, kind)
        || KueueReader.isKnown(group, kind)
        || (group.isEmpty() && kind.equals(ManagerConfigMap.KIND));
  }

  /** {@return a question that names a known kind of the same group that is probably meant} */
  String suggestion(Manifest manifest) {
    return Suggestion.question(
        manifest.kind(),
        Stream.concat(
            types.row(manifest.group()).keySet().stream(), KueueReader.kinds(manifest.group())));
  }

  /** {@return whether the kind is known but of no concern to admission so far} */
  boolean isUnused(Manifest manifest) {
    return UNUSED.containsEntry(manifest.group(), manifest.kind())
        || KueueReader.isUnused(manifest.group(), manifest.kind());
  }

  @Override
  public Optional<String> namespace(String group, String kind, Optional<String> given) {
    Optional<String> inNamespace = given.filter(name -> !name.isEmpty());
    Class<?> type = types.get(group, kind);
    if (type == null && !KueueReader.isKnown(group, kind)) {
      return inNamespace;
    }
    // Kinds without a class of their own are jobs.
    boolean namespaced = type != null
        ? Namespaced.class.isAssignableFrom(type) || type == GenericKubernetesResource.class
        : KueueReader.isNamespaced(kind);
    return namespaced ? inNamespace.or(() -> Optional.of(defaultNamespace)) : Optional.empty();
  }
}
