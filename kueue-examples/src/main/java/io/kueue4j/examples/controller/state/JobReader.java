package io.kueue4j.examples.controller.state;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.graph.Traverser;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.utils.KubernetesResourceUtil;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobSync;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs, with everything that other objects of the cluster say about them.
 *
 * <p>The conversion is done by {@link JobWorkloads}, as everywhere. What it needs comes from the
 * {@link ObjectCache} and not from {@link io.kueue4j.k8s.job.JobReferences}, for three reasons: the
 * cache, which watches the cluster, stays the only copy of these objects; owners are looked up
 * there by uid, since a watched object may have been replaced by another one of its name; and
 * {@link ControllerOptions} decides which kinds of jobs there are.
 */
public final class JobReader {
  static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";
  private static final ImmutableSet<String> REFERENCES = ImmutableSet.of(
      "/LimitRange",
      "node.k8s.io/RuntimeClass",
      "scheduling.k8s.io/PriorityClass",
      "kueue.x-k8s.io/WorkloadPriorityClass",
      JobKinds.TrainingRuntimes.GROUP + "/" + JobKinds.TrainingRuntimes.TRAINING_RUNTIME,
      JobKinds.TrainingRuntimes.GROUP + "/" + JobKinds.TrainingRuntimes.CLUSTER_TRAINING_RUNTIME);

  private final ControllerOptions options;
  private final ObjectCache cache;
  private final ClusterConfiguration configuration;
  private final JobKinds kinds;
  private final JobEditor editor;
  private final JobSync sync;
  private @Nullable JobWorkloads workloads;
  private long generation;

  public JobReader(
      ControllerOptions options, ObjectCache cache, ClusterConfiguration configuration) {
    this.options = options;
    this.cache = cache;
    this.configuration = configuration;
    kinds = options
        .kinds()
        .apply(this::runtime)
        .withRayClusters((namespace, name) -> cache.get(
            new ObjectKey("ray.io", "RayCluster", namespace, name),
            GenericKubernetesResource.class))
        .forSettings(options.settings());
    editor = JobEditor.of(kinds).withSliceGates();
    sync = JobSync.of(kinds);
  }

  /** {@return whether jobs refer to objects of this kind} */
  public static boolean concerns(ObjectKey key) {
    return REFERENCES.contains(key.apiGroup() + "/" + key.kind());
  }

  /** Discards cached references of jobs to other objects. */
  public void referencesChanged() {
    workloads = null;
    generation++;
  }

  /** {@return a number that changes when jobs may have to be read again} */
  public long generation() {
    return generation;
  }

  public JobKinds kinds() {
    return kinds;
  }

  public JobEditor editor() {
    return editor;
  }

  public JobSync sync() {
    return sync;
  }

  /** {@return whether an object is of a kind of jobs} */
  public boolean isJob(ObjectKey key) {
    return kinds.type(key.apiGroup(), key.kind()).isPresent();
  }

  /** {@return whether the pods of a job are started and not the job itself} */
  public <J extends HasMetadata> boolean startsByPods(J job) {
    return kinds.find(job).filter(JobKind::startsByPods).isPresent();
  }

  /** {@return whether a job names a queue} */
  public boolean namesQueue(HasMetadata job) {
    return queueName(job).isPresent();
  }

  /** {@return the LocalQueue that a job names, empty if it names none} */
  public Optional<String> queueName(HasMetadata job) {
    Optional<String> label = queueName(job.getMetadata().getLabels());
    return label.isEmpty() && options.legacyQueueAnnotation()
        ? queueName(job.getMetadata().getAnnotations())
        : label;
  }

  private static Optional<String> queueName(@Nullable Map<String, String> keys) {
    return keys == null ? Optional.empty() : Optional.ofNullable(keys.get(QUEUE_NAME));
  }

  /** {@return the workload of a job, or why there is none} */
  public JobConversion convert(HasMetadata job) {
    return workloads().convertAll(job).get(0);
  }

  /** {@return the conversion of jobs, with the present references to other objects} */
  public JobWorkloads workloads() {
    if (workloads == null) {
      workloads = newWorkloads();
    }
    return workloads;
  }

  /** {@return the name that the workload of a job has at present} */
  public <J extends HasMetadata> String workloadName(J job) {
    return kind(job)
        .workloadName(job, Strings.nullToEmpty(job.getMetadata().getName()), JobParts.uid(job));
  }

  /** {@return the kind of a job} */
  public <J extends HasMetadata> JobKind<J> kind(J job) {
    return kinds
        .find(job)
        .orElseThrow(() -> new IllegalArgumentException(
            ObjectKey.of(job) + " is of no known kind; expected one of " + kinds));
  }

