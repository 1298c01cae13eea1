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
import io.kueue4j.k8s.dra.ResourceClaims;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.immutables.value.Value;

/**
 * Makes workloads of jobs, as Kueue does when a job is created.
 *
 * <p>Immutable and safe for several threads; jobs are never modified. Two conversions of one job
 * are equal, unless the job has only a {@code generateName}: then each is of a new job.
 *
 * <p>Convert a job before it is started: a job that runs with fewer pods than it asked for no
 * longer says how many those were.
 *
 * <pre>{@code
 * JobWorkloads workloads = JobWorkloads.builder().build();
 * engine.submit(workloads.convert(job).orElseThrow().workload());
 * }</pre>
 *
 * <p>Rules: R-1 …, M-24 … M-27, M-32, J-28.
 */
@Value.Immutable
public abstract class JobWorkloads {
  JobWorkloads() {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return ImmutableJobWorkloads.builder();
  }

  /** {@return the kinds of jobs; those of this library unless set} */
  @Value.Default
  public JobKinds kinds() {
    return JobKinds.standard();
  }

  /** {@return how pod templates are read; {@link PodTemplates#plain()} unless set} */
  @Value.Default
  public PodTemplates podTemplates() {
    return PodTemplates.plain();
  }

  /** {@return the namespace of jobs that name none; {@code default} unless set} */
  @Value.Default
  public String defaultNamespace() {
    return "default";
  }

  /**
   * {@return whether the queue may be named by an annotation where there is no label, as Kueue
   * accepted it before v0.15; true unless set}
   */
  @Value.Default
  public boolean legacyQueueAnnotation() {
    return true;
  }

  /**
   * {@return whether pods with TPU chips ask for slices, where annotations or node selectors of GKE
   * say which; false unless set. The engine needs flavors with TPU pools then: see
   * {@link io.kueue4j.k8s.tpu.TpuNodePools}}
   */
  @Value.Default
  public boolean tpuSlices() {
    return false;
  }

  /**
   * {@return whether pods may ask for places in a topology, Kueue's gate TopologyAwareScheduling;
   * true unless set. Otherwise the annotations that say so are not looked at}
   */
  @Value.Default
  public boolean topologyAwareScheduling() {
    return true;
  }

  /**
   * {@return whether jobs may be kept out of the queue by the annotation
   * {@code kueue.x-k8s.io/admission-gated-by}, Kueue's gate AdmissionGatedBy; true unless set.
   * Otherwise the annotation is not looked at}
   */
  @Value.Default
  public boolean admissionGatedBy() {
    return true;
  }

  /**
   * {@return whether jobs that name no queue have to wait until they do, Kueue's setting of that
   * name; false unless set: they are none of admission's business}
   */
  @Value.Default
  public boolean manageJobsWithoutQueueName() {
    return false;
  }

  /**
   * {@return the namespaces in which jobs that name no queue have to wait, Kueue's
   * {@code managedJobsNamespaceSelector}; all unless set}
   */
  @Value.Default
  public Predicate<String> managedNamespaces() {
    return namespace -> true;
  }

  /**
   * {@return how devices are counted that pods claim; unless set none can be, and jobs whose pods
   * claim devices are not admitted}
   */
  @Value.Default
  public ResourceClaims resourceClaims() {
    return ResourceClaims.none();
  }

  /** {@return the priority classes of workloads} */
  public abstract ImmutableList<WorkloadPriorityClass> workloadPriorityClasses();

  /** {@return the priority classes of pods} */
  public abstract ImmutableList<PriorityClass> priorityClasses();

  /**
   * {@return how the owners of jobs are found; unless set none is, and a job whose controller is of
   * a known kind is taken for a part of it}
   */
  @Value.Default
  public JobOwners owners() {
    return JobOwners.unknown();
  }

  /**
   * {@return what makes a name of a {@code generateName}; appends a counter of five digits unless
   * set}
   */
  @Value.Default
  public UnaryOperator<String> nameGenerator() {
    return new GeneratedNames();
  }

  /**
   * {@return the workload of {@code job}, or why there is none; of a job that is admitted in parts,
   * that of the first}
   *
   * <p>The workload has the namespace and creation time of the job, its uid where it has one, and
   * the name that Kueue would give it. Pods that have already ended are reclaimable in it.
   */
  public JobConversion convert(HasMetadata job) {
    return convertAll(job).get(0);
  }

  /**
   * {@return the workloads of {@code job}, or why there are none, in one or more conversions}
   *
   * <p>There is one of most jobs. Each group of a LeaderWorkerSet is admitted by itself, and each
   * pod of a Deployment. As there may be a million of these, the list makes each conversion when it
   * is asked for, and keeps none.
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

  /** Parts differ in nothing but their names, so the first is converted for all. */
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

  /** Builds {@link JobWorkloads}; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the kinds of jobs. */
    @CanIgnoreReturnValue
    public abstract Builder kinds(JobKinds kinds);

    /** Sets how pod templates are read. */
    @CanIgnoreReturnValue
    public abstract Builder podTemplates(PodTemplates podTemplates);

    /** Sets the namespace of jobs that name none. */
    @CanIgnoreReturnValue
    public abstract Builder defaultNamespace(String namespace);

    /** Sets whether the queue may be named by an annotation where there is no label. */
    @CanIgnoreReturnValue
    public abstract Builder legacyQueueAnnotation(boolean accepted);

    /** Sets whether pods with TPU chips ask for slices. */
    @CanIgnoreReturnValue
    public abstract Builder tpuSlices(boolean slices);

    /** Sets whether pods may ask for places in a topology. */
    @CanIgnoreReturnValue
    public abstract Builder topologyAwareScheduling(boolean enabled);

    /** Sets whether jobs may be kept out of the queue by an annotation. */
    @CanIgnoreReturnValue
    public abstract Builder admissionGatedBy(boolean enabled);

    /** Sets whether jobs that name no queue have to wait until they do. */
    @CanIgnoreReturnValue
    public abstract Builder manageJobsWithoutQueueName(boolean manage);

    /** Sets the namespaces in which jobs that name no queue have to wait. */
    @CanIgnoreReturnValue
    public abstract Builder managedNamespaces(Predicate<String> namespaces);

    /** Sets how devices are counted that pods claim. */
    @CanIgnoreReturnValue
    public abstract Builder resourceClaims(ResourceClaims claims);

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

    /** Sets how the owners of jobs are found. */
    @CanIgnoreReturnValue
    public abstract Builder owners(JobOwners owners);

    /** Sets what makes a name of a {@code generateName}; names must differ. */
    @CanIgnoreReturnValue
    public abstract Builder nameGenerator(UnaryOperator<String> generator);

    /**
     * {@return the converter}
     *
     * @throws IllegalArgumentException if two classes of one sort have the same name
     */
    public abstract JobWorkloads build();
  }
}
