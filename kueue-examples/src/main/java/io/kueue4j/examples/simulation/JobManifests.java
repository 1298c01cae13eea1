package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.dra.DeviceClassMappings;
import io.kueue4j.k8s.dra.ResourceClaims;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.job.PrebuiltWorkloads;
import io.kueue4j.k8s.job.RayClusters;
import io.kueue4j.k8s.job.TrainingRuntimes;
import io.kueue4j.k8s.job.WorkloadWriter;
import io.kueue4j.k8s.kueue.KueueReader;
import io.kueue4j.k8s.kueue.KueueVersion;
import io.kueue4j.k8s.kueue.WorkloadReader;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.yaml.Fields;
import io.kueue4j.k8s.yaml.Manifest;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The jobs among manifests, with all that the other manifests say about them. */
final class JobManifests {
  private static final JobKinds KINDS = JobKinds.all();
  private static final WorkloadReader WORKLOADS = new WorkloadReader(PodTemplates.plain()::convert);

  /** As many workloads of one job as Kueue makes. */
  private static final int MAX_WORKLOADS = 1_000_000;

  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  /** What the reader knows and a simulation could play, but does not. */
  private static final ImmutableSetMultimap<String, String> NO_JOBS_YET =
      ImmutableSetMultimap.of("kueue.x-k8s.io", "Workload");

  /** What in Kueue's Configuration decides on admission, and is not read. */
  private static final ImmutableList<String> NOT_READ = ImmutableList.of(
      "admissionFairSharing", "fairSharing", "featureGates", "preemption", "waitForPodsReady");

  private static final ImmutableList<String> NOT_READ_OF_RESOURCES =
      ImmutableList.of("excludeResourcePrefixes", "quotaCheckStrategy", "transformations");

  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final List<ManifestIssue> passedOver = new ArrayList<>();
  private final List<ManifestIssue> incomplete = new ArrayList<>();
  private final List<ManifestIssue> problems = new ArrayList<>();
  private final Map<WorkloadId, HasMetadata> known = new HashMap<>();
  private final JobWorkloads workloads;
  private final Map<String, Manifest> prebuilt = new HashMap<>();

  private JobManifests(JobWorkloads workloads) {
    this.workloads = workloads;
  }

  /**
   * Reads the jobs, in the order of the manifests.
   *
   * @param tpuSlices whether jobs with TPU chips ask for slices
   * @throws InputException if one breaks rules; says every place
   */
  static JobManifests of(Manifests manifests, boolean tpuSlices) {
    return new JobManifests(workloads(manifests, tpuSlices)).read(manifests);
  }

