package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.internal.dra.ResourceClaims;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.immutables.value.Value;

/**
 * Converts jobs to workloads, as Kueue does when a job is created.
 *
 * <p>Immutable and thread-safe; jobs are never modified. Two conversions of one job are equal,
 * unless the job has only a {@code generateName}: then each converts a new job.
 *
 * <p>Convert a job before it is started: a job that runs with fewer pods than it requested no
 * longer contains the requested number.
 *
 * <pre>{@code
 * JobWorkloads workloads = JobWorkloads.builder().build();
 * JobConversion.Converted converted = workloads.convert(job).orElseThrow();
 * engine.submit(converted.workload());
 * engine.lifecycle().setReclaimablePods(converted.workload().id(), converted.reclaimablePods());
 * }</pre>
 *
 * <p>Rules, M-24, M-25, M-26, M-27, M-32, J-28.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class JobWorkloads {
  JobWorkloads() {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return ImmutableJobWorkloads.builder();
  }

  /** {@return the kinds of jobs; {@link JobKinds#standard()} by default} */
  @Value.Default
  public JobKinds kinds() {
    return JobKinds.standard();
  }

  /** {@return the reader of pod templates; {@link PodTemplates#plain()} by default} */
  @Value.Default
  public PodTemplates podTemplates() {
    return PodTemplates.plain();
  }

  /** {@return the namespace of jobs without one; {@code default} by default} */
  @Value.Default
  public String defaultNamespace() {
    return "default";
  }

  /**
   * {@return whether an annotation may name the queue if there is no label, as Kueue accepted
   * before v0.15; true by default}
   */
  @Value.Default
  public boolean legacyQueueAnnotation() {
    return true;
  }

  /**
   * {@return whether pods with TPU chips request slices, according to annotations or node selectors
   * of GKE; false by default. The engine then needs flavors with TPU pools: see
   * {@link io.kueue4j.k8s.topology.TpuNodePools}}
   */
  @Value.Default
  public boolean tpuSlices() {
    return false;
  }

  /**
   * {@return whether pods may request placement in a topology, Kueue's gate
   * TopologyAwareScheduling; true by default. If false, the annotations are ignored}
   */
  @Value.Default
  public boolean topologyAwareScheduling() {
    return true;
  }

  /**
   * {@return whether pod sets of a group may ask for topology slices, Kueue's gate
   * TASGroupedPodSetSlicing; true by default, as from Kueue 0.20 on}
   */
  @Value.Default
  public boolean slicedGroups() {
    return true;
  }

  /**
   * {@return whether pods that do not fill whole topology slices form a smaller last slice, Kueue's
   * gate TASPartialSlices; true by default, as from Kueue 0.20 on. Jobs that can have none are
   * refused then}
   */
  @Value.Default
  public boolean partialSlices() {
    return true;
  }

  /**
   * {@return whether the annotation {@code kueue.x-k8s.io/admission-gated-by} keeps jobs out of the
   * queue, Kueue's gate AdmissionGatedBy; true by default. If false, the annotation is ignored}
   */
  @Value.Default
  public boolean admissionGatedBy() {
    return true;
  }

  /**
   * {@return whether jobs without a queue name are managed and wait until they have one, Kueue's
   * setting of that name; false by default: such jobs are not managed}
   */
  @Value.Default
  public boolean manageJobsWithoutQueueName() {
    return false;
  }

  /**
   * {@return the namespaces in which jobs without a queue name are managed, Kueue's
   * {@code managedJobsNamespaceSelector}; all by default}
   */
  @Value.Default
  public Predicate<String> managedNamespaces() {
    return namespace -> true;
  }

  /**
   * {@return the rules for counting claimed devices; by default there are none, and jobs whose pods
   * claim devices are not admitted}
   */
  @Value.Default
  ResourceClaims resourceClaims() {
    return ResourceClaims.none();
  }

  /** {@return the priority classes of workloads} */
  public abstract List<WorkloadPriorityClass> workloadPriorityClasses();

  /** {@return the priority classes of pods} */
  public abstract List<PriorityClass> priorityClasses();

  /**
   * {@return the finder of the owners of jobs; by default it finds none, and a job whose controller
   * is of a known kind is treated as part of it}
   */
  @Value.Default
  public Owners owners() {
    return Owners.unknown();
  }

  /**
   * {@return the function that completes a {@code generateName}; by default it appends a counter of
   * five digits}
   */
  @Value.Default
  public UnaryOperator<String> nameGenerator() {
    return new GeneratedNames();
  }

  /**
   * {@return the name of the existing Workload that a job runs on, empty if the job names none}
   *
   * <p>Such a job names it in the annotation or label
   * {@code kueue.x-k8s.io/prebuilt-workload-name}. The conversion of the job has the name of that
   * Workload. Do not submit it: the existing Workload is admitted, and the job is started with its
   * admission. Until the Workload exists, the job waits;
   * {@link io.kueue4j.k8s.job.JobReferences#resolve} compares the two.
   */
  public static Optional<String> prebuiltWorkload(HasMetadata job) {
    return PrebuiltWorkloads.nameOf(job);
  }

  /**
   * {@return the workload of {@code job}, or why there is none; for a job that is admitted in
   * parts, the workload of the first part}
   *
   * <p>The workload has the namespace and creation time of the job, its uid if it has one, and the
   * name that Kueue would give it.
   */
  public JobConversion convert(HasMetadata job) {
    return convertAll(job).get(0);
  }

  /**
   * {@return the workloads of {@code job}, or why there are none, in one or more conversions}
   *
   * <p>Most jobs have one conversion. Each group of a LeaderWorkerSet and each pod of a Deployment
   * is admitted separately. Since there may be a million of these, the list creates each conversion
   * on access and does not keep it.
   */
  public List<JobConversion> convertAll(HasMetadata job) {
    return kinds().find(job).isPresent()
        ? convertKnown(job)
        : ImmutableList.of(new JobConversion.NotManaged(
            JobConversion.Reason.UNKNOWN_KIND,
            JobMetadata.describe(job) + " of " + job.getApiVersion() + ", read as "
                + job.getClass().getSimpleName() + ", is no kind of job that is known; known are "
                + kinds()));
  }

  @Value.Derived
  JobPriorities priorities() {
    return JobPriorities.of(workloadPriorityClasses(), priorityClasses());
  }

  private <J extends HasMetadata> List<JobConversion> convertKnown(J job) {
    JobKind<J> kind = kinds().get(job);
    ObjectMeta metadata = JobMetadata.metadata(job);
    String namespace = Strings.isNullOrEmpty(metadata.getNamespace())
        ? defaultNamespace()
        : metadata.getNamespace();
    Optional<JobConversion.NotManaged> notManaged = notManaged(kind, job, namespace);
    if (notManaged.isPresent()) {
      return ImmutableList.of(notManaged.get());
    }
    String name = !Strings.isNullOrEmpty(metadata.getName())
            || Strings.isNullOrEmpty(metadata.getGenerateName())
        ? Strings.nullToEmpty(metadata.getName())
        : nameGenerator().apply(metadata.getGenerateName());
    JobConversion whole = convert(job, namespace, name);
    if (whole instanceof JobConversion.Invalid) {
      return ImmutableList.of(whole);
    }
    List<? extends HasMetadata> parts = kind.parts(job, name);
    return parts.size() == 1 && parts.get(0).equals(job)
        ? ImmutableList.of(whole)
        : convertParts(parts, namespace);
  }

  /**
   * Converts the parts of a job. They differ only in their names, so the first is converted for
   * all.
   */
  private List<JobConversion> convertParts(List<? extends HasMetadata> parts, String namespace) {
    JobConversion first = convert(parts.get(0), namespace, JobMetadata.name(parts.get(0)));
    return first instanceof JobConversion.Converted converted
        ? Lists.transform(parts, part -> renamed(converted, part))
        : ImmutableList.of(first);
  }

  private <J extends HasMetadata> JobConversion renamed(JobConversion.Converted first, J part) {
    String name = JobMetadata.name(part);
    String uid = Strings.nullToEmpty(JobMetadata.metadata(part).getUid());
    return first.named(name, kinds().get(part).workloadName(part, name, uid));
  }

  private <J extends HasMetadata> JobConversion convert(J job, String namespace, String name) {
    return new JobConverter<>(kinds().get(job), job, this)
        .convert(namespace, name, JobMetadata.queueName(job, legacyQueueAnnotation()));
  }

  private <J extends HasMetadata> Optional<JobConversion.NotManaged> notManaged(
      JobKind<J> kind, J job, String namespace) {
    Optional<OwnerReference> parent = new ManagedParents(
            kinds(), owners(), legacyQueueAnnotation(), manageJobsWithoutQueueName())
        .find(job, namespace);
    if (parent.isPresent()) {
      return Optional.of(new JobConversion.NotManaged(
          JobConversion.Reason.MANAGED_BY_PARENT,
          JobMetadata.describe(job) + " belongs to " + parent.get().getKind() + " "
              + parent.get().getName() + ", which is admitted as a whole"));
    }
    if (JobMetadata.queueName(job, legacyQueueAnnotation()).isEmpty()) {
      return Optional.of(
          manageJobsWithoutQueueName() && managedNamespaces().test(namespace)
              ? new JobConversion.NotManaged(
                  JobConversion.Reason.WAITS_FOR_QUEUE_NAME,
                  JobMetadata.describe(job) + " names no queue and waits, suspended, until it does;"
                      + " set the label " + MetadataKeys.QUEUE_NAME)
              : new JobConversion.NotManaged(
                  JobConversion.Reason.NO_QUEUE_NAME,
                  JobMetadata.describe(job) + " names no queue; set the label "
                      + MetadataKeys.QUEUE_NAME));
    }
    return kind.notManaged(job);
  }

  /** Builds {@link JobWorkloads}; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the kinds of jobs. */
    @CanIgnoreReturnValue
    public abstract Builder kinds(JobKinds kinds);

    /** Sets the reader of pod templates. */
    @CanIgnoreReturnValue
    public abstract Builder podTemplates(PodTemplates podTemplates);

    /** Sets the namespace of jobs without one. */
    @CanIgnoreReturnValue
    public abstract Builder defaultNamespace(String namespace);

    /** Sets whether an annotation may name the queue if there is no label. */
    @CanIgnoreReturnValue
    public abstract Builder legacyQueueAnnotation(boolean accepted);

    /** Sets whether pods with TPU chips request slices. */
    @CanIgnoreReturnValue
    public abstract Builder tpuSlices(boolean slices);

    /** Sets whether pods may request placement in a topology. */
    @CanIgnoreReturnValue
    public abstract Builder topologyAwareScheduling(boolean enabled);

    /** Sets whether pod sets of a group may ask for topology slices. */
    @CanIgnoreReturnValue
    public abstract Builder slicedGroups(boolean enabled);

    /** Sets whether pods that do not fill whole topology slices form a smaller last slice. */
    @CanIgnoreReturnValue
    public abstract Builder partialSlices(boolean enabled);

    /** Sets whether an annotation may keep jobs out of the queue. */
    @CanIgnoreReturnValue
    public abstract Builder admissionGatedBy(boolean enabled);

    /** Sets whether jobs without a queue name are managed. */
    @CanIgnoreReturnValue
    public abstract Builder manageJobsWithoutQueueName(boolean manage);

    /** Sets the namespaces in which jobs without a queue name are managed. */
    @CanIgnoreReturnValue
    public abstract Builder managedNamespaces(Predicate<String> namespaces);

    /** Sets the rules for counting claimed devices. */
    @CanIgnoreReturnValue
    abstract Builder resourceClaims(ResourceClaims claims);

    /** Adds priority classes of workloads. */
    @CanIgnoreReturnValue
    public abstract Builder addWorkloadPriorityClasses(WorkloadPriorityClass... classes);

    /** Adds priority classes of workloads. */
    @CanIgnoreReturnValue
    public abstract Builder addAllWorkloadPriorityClasses(
        Iterable<? extends WorkloadPriorityClass> classes);

    /** Adds priority classes of pods. */
    @CanIgnoreReturnValue
    public abstract Builder addPriorityClasses(PriorityClass... classes);

    /** Adds priority classes of pods. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPriorityClasses(Iterable<? extends PriorityClass> classes);

    /** Sets the finder of the owners of jobs. */
    @CanIgnoreReturnValue
    public abstract Builder owners(Owners owners);

    /** Sets the function that completes a {@code generateName}; names must differ. */
    @CanIgnoreReturnValue
    public abstract Builder nameGenerator(UnaryOperator<String> generator);

    /**
     * {@return the converter}
     *
     * @throws IllegalArgumentException if two priority classes of one kind have the same name
     */
    public abstract JobWorkloads build();
  }

  /** Finds the object that owns a job. */
  @FunctionalInterface
  public interface Owners {
    /**
     * {@return the owner, empty if it is unknown}
     *
     * @param namespace the namespace of the job, and so of its owner
     * @param reference the reference in the job
     */
    Optional<HasMetadata> find(String namespace, OwnerReference reference);

    /** {@return a finder without objects} */
    static Owners unknown() {
      return (namespace, reference) -> Optional.empty();
    }
  }
}
