package io.kueue4j.k8s.job;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.internal.dra.DeviceClassMappings;
import io.kueue4j.k8s.internal.dra.ResourceClaims;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ParsedManifest;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.kueue.KueueConfiguration;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects that jobs refer to: priority classes of workloads and pods, LimitRanges,
 * RuntimeClasses, ResourceClaimTemplates, DeviceClasses, ResourceSlices, training runtimes,
 * RayClusters, Workloads that exist before their jobs, and Kueue's Configuration.
 *
 * <p>Of several objects of one kind, namespace and name the last counts. Put all objects in before
 * converting jobs; then their order does not matter.
 *
 * <pre>{@code
 * JobReferences references = JobReferences.create();
 * manifests.items().forEach(references::put);
 * JobWorkloads workloads = references.workloads().build();
 * JobConversion conversion = references.resolve(job, workloads.convert(job));
 * }</pre>
 *
 * <p>{@link io.kueue4j.k8s.KubernetesAdmission} does all of this. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class JobReferences {
  private static final String PRIORITY_CLASSES = "scheduling.k8s.io";
  private static final String RUNTIME_CLASSES = "node.k8s.io";
  private static final String RAY = "ray.io";
  private static final String DEFAULT_NAMESPACE = "default";

  private static final ImmutableSet<GroupKind> NAMESPACED = ImmutableSet.of(
      new GroupKind("", "LimitRange"),
      new GroupKind(KueueApiVersion.GROUP, KueueReader.WORKLOAD),
      new GroupKind(ResourceClaims.GROUP, ResourceClaims.RESOURCE_CLAIM_TEMPLATE),
      new GroupKind(JobKinds.TrainingRuntimes.GROUP, JobKinds.TrainingRuntimes.TRAINING_RUNTIME),
      new GroupKind(RAY, "RayCluster"));
  private static final ImmutableSet<GroupKind> CLUSTER_WIDE = ImmutableSet.of(
      new GroupKind(KueueApiVersion.GROUP, "WorkloadPriorityClass"),
      new GroupKind(PRIORITY_CLASSES, "PriorityClass"),
      new GroupKind(RUNTIME_CLASSES, "RuntimeClass"),
      new GroupKind(ResourceClaims.GROUP, ResourceClaims.DEVICE_CLASS),
      new GroupKind(ResourceClaims.GROUP, ResourceClaims.RESOURCE_SLICE),
      new GroupKind(
          JobKinds.TrainingRuntimes.GROUP, JobKinds.TrainingRuntimes.CLUSTER_TRAINING_RUNTIME),
      new GroupKind(KueueConfiguration.GROUP, KueueConfiguration.KIND));

  private final Map<Key, Manifest> objects = new LinkedHashMap<>();
  private final JobKinds kinds;
  private final KueueVersion kueueVersion;
  private final boolean slicedGroups;
  private final boolean partialSlices;
  private final boolean comparesTopologies;

  /** Reads Workloads by the present Configuration; null until it is needed. */
  private @Nullable WorkloadReader workloadReader;

  private record GroupKind(String group, String kind) {}

  /** The namespace is empty for a kind that is in none. */
  private record Key(GroupKind kind, String namespace, String name) {}

  private JobReferences(Settings settings, Iterable<? extends JobKind<?>> furtherKinds) {
    kueueVersion = settings.kueueVersion();
    slicedGroups = settings.isEnabled(FeatureGate.TAS_GROUPED_POD_SET_SLICING);
    partialSlices = settings.isEnabled(FeatureGate.TAS_PARTIAL_SLICES);
    comparesTopologies = settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && settings.includes(KueueFix.PREBUILT_TOPOLOGIES);
    JobKinds all = JobKinds.all(this::runtime)
        .withRayClusters((namespace, name) -> generic(RAY, "RayCluster", namespace, name));
    for (JobKind<?> kind : furtherKinds) {
      all = all.and(kind);
    }
    kinds = all.forSettings(settings);
  }

  /** {@return references without any object, for jobs read as Kueue does as installed} */
  public static JobReferences create() {
    return create(Settings.defaults());
  }

  /** {@return references without any object, for jobs read as Kueue does with these settings} */
  public static JobReferences create(Settings settings) {
    return create(settings, ImmutableList.of());
  }

  /**
   * {@return references without any object, for jobs of further kinds as well}
   *
   * @throws IllegalArgumentException if a kind is known already
   */
  public static JobReferences create(
      Settings settings, Iterable<? extends JobKind<?>> furtherKinds) {
    return new JobReferences(settings, furtherKinds);
  }

  /**
   * Adds an object, or replaces the one of its kind, namespace and name. An object of a kind that
   * jobs do not refer to is passed over.
   *
   * @param object an object that {@link io.kueue4j.k8s.ManifestReader} has read without problems
   * @return whether jobs refer to objects of this kind
   * @throws ManifestException if the object has no name, or jobs cannot use its contents; says why,
   *     and nothing has changed
   */
  @CanIgnoreReturnValue
  public boolean put(Manifest object) {
    Optional<Key> key = key(object);
    if (key.isPresent()) {
      check(object);
      // The last one comes last, as if the others had never been there.
      objects.remove(key.get());
      objects.put(key.get(), object);
      forgetReader(object);
    }
    return key.isPresent();
  }

  /** {@return whether there was an object of this kind, namespace and name, which is removed} */
  @CanIgnoreReturnValue
  public boolean remove(Manifest object) {
    forgetReader(object);
    return key(object).filter(key -> objects.remove(key) != null).isPresent();
  }

  private void forgetReader(Manifest changed) {
    if (KueueConfiguration.isOne(changed)
        || changed.is("", "LimitRange")
        || changed.is(RUNTIME_CLASSES, "RuntimeClass")
        || changed.group().equals(ResourceClaims.GROUP)) {
      workloadReader = null;
    }
  }

  private static Optional<Key> key(Manifest object) {
    GroupKind kind = new GroupKind(object.group(), object.kind());
    String name = object.name().orElse("");
    if (NAMESPACED.contains(kind)) {
      return Optional.of(new Key(kind, object.namespace().orElse(""), name));
    }
    return CLUSTER_WIDE.contains(kind) ? Optional.of(new Key(kind, "", name)) : Optional.empty();
  }

  private void check(Manifest object) {
    Issues issues = Issues.of(object);
    if (KueueConfiguration.isOne(object)) {
      // It is the only one of a cluster, and most often a file without a name.
      KueueConfiguration unused = KueueConfiguration.read(object, kueueVersion);
      return;
    }
    if (object.name().filter(name -> !name.isEmpty()).isEmpty()) {
      issues.problem(
          ParsedManifest.of(object).locate("metadata.name"),
          "metadata.name",
          "missing; expected text");
    }
    try {
      if (object.is("", "LimitRange")) {
        PodTemplates unused = PodTemplates.builder()
            .putLimitRanges(object.namespace().orElse(""), object.as(LimitRange.class))
            .build();
      } else if (object.is(RUNTIME_CLASSES, "RuntimeClass") && !issues.hasProblems()) {
        PodTemplates unused = PodTemplates.builder()
            .addRuntimeClasses(object.as(RuntimeClass.class))
            .build();
      }
    } catch (InvalidConfigurationException e) {
      e.violations()
          .forEach(violation -> issues.problem(
              ParsedManifest.of(object).locate(violation.field()),
              violation.field(),
              violation.problem()));
    }
    issues.throwProblems();
  }

  /**
   * {@return all kinds of jobs, with the training runtimes and RayClusters among these objects;
   * objects that come later are found, too}
   */
  public JobKinds kinds() {
    return kinds;
  }

  /**
   * {@return the settings to convert jobs with: kinds, priority classes, pod templates, claims, all
   * in the given version of Kueue, and what its Configuration says of jobs without queue name}
   *
   * <p>The settings know the objects that are here now, except those that {@link #kinds()} finds.
   */
  public JobWorkloads.Builder workloads() {
    return JobWorkloads.builder()
        .kinds(kinds)
        .podTemplates(podTemplates())
        .resourceClaims(resourceClaims())
        .slicedGroups(slicedGroups)
        .partialSlices(partialSlices)
        .manageJobsWithoutQueueName(configuration()
            .filter(KueueConfiguration::managesJobsWithoutQueueName)
            .isPresent())
        .addAllPriorityClasses(all(PRIORITY_CLASSES, "PriorityClass", PriorityClass.class))
        .addAllWorkloadPriorityClasses(workloadPriorityClasses());
  }

  /**
   * {@return the conversion of a job, with the Workload that exists in place of the one made of the
   * job if the job names one; not managed if there is none of that name, or if it is out of sync
   * with the job}
   *
   * @param job the job
   * @param conversion one of those that {@link JobWorkloads} has made of the job
   */
  public JobConversion resolve(HasMetadata job, JobConversion conversion) {
    if (!(conversion instanceof JobConversion.Converted converted)) {
      return conversion;
    }
    Workload made = converted.workload();
    if (!JobWorkloads.prebuiltWorkload(job).equals(Optional.of(made.name()))) {
      return conversion;
    }
    Manifest existing = objects.get(
        key(KueueApiVersion.GROUP, KueueReader.WORKLOAD, made.namespace(), made.name()));
    if (existing == null) {
      return new JobConversion.NotManaged(
          JobConversion.Reason.NO_PREBUILT_WORKLOAD,
          "there is no Workload " + made.name() + ", which the job names");
    }
    ImportedWorkload imported;
    try {
      imported = read(existing);
    } catch (IllegalArgumentException e) {
      return outOfSync("the Workload " + made.name() + " cannot be used: " + e.getMessage());
    }
    Workload given = imported.workload();
    List<String> differences = PrebuiltWorkloads.differences(made, given);
    if (differences.isEmpty() && comparesTopologies && !(job instanceof PodGroup)) {
      differences = PrebuiltWorkloads.topologyDifferences(made, given);
    }
    if (!differences.isEmpty()) {
      return outOfSync("the Workload " + made.name() + " is out of sync with its job: "
          + String.join("; ", differences));
    }
    // A job has the queue of its Workload.
    Workload used = Workload.builder().from(given).queueName(made.queueName()).build();
    return new JobConversion.Converted(
        used,
        imported.status().reclaimablePods(),
        converted.jobName(),
        converted.maximumExecutionTimeSeconds(),
        converted.unknownRuntimeClasses(),
        converted.notes());
  }

  private static JobConversion outOfSync(String message) {
    return new JobConversion.NotManaged(
        JobConversion.Reason.PREBUILT_WORKLOAD_OUT_OF_SYNC, message);
  }

  /**
   * Reads a Workload as Kueue has stored it. Requests are counted by the Configuration, the
   * LimitRanges, the RuntimeClasses and the claims of devices among these objects.
   *
   * @throws ManifestException with every problem found, if there is any
   */
  public ImportedWorkload read(Manifest workload) {
    if (workloadReader == null) {
      workloadReader = new WorkloadReader(podTemplates(), resourceClaims()::charges);
    }
    return workloadReader.read(workload);
  }

  private PodTemplates podTemplates() {
    PodTemplates.Builder templates = PodTemplates.builder().kueueVersion(kueueVersion);
    configuration()
        .ifPresent(known -> templates
            .addAllExcludedResourcePrefixes(known.excludedResourcePrefixes())
            .addAllTransformations(known.transformations()));
    for (Manifest range : manifests("", "LimitRange")) {
      templates.putLimitRanges(range.namespace().orElse(""), range.as(LimitRange.class));
    }
    return templates
        .addAllRuntimeClasses(all(RUNTIME_CLASSES, "RuntimeClass", RuntimeClass.class))
        .build();
  }

  private ResourceClaims resourceClaims() {
    ResourceClaims.Builder claims = ResourceClaims.builder().kueueVersion(kueueVersion);
    objects.values().stream()
        .filter(KueueConfiguration::isOne)
        .reduce((first, second) -> second)
        .ifPresent(known -> claims.addAllMappings(DeviceClassMappings.read(known)));
    return claims
        .addAllClaimTemplates(
            manifests(ResourceClaims.GROUP, ResourceClaims.RESOURCE_CLAIM_TEMPLATE).stream()
                .map(JobReferences::generic)
                .toList())
        .addAllDeviceClasses(
            all(ResourceClaims.GROUP, ResourceClaims.DEVICE_CLASS, GenericKubernetesResource.class))
        .addAllResourceSlices(all(
            ResourceClaims.GROUP, ResourceClaims.RESOURCE_SLICE, GenericKubernetesResource.class))
        .build();
  }

  /** {@return Kueue's Configuration, the last one if there are several; absent if there is none} */
  public Optional<KueueConfiguration> configuration() {
    return KueueConfiguration.find(objects.values(), kueueVersion);
  }

  private ImmutableList<WorkloadPriorityClass> workloadPriorityClasses() {
    return manifests(KueueApiVersion.GROUP, "WorkloadPriorityClass").stream()
        .flatMap(manifest -> KueueReader.read(manifest, Issues.of(manifest)).stream())
        .map(config -> (WorkloadPriorityClass) config.object())
        .collect(toImmutableList());
  }

  private Optional<GenericKubernetesResource> runtime(String namespace, String kind, String name) {
    return generic(JobKinds.TrainingRuntimes.GROUP, kind, namespace, name);
  }

  private Optional<GenericKubernetesResource> generic(
      String group, String kind, String namespace, String name) {
    return Optional.ofNullable(objects.get(key(group, kind, namespace, name)))
        .map(JobReferences::generic);
  }

  private static Key key(String group, String kind, String namespace, String name) {
    GroupKind groupKind = new GroupKind(group, kind);
    String found = namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
    return new Key(groupKind, NAMESPACED.contains(groupKind) ? found : "", name);
  }

  /** {@return a copy that says the namespace, even where the object relies on the default} */
  private static GenericKubernetesResource generic(Manifest manifest) {
    return new GenericKubernetesResourceBuilder(manifest.as(GenericKubernetesResource.class))
        .editOrNewMetadata()
        .withNamespace(manifest.namespace().orElse(null))
        .endMetadata()
        .build();
  }

  private <T> ImmutableList<T> all(String group, String kind, Class<T> type) {
    return manifests(group, kind).stream()
        .map(manifest -> manifest.as(type))
        .collect(toImmutableList());
  }

  private ImmutableList<Manifest> manifests(String group, String kind) {
    return objects.values().stream()
        .filter(manifest -> manifest.is(group, kind))
        .collect(toImmutableList());
  }

  @Override
  public String toString() {
    return objects.values().toString();
  }
}