  /**
   * {@return the state of a job according to the job itself}
   *
   * @throws IllegalArgumentException if the kind of the job is unknown
   * @throws io.kueue4j.core.model.InvalidConfigurationException if it cannot be read
   */
  public <J extends HasMetadata> JobFacts facts(J job) {
    JobKind<J> kind = kind(job);
    return new JobFacts(
        JobParts.isGroup(job)
            ? JobParts.startable(job).stream().anyMatch(this::waits)
            : kind.isSuspended(job),
        kind.isActive(job) || JobFacts.isStillStarting(job),
        kind.podsReady(job),
        kind.outcome(job));
  }

  /** {@return whether an object of a job waits for admission, and has not finished} */
  public <J extends HasMetadata> boolean waits(J part) {
    return kinds
        .find(part)
        .filter(kind -> kind.isSuspended(part) && kind.outcome(part).isEmpty())
        .isPresent();
  }

  /** {@return whether an unfinished object of a job was started} */
  public boolean isStarted(HasMetadata job) {
    return JobParts.live(job).stream().anyMatch(part -> !waits(part));
  }

  /** {@return whether an object of a job may run, and is not being deleted} */
  public boolean runs(HasMetadata job) {
    return JobParts.live(job).stream().anyMatch(part -> !JobParts.isDeleted(part) && !waits(part));
  }

  /** {@return how many pods of a workload its job says have ended, by pod set} */
  public <J extends HasMetadata> SortedMap<String, Integer> reclaimablePods(
      J job, Workload workload) {
    return kind(job).reclaimablePods(job, workload);
  }

  private JobWorkloads newWorkloads() {
    PodTemplates.Builder templates =
        PodTemplates.builder().kueueVersion(options.settings().kueueVersion());
    for (LimitRange range : cache.all("", "LimitRange", LimitRange.class)) {
      templates.putLimitRanges(range.getMetadata().getNamespace(), range);
    }
    templates.addAllRuntimeClasses(cache.all("node.k8s.io", "RuntimeClass", RuntimeClass.class));
    return JobWorkloads.builder()
        .kinds(kinds)
        .legacyQueueAnnotation(options.legacyQueueAnnotation())
        .tpuSlices(options.tpuSlices())
        .podTemplates(templates.build())
        .owners(this::owner)
        .addAllPriorityClasses(cache.all("scheduling.k8s.io", "PriorityClass", PriorityClass.class))
        .addAllWorkloadPriorityClasses(configuration.all(WorkloadPriorityClass.class))
        .build();
  }

  private Optional<HasMetadata> owner(String namespace, OwnerReference reference) {
    return cache
        .get(ObjectKey.of(namespace, reference))
        .filter(owner -> reference.getUid() == null
            || reference.getUid().equals(owner.getMetadata().getUid()));
  }

  /** {@return whether a job can be suspended while it runs; otherwise it is pods to be deleted} */
  public <J extends HasMetadata> boolean isStoppable(J job) {
    return kind(job).isStoppable();
  }

  /** {@return the running job without a queue that has made a job as its part, if there is one} */
  public Optional<HasMetadata> maker(HasMetadata job) {
    String namespace = Strings.nullToEmpty(job.getMetadata().getNamespace());
    return Optional.ofNullable(KubernetesResourceUtil.getControllerUid(job))
        .flatMap(owner -> owner(namespace, owner))
        .filter(owner -> isJob(ObjectKey.of(owner)) && !namesQueue(owner))
        .filter(by -> isStoppable(by) && runs(by) && facts(by).outcome().isEmpty());
  }

  /** {@return the running jobs without a queue that would create some pods again} */
  public ImmutableList<HasMetadata> makers(Collection<Pod> pods) {
    return pods.stream()
        .flatMap(pod -> maker(pod).stream())
        .map(this::outermost)
        .distinct()
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the last of the makers of a maker, also if they are in a circle} */
  private HasMetadata outermost(HasMetadata maker) {
    Traverser<HasMetadata> makers =
        Traverser.forGraph(part -> maker(part).map(List::of).orElseGet(List::of));
    return ImmutableList.copyOf(makers.breadthFirst(maker)).reverse().get(0);
  }

  private Optional<GenericKubernetesResource> runtime(String namespace, String kind, String name) {
    boolean inNamespace = kind.equals(JobKinds.TrainingRuntimes.TRAINING_RUNTIME);
    return cache.get(
        new ObjectKey(JobKinds.TrainingRuntimes.GROUP, kind, inNamespace ? namespace : "", name),
        GenericKubernetesResource.class);
  }
}
