package io.kueue4j.k8s.job;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the Workload objects that Kueue creates for jobs, in {@code kueue.x-k8s.io/v1beta1} or
 * {@code v1beta2}; {@link io.kueue4j.k8s.status.WorkloadStatusWriter} writes their status.
 *
 * <pre>{@code
 * Workload workload = workloads.convert(job).orElseThrow().workload();
 * GenericKubernetesResource object =
 *     WorkloadWriter.of(KueueApiVersion.V1BETA2, workloads).write(job, workload);
 * }</pre>
 *
 * <p>Immutable; given jobs and objects are never changed.
 * {@link io.kueue4j.k8s.Manifests#workloads} reads the result as the original workload, except for
 * what Kueue does not store: TPU slices and, in v1beta1, topology constraints in several layers.
 *
 * <p>Rules: M-22, M-24, M-28, M-32, M-33, J-20.
 *
 * @since 0.1.0
 */
public final class WorkloadWriter {
  private static final int MAX_LABEL = 63;

  private final KueueApiVersion version;
  private final JobWorkloads workloads;
  private final ImmutableSet<String> labelKeysToCopy;

  private WorkloadWriter(
      KueueApiVersion version, JobWorkloads workloads, ImmutableSet<String> labelKeysToCopy) {
    this.version = version.requireWritable();
    this.workloads = workloads;
    this.labelKeysToCopy = labelKeysToCopy;
  }

  /**
   * {@return a writer for workloads created by {@code workloads}}
   *
   * @throws IllegalArgumentException if the version is neither v1beta1 nor v1beta2
   */
  public static WorkloadWriter of(KueueApiVersion version, JobWorkloads workloads) {
    return new WorkloadWriter(version, workloads, ImmutableSet.of());
  }

  /**
   * {@return a writer that also copies these labels of jobs; Kueue's setting
   * {@code integrations.labelKeysToCopy}}
   */
  public WorkloadWriter withLabelKeysToCopy(Iterable<String> keys) {
    return new WorkloadWriter(version, workloads, ImmutableSet.copyOf(keys));
  }

  /**
   * {@return the Workload of a job, without status, to be created}
   *
   * @param job the stored job; a job without uid is not written as the owner
   * @param workload the workload converted from the job, or from a part of it
   * @throws IllegalArgumentException if the kind of the job is unknown, or the job lacks a pod set
   *     of the workload
   */
  public GenericKubernetesResource write(HasMetadata job, Workload workload) {
    return writeKnown(job, workload);
  }

  private <J extends HasMetadata> GenericKubernetesResource writeKnown(J job, Workload workload) {
    JobKind<J> kind = workloads.kinds().get(job);
    List<JobPodSet> podSets = kind.podSets(job);
    JobPriorities.Priority priority =
        workloads.priorities().of(kind, job, podSets, ImmutableList.builder());
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion(version.apiVersion());
    object.setKind(KueueReader.WORKLOAD);
    object.setMetadata(metadata(job, workload));
    WorkloadSpecFields spec = new WorkloadSpecFields(version, workload);
    object.setAdditionalProperty(
        "spec", spec.write(podSets, kind.managedLabels(), priority.podPriorityClass()));
    return object;
  }

  /**
   * {@return a copy of a Workload with the current values of the fields that the engine may change
   * in its spec: active, priority, queue, time limit, numbers of pods}
   *
   * <p>All other fields and the status are kept. The result equals the object if nothing has
   * changed.
   *
   * @throws IllegalArgumentException if the object is of another version
   */
  public static GenericKubernetesResource update(
      GenericKubernetesResource object, Workload workload) {
    KueueApiVersion version = KueueApiVersion.ofWritten(Objects.toString(object.getApiVersion()));
    Object root = object.getAdditionalProperties();
    Object spec = new WorkloadSpecFields(version, workload)
        .update(RawTree.mapping(RawTree.get(root, RawPath.of("spec"))));
    return GenericJobKind.with(object, RawTree.with(root, RawPath.of("spec"), spec));
  }

  private ObjectMeta metadata(HasMetadata job, Workload workload) {
    ObjectMetaBuilder metadata = new ObjectMetaBuilder()
        .withName(workload.name())
        .withNamespace(workload.namespace())
        .withFinalizers(MetadataKeys.RESOURCE_IN_USE)
        .withOwnerReferences(owners(job));
    Map<String, String> labels = labels(job);
    Map<String, String> annotations = annotations(job, workload);
    return metadata
        .withLabels(labels.isEmpty() ? null : labels)
        .withAnnotations(annotations.isEmpty() ? null : annotations)
        .build();
  }

  /**
   * {@return the owner references of the Workload of a job, empty if the job has no uid}
   *
   * <p>Pods of a group share their Workload; none of them is its controller.
   *
   * @param job the stored job
   */
  public static List<OwnerReference> owners(HasMetadata job) {
    if (job instanceof PodGroup group) {
      ImmutableList.Builder<OwnerReference> owners = ImmutableList.builder();
      for (Pod pod : group.members()) {
        owners.addAll(owner(pod, "v1", "Pod", null));
      }
      return owners.build();
    }
    return owner(job, job.getApiVersion(), job.getKind(), true);
  }

  private static ImmutableList<OwnerReference> owner(
      HasMetadata job, String apiVersion, String kind, @Nullable Boolean controller) {
    ObjectMeta metadata = JobMetadata.metadata(job);
    return Strings.isNullOrEmpty(metadata.getUid())
        ? ImmutableList.of()
        : ImmutableList.of(new OwnerReferenceBuilder()
            .withApiVersion(apiVersion)
            .withKind(kind)
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .withController(controller)
            .withBlockOwnerDeletion(controller)
            .build());
  }

  private Map<String, String> labels(HasMetadata job) {
    Map<String, String> labels = new TreeMap<>(JobMetadata.labels(job));
    labels.keySet().retainAll(labelKeysToCopy);
    String uid = Strings.nullToEmpty(JobMetadata.metadata(job).getUid());
    if (!uid.isEmpty() && uid.length() <= MAX_LABEL && DnsNames.isSubdomain(uid)) {
      labels.put(MetadataKeys.JOB_UID, uid);
    }
    return labels;
  }

  private static Map<String, String> annotations(HasMetadata job, Workload workload) {
    Map<String, String> annotations = new TreeMap<>();
    JobMetadata.annotations(job).forEach((key, value) -> {
      if (key.startsWith(MetadataKeys.PROVISIONING_PREFIX)) {
        annotations.put(key, value);
      }
    });
    if (!workload.admissionGates().isEmpty()) {
      annotations.put(
          MetadataKeys.ADMISSION_GATED_BY, Joiner.on(',').join(workload.admissionGates()));
    }
    if (workload.elastic()) {
      annotations.put(MetadataKeys.ELASTIC_JOB, "true");
    }
    workload
        .replaces()
        .ifPresent(slice -> annotations.put(MetadataKeys.REPLACEMENT_FOR, slice.toString()));
    workload.sliceName().ifPresent(name -> annotations.put(MetadataKeys.SLICE_NAME, name));
    workload
        .expectedDuration()
        .ifPresent(duration ->
            annotations.put(BackfillAnnotations.EXPECTED_DURATION, duration.toString()));
    if (workload.priorityBoost() != 0) {
      annotations.put(MetadataKeys.PRIORITY_BOOST, String.valueOf(workload.priorityBoost()));
    }
    if (job instanceof PodGroup) {
      annotations.put(MetadataKeys.IS_GROUP_WORKLOAD, "true");
    }
    return annotations;
  }
}