  /**
   * {@return the jobs of other manifests, read with what these say about jobs}
   *
   * @throws InputException if one breaks rules; says every place
   */
  JobManifests read(Manifests other) {
    JobManifests read = new JobManifests(workloads);
    read.readAll(other);
    if (!read.problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(read.problems));
    }
    return read;
  }

  ImmutableList<SimulatedJob> jobs() {
    return ImmutableList.copyOf(jobs);
  }

  /** {@return the Workload object that Kueue would make of one of these jobs} */
  GenericKubernetesResource write(Workload workload) {
    return WorkloadWriter.of(KueueVersion.V1BETA2, workloads)
        .write(Objects.requireNonNull(known.get(workload.id())), workload);
  }

  /** {@return why nothing was made of some jobs} */
  ImmutableList<ManifestIssue> passedOver() {
    return ImmutableList.copyOf(passedOver);
  }

  /** {@return what is missing that some jobs refer to} */
  ImmutableList<ManifestIssue> incomplete() {
    return ImmutableList.copyOf(incomplete);
  }

  /** {@return whether a pod waits for admission, rather than taking room on a node} */
  static boolean isJob(Pod pod) {
    boolean bound =
        pod.getSpec() != null && !Strings.isNullOrEmpty(pod.getSpec().getNodeName());
    return !bound && namesQueue(pod);
  }

  private static boolean namesQueue(Pod pod) {
    ObjectMeta metadata = Objects.requireNonNullElseGet(pod.getMetadata(), ObjectMeta::new);
    return Stream.of(metadata.getLabels(), metadata.getAnnotations())
        .anyMatch(keys -> keys != null && keys.containsKey(QUEUE_NAME));
  }

  private void readAll(Manifests manifests) {
    for (Manifest workload : manifests.items(KueueReader.GROUP, KueueReader.WORKLOAD)) {
      prebuilt.put(workload.namespace().orElse("") + "/" + workload.name().orElse(""), workload);
    }
    ListMultimap<String, Manifest> groups = LinkedListMultimap.create();
    for (Manifest manifest : manifests.items()) {
      if (!manifest.is("", "Pod")) {
        read(manifest);
        continue;
      }
      Pod pod = manifest.as(Pod.class);
      if (isJob(pod) && PodGroup.nameOf(pod).isEmpty()) {
        read(manifest);
      } else if (isJob(pod)) {
        groups.put(manifest.namespace().orElse("") + "/" + PodGroup.nameOf(pod), manifest);
      }
    }
    groups.asMap().values().forEach(this::readGroup);
  }

  /** What is said of a group is said of its first manifest. */
  private void readGroup(Collection<Manifest> members) {
    PodGroup group = PodGroup.of(
        members.stream().map(member -> member.as(Pod.class)).collect(toImmutableList()));
    add(members.iterator().next(), group, workloads.convert(group));
  }

  private void read(Manifest manifest) {
    if (manifest.is(DeviceClassMappings.GROUP, DeviceClassMappings.KIND)) {
      Fields configuration = Fields.of(manifest.content(), "", manifest.newIssues());
      noteUnread(configuration, NOT_READ, manifest);
      noteUnread(configuration.object("resources"), NOT_READ_OF_RESOURCES, manifest);
      return;
    }
    Optional<Class<? extends HasMetadata>> type = KINDS.type(manifest.group(), manifest.kind());
    if (type.isPresent()) {
      HasMetadata job = manifest.as(type.get());
      List<JobConversion> conversions = workloads.convertAll(job);
      if (conversions.size() > MAX_WORKLOADS) {
        problems.add(manifest.issue(
            "spec.replicas",
            conversions.size() + " workloads; expected at most " + MAX_WORKLOADS + " of one job"));
      } else {
        conversions.forEach(conversion -> add(manifest, job, conversion));
      }
    } else if (NO_JOBS_YET.containsEntry(manifest.group(), manifest.kind())) {
      passedOver.add(manifest.issue(
          "kind",
          "not taken into account yet: " + manifest.kind() + " of " + manifest.apiVersion()));
    }
  }

  private void noteUnread(Fields fields, ImmutableList<String> names, Manifest manifest) {
    names.stream()
        .filter(fields::has)
        .forEach(name -> passedOver.add(manifest.issue(
            fields.path(name),
            "not taken into account: of Kueue's Configuration only"
                + " resources.deviceClassMappings and manageJobsWithoutQueueName are")));
  }

  private void add(Manifest manifest, HasMetadata object, JobConversion conversion) {
    if (conversion instanceof JobConversion.Converted converted) {
      Optional<String> named = PrebuiltWorkloads.nameOf(object);
      if (named.equals(Optional.of(converted.workload().name()))) {
        addPrebuilt(manifest, object, converted);
        return;
      }
      add(new SimulatedJob(manifest, converted.jobName(), converted.workload()), object);
      converted
          .unknownRuntimeClasses()
          .forEach(name -> incomplete.add(manifest.issue(
              "spec",
              "there is no RuntimeClass " + name + "; its overhead is missing in the requests")));
    } else if (conversion instanceof JobConversion.NotManaged notManaged) {
      passedOver.add(manifest.issue("metadata", "passed over: " + notManaged.message()));
    } else if (conversion instanceof JobConversion.Invalid invalid) {
      invalid
          .violations()
          .forEach(
              violation -> problems.add(manifest.issue(violation.field(), violation.problem())));
    }
  }

  /** Adds a job that runs on a Workload of the manifests. */
  private void addPrebuilt(
      Manifest manifest, HasMetadata object, JobConversion.Converted converted) {
    String name = converted.workload().name();
    Manifest existing = prebuilt.get(converted.workload().namespace() + "/" + name);
    if (existing == null) {
      passedOver.add(manifest.issue(
          "metadata", "passed over: there is no Workload " + name + ", which the job names"));
      return;
    }
    Workload given = WORKLOADS.read(existing).workload();
    List<String> differences = PrebuiltWorkloads.differences(converted.workload(), given);
    if (differences.isEmpty()) {
      // The queue of a job is that of its Workload.
      Workload used = Workload.builder()
          .from(given)
          .queueName(converted.workload().queueName())
          .build();
      add(new SimulatedJob(manifest, converted.jobName(), used), object);
    } else {
      passedOver.add(manifest.issue(
          "metadata",
          "passed over: the Workload " + name + " is out of sync with its job: "
              + Joiner.on("; ").join(differences)));
    }
  }

  private void add(SimulatedJob job, HasMetadata object) {
    if (known.putIfAbsent(job.workload().id(), object) == null) {
      jobs.add(job);
    } else {
      passedOver.add(job.manifest()
          .issue(
              "metadata.name",
              "passed over: there is already a " + job.manifest().kind() + " of that name"));
    }
  }

  private static ResourceClaims resourceClaims(Manifests manifests) {
    ResourceClaims.Builder claims = ResourceClaims.builder();
    for (Manifest configuration :
        manifests.items(DeviceClassMappings.GROUP, DeviceClassMappings.KIND)) {
      claims.addAllMappings(DeviceClassMappings.read(configuration));
    }
    for (Manifest template :
        Latest.manifests(manifests, ResourceClaims.GROUP, ResourceClaims.RESOURCE_CLAIM_TEMPLATE)) {
      GenericKubernetesResource claimed = template.as(GenericKubernetesResource.class);
      // A manifest knows the namespace that its object is in, even if it is not written there.
      claimed.getMetadata().setNamespace(template.namespace().orElseThrow());
      claims.addClaimTemplates(claimed);
    }
    return claims
        .addAllDeviceClasses(Latest.objects(
            manifests,
            ResourceClaims.GROUP,
            ResourceClaims.DEVICE_CLASS,
            GenericKubernetesResource.class))
        .build();
  }

  private static boolean managesJobsWithoutQueueName(Manifests manifests) {
    return manifests.items(DeviceClassMappings.GROUP, DeviceClassMappings.KIND).stream()
        .anyMatch(configuration -> Fields.of(configuration.content(), "", configuration.newIssues())
            .flag("manageJobsWithoutQueueName")
            .orElse(false));
  }

  private static JobWorkloads workloads(Manifests manifests, boolean tpuSlices) {
    PodTemplates.Builder templates = PodTemplates.builder();
    for (Manifest range : Latest.manifests(manifests, "", "LimitRange")) {
      templates.putLimitRanges(range.namespace().orElseThrow(), range.as(LimitRange.class));
    }
    templates.addAllRuntimeClasses(
        Latest.objects(manifests, "node.k8s.io", "RuntimeClass", RuntimeClass.class));
    return JobWorkloads.builder()
        .tpuSlices(tpuSlices)
        .kinds(JobKinds.all(TrainingRuntimes.of(Stream.of(
                    TrainingRuntimes.CLUSTER_TRAINING_RUNTIME, TrainingRuntimes.TRAINING_RUNTIME)
                .flatMap(kind -> Latest.objects(
                    manifests, TrainingRuntimes.GROUP, kind, GenericKubernetesResource.class)
                    .stream())
                .toList()))
            .withRayClusters(RayClusters.of(Latest.objects(
                manifests, "ray.io", "RayCluster", GenericKubernetesResource.class))))
        .manageJobsWithoutQueueName(managesJobsWithoutQueueName(manifests))
        .podTemplates(templates.build())
        .resourceClaims(resourceClaims(manifests))
        .addAllPriorityClasses(
            Latest.objects(manifests, "scheduling.k8s.io", "PriorityClass", PriorityClass.class))
        .addAllWorkloadPriorityClasses(Latest.configuration(manifests, WorkloadPriorityClass.class))
        .build();
  }
}
