package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.decision.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set of kinds of jobs. Immutable and thread-safe.
 *
 * <pre>{@code
 * JobKinds kinds = JobKinds.standard().and(new TrainingJobKind());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class JobKinds {
  private static final JobKinds STANDARD = of(List.of(new BatchJobKind(), new JobSetKind()));
  private static final JobKinds ALL = all(TrainingRuntimes.none());

  private final ImmutableMap<GroupKind, JobKind<?>> kinds;

  private JobKinds(ImmutableMap<GroupKind, JobKind<?>> kinds) {
    this.kinds = kinds;
  }

  /** {@return the kinds {@code batch/v1 Job} and {@link JobSet}} */
  public static JobKinds standard() {
    return STANDARD;
  }

  /**
   * {@return all kinds that this library supports: the kinds of {@link #standard()}; the training
   * jobs of Kubeflow; RayCluster, RayJob and RayService; LeaderWorkerSet, StatefulSet and
   * Deployment; AppWrapper; SparkApplication; TrainJob; pods, alone and as {@link PodGroup}}
   *
   * <p>Objects of kinds without a class of their own are
   * {@link io.fabric8.kubernetes.api.model.GenericKubernetesResource}s.
   */
  public static JobKinds all() {
    return ALL;
  }

  /** {@return these kinds as Kueue reads them with these settings} */
  public JobKinds forSettings(Settings settings) {
    return of(kinds.values().stream().map(kind -> kind.forSettings(settings)).toList());
  }

  /**
   * {@return these kinds, where elastic RayJobs and RayServices whose clusters Ray scales take the
   * numbers of workers from {@code clusters}; without it, they take them from their own spec}
   */
  public JobKinds withRayClusters(RayClusters clusters) {
    return of(
        kinds.values().stream().map(kind -> withRayClusters(kind, clusters)).toList());
  }

  private static JobKind<?> withRayClusters(JobKind<?> kind, RayClusters clusters) {
    if (kind instanceof RayJobKind) {
      return new RayJobKind(clusters);
    }
    return kind instanceof RayClusterKind ray ? ray.with(clusters) : kind;
  }

  /**
   * {@return all kinds as {@link #all()}, where TrainJobs take their pods from {@code runtimes}}
   */
  public static JobKinds all(TrainingRuntimes runtimes) {
    return of(ImmutableList.<JobKind<?>>builder()
        .addAll(STANDARD.asList())
        .addAll(KubeflowKinds.ALL)
        .add(
            RayClusterKind.CLUSTER,
            new RayJobKind(RayClusters.none()),
            RayClusterKind.service(RayClusters.none()),
            new LeaderWorkerSetKind(),
            new StatefulSetKind(),
            new DeploymentKind(),
            new AppWrapperKind(),
            new SparkApplicationKind(),
            new TrainJobKind(runtimes),
            new PodKind(),
            new PodGroupKind())
        .build());
  }

  /**
   * {@return a set of kinds}
   *
   * @throws IllegalArgumentException if two have the same group and kind
   */
  public static JobKinds of(Iterable<? extends JobKind<?>> kinds) {
    ImmutableMap.Builder<GroupKind, JobKind<?>> all = ImmutableMap.builder();
    kinds.forEach(kind -> all.put(new GroupKind(kind.apiGroup(), kind.kind()), kind));
    return new JobKinds(all.buildOrThrow());
  }

  /**
   * {@return these kinds and one more}
   *
   * @throws IllegalArgumentException if there already is one of its group and kind
   */
  public JobKinds and(JobKind<?> kind) {
    return of(ImmutableList.<JobKind<?>>builder().addAll(asList()).add(kind).build());
  }

  /** {@return the kinds, in the order in which they were given} */
  public List<JobKind<?>> asList() {
    return kinds.values().asList();
  }

  /**
   * {@return the class of the objects of a kind, empty if the kind is unknown}
   *
   * @param apiGroup the API group without version, empty for the core group
   * @param kind the kind
   */
  public Optional<Class<? extends HasMetadata>> type(String apiGroup, String kind) {
    return Optional.ofNullable(kinds.get(new GroupKind(apiGroup, kind))).map(JobKind::type);
  }

  /** {@return the kind of {@code job}, empty if it is unknown} */
  public <J extends HasMetadata> Optional<JobKind<J>> find(J job) {
    JobKind<?> kind = kinds.get(GroupKind.of(job.getApiVersion(), job.getKind()));
    if (kind == null || !kind.type().equals(job.getClass())) {
      return Optional.empty();
    }
    @SuppressWarnings("unchecked") // the kind is one of exactly the class of the job
    JobKind<J> found = (JobKind<J>) kind;
    return Optional.of(found);
  }

  /** {@return whether jobs of this API version and kind are known} */
  boolean contains(@Nullable String apiVersion, @Nullable String kind) {
    return kinds.containsKey(GroupKind.of(apiVersion, kind));
  }

  /** {@return the kind of {@code job}} */
  <J extends HasMetadata> JobKind<J> get(J job) {
    Optional<JobKind<J>> kind = find(job);
    checkArgument(
        kind.isPresent(),
        "%s %s as %s is no known kind of job, expected one of %s",
        job.getApiVersion(),
        job.getKind(),
        job.getClass().getName(),
        this);
    return kind.get();
  }

  /** {@return the kinds, for example {@code [batch/Job]}} */
  @Override
  public String toString() {
    return kinds.keySet().toString();
  }

  /** A kind of object in all its API versions. */
  private record GroupKind(String group, String kind) {
    static GroupKind of(@Nullable String apiVersion, @Nullable String kind) {
      String version = Strings.nullToEmpty(apiVersion);
      int slash = version.indexOf('/');
      return new GroupKind(slash < 0 ? "" : version.substring(0, slash), Strings.nullToEmpty(kind));
    }

    @Override
    public String toString() {
      return group + "/" + kind;
    }
  }

  /** Finds the runtimes that TrainJobs refer to, which contain their pods. */
  @FunctionalInterface
  public interface TrainingRuntimes {
    /** The API group of the runtimes. */
    String GROUP = "trainer.kubeflow.org";

    /** The kind of runtimes with a namespace. */
    String TRAINING_RUNTIME = "TrainingRuntime";

    /** The kind of runtimes without a namespace. */
    String CLUSTER_TRAINING_RUNTIME = "ClusterTrainingRuntime";

    /**
     * {@return the runtime, empty if it is unknown}
     *
     * @param namespace the namespace of the job; ignored for a ClusterTrainingRuntime
     * @param kind {@code TrainingRuntime} or {@code ClusterTrainingRuntime}
     * @param name the name
     */
    Optional<GenericKubernetesResource> find(String namespace, String kind, String name);

    /** {@return a finder without runtimes} */
    static TrainingRuntimes none() {
      return (namespace, kind, name) -> Optional.empty();
    }

    /** {@return a finder of these runtimes; if several have the same name, the last applies} */
    static TrainingRuntimes of(Iterable<GenericKubernetesResource> runtimes) {
      Map<String, GenericKubernetesResource> known = new LinkedHashMap<>();
      for (GenericKubernetesResource runtime : runtimes) {
        String namespace = JobMetadata.metadata(runtime).getNamespace();
        known.put(
            key(namespace == null ? "" : namespace, runtime.getKind(), JobMetadata.name(runtime)),
            runtime);
      }
      ImmutableMap<String, GenericKubernetesResource> byKey = ImmutableMap.copyOf(known);
      return (namespace, kind, name) -> Optional.ofNullable(byKey.get(key(namespace, kind, name)));
    }

    private static String key(String namespace, String kind, String name) {
      boolean cluster = kind.equals(CLUSTER_TRAINING_RUNTIME);
      return kind + " " + (cluster || namespace.equals("default") ? "" : namespace) + "/" + name;
    }
  }

  /**
   * Finds the RayClusters created by RayJobs and RayServices. If Ray scales such a cluster, its
   * numbers of workers replace the numbers of the job.
   */
  @FunctionalInterface
  public interface RayClusters {
    /**
     * {@return the cluster, empty if there is none}
     *
     * @param namespace the namespace of the job, empty if it names none
     * @param name the name of the cluster, from the status of the job
     */
    Optional<GenericKubernetesResource> find(String namespace, String name);

    /** {@return a finder without clusters} */
    static RayClusters none() {
      return (namespace, name) -> Optional.empty();
    }

    /** {@return a finder of these clusters; if several have the same name, the last applies} */
    static RayClusters of(Iterable<GenericKubernetesResource> clusters) {
      Map<String, GenericKubernetesResource> known = new LinkedHashMap<>();
      for (GenericKubernetesResource cluster : clusters) {
        String namespace =
            Objects.requireNonNullElse(JobMetadata.metadata(cluster).getNamespace(), "");
        known.put(namespace + "/" + JobMetadata.name(cluster), cluster);
      }
      ImmutableMap<String, GenericKubernetesResource> byName = ImmutableMap.copyOf(known);
      return (namespace, name) -> Optional.ofNullable(byName.get(namespace + "/" + name));
    }
  }
}
