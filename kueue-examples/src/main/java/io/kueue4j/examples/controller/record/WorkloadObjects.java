package io.kueue4j.examples.controller.record;

import com.google.common.base.Strings;
import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.status.ObjectConditions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads and copies Workload objects; given objects are never modified. */
public final class WorkloadObjects {
  /** The finalizer that keeps a Workload until its job has stopped. */
  public static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";

  /** The condition of a job that the controller is stopping; it says why. */
  public static final String STOPPING = "kueue4j.io/Stopping";

  /**
   * The condition of a job that runs on TPU slices: its message says which. Kueue has no field for
   * them, and unlike an annotation tenants cannot write it.
   */
  public static final String TPU_SLICES = "kueue4j.io/TpuSlices";

  /** The condition of a job that waits and is promised a start; see {@link PromiseRecords}. */
  public static final String PROMISED_START = "kueue4j.io/PromisedStart";

  /** The largest annotations that the API server accepts, with their names. */
  public static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private static final String JOB_UID = "kueue.x-k8s.io/job-uid";
  private static final String IS_GROUP = "kueue.x-k8s.io/is-group-workload";
  private static final ManifestReader MANIFESTS = ManifestReader.create();

  private WorkloadObjects() {}

  /** {@return whether the status records an admission, which holds quota} */
  public static boolean isAdmitted(GenericKubernetesResource object) {
    return mapping(status(object).get("admission")).containsKey("clusterQueue")
        && ObjectConditions.isTrue(object, "QuotaReserved");
  }

  /** {@return the field {@code spec.active}; an absent field means true} */
  public static boolean isActive(GenericKubernetesResource object) {
    return !Boolean.FALSE.equals(spec(object).get("active"));
  }

  /** {@return whether the object belongs to a group of pods} */
  public static boolean isOfGroup(GenericKubernetesResource object) {
    return "true".equals(JobAnnotations.of(object, IS_GROUP));
  }

  /** {@return the owners that decide: the controller, or for a group of pods all its pods} */
  public static ImmutableList<OwnerReference> owners(GenericKubernetesResource object) {
    List<OwnerReference> owners =
        Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
    boolean isOfGroup = isOfGroup(object);
    return owners.stream()
        .filter(owner ->
            isOfGroup ? "Pod".equals(owner.getKind()) : Boolean.TRUE.equals(owner.getController()))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the uids of {@link #owners}} */
  public static ImmutableSet<String> ownerUids(GenericKubernetesResource object) {
    return owners(object).stream()
        .map(owner -> Strings.nullToEmpty(owner.getUid()))
        .filter(uid -> !uid.isEmpty())
        .collect(ImmutableSet.toImmutableSet());
  }

  /** {@return the uid of the job that the object was created for, by its label or its owners} */
  public static ImmutableSet<String> jobUids(GenericKubernetesResource object) {
    String uid = JobParts.label(object, JOB_UID);
    return uid.isEmpty() ? ownerUids(object) : ImmutableSet.of(uid);
  }

  /** {@return the size of all annotations, with their names} */
  public static int annotationBytes(GenericKubernetesResource object) {
    return object.getMetadata().getAnnotations().entrySet().stream()
        .mapToInt(each -> Utf8.encodedLength(each.getKey() + each.getValue()))
        .sum();
  }

  /** {@return a copy with another value of an annotation} */
  public static GenericKubernetesResource withAnnotation(
      GenericKubernetesResource object, String name, String value) {
    return with(object, metadata -> metadata.addToAnnotations(name, value));
  }

  /** {@return a copy with other owners} */
  public static GenericKubernetesResource withOwners(
      GenericKubernetesResource object, List<OwnerReference> owners) {
    return with(object, metadata -> metadata.withOwnerReferences(owners));
  }

  /** {@return the finalizers that other controllers have to remove} */
  static List<String> foreignFinalizers(GenericKubernetesResource object) {
    return object.getMetadata().getFinalizers().stream()
        .filter(finalizer -> !finalizer.equals(FINALIZER))
        .toList();
  }

  /** {@return a copy with the finalizer of the controller} */
  public static GenericKubernetesResource withFinalizer(GenericKubernetesResource object) {
    return with(
        object, metadata -> metadata.removeFromFinalizers(FINALIZER).addToFinalizers(FINALIZER));
  }

  /** {@return a copy without the finalizer of the controller} */
  public static GenericKubernetesResource withoutFinalizer(GenericKubernetesResource object) {
    return with(object, metadata -> metadata.removeFromFinalizers(FINALIZER));
  }

  /** {@return a copy with {@code spec.active}} */
  public static GenericKubernetesResource withActive(
      GenericKubernetesResource object, boolean isActive) {
    Map<String, Object> spec = spec(object);
    spec.put("active", isActive);
    Map<String, Object> fields = new LinkedHashMap<>(object.getAdditionalProperties());
    fields.put("spec", spec);
    return with(object, object.getMetadata(), fields);
  }

  /**
   * {@return a copy of {@code stored} with spec, owners, labels and annotations of {@code wanted};
   * it is as active as before}
   */
  public static GenericKubernetesResource withContent(
      GenericKubernetesResource stored, GenericKubernetesResource wanted) {
    ObjectMeta metadata = new ObjectMetaBuilder(stored.getMetadata())
        .addToLabels(wanted.getMetadata().getLabels())
        .addToAnnotations(wanted.getMetadata().getAnnotations())
        .withOwnerReferences(wanted.getMetadata().getOwnerReferences())
        .withFinalizers(wanted.getMetadata().getFinalizers())
        .build();
    Map<String, Object> fields = new LinkedHashMap<>(stored.getAdditionalProperties());
    fields.put("spec", spec(wanted));
    return withActive(with(stored, metadata, fields), isActive(stored));
  }

  private static GenericKubernetesResource with(
      GenericKubernetesResource object, UnaryOperator<ObjectMetaBuilder> change) {
    ObjectMeta metadata =
        change.apply(new ObjectMetaBuilder(object.getMetadata())).build();
    return with(object, metadata, object.getAdditionalProperties());
  }

  static GenericKubernetesResource with(
      GenericKubernetesResource object, ObjectMeta metadata, Map<String, Object> fields) {
    GenericKubernetesResource copy = new GenericKubernetesResource();
    copy.setApiVersion(object.getApiVersion());
    copy.setKind(object.getKind());
    copy.setMetadata(metadata);
    copy.setAdditionalProperties(new LinkedHashMap<>(fields));
    return copy;
  }

  /**
   * {@return the content of a stored Workload}
   *
   * @param templates how the requests of its pods are counted
   * @throws IllegalArgumentException if it cannot be read; says why
   */
  public static ImportedWorkload read(GenericKubernetesResource object, PodTemplates templates) {
    return MANIFESTS.read(ManifestSource.of(object)).workloads(templates).get(0);
  }

  /** {@return a new mapping with the fields of the spec} */
  public static Map<String, Object> spec(GenericKubernetesResource object) {
    return mapping(object.getAdditionalProperties().get("spec"));
  }

  /** {@return a new mapping with the fields of the status} */
  public static Map<String, Object> status(GenericKubernetesResource object) {
    return mapping(object.getAdditionalProperties().get("status"));
  }

  @SuppressWarnings("unchecked") // what was read from JSON has names of text
  static Map<String, Object> mapping(@Nullable Object node) {
    return node instanceof Map<?, ?> map
        ? new LinkedHashMap<>((Map<String, Object>) map)
        : new LinkedHashMap<>();
  }

  static List<?> items(@Nullable Object node) {
    return node instanceof List<?> list ? list : List.of();
  }
}
