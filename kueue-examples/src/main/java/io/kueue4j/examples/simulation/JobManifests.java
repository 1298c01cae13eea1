package io.kueue4j.examples.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.job.ManifestJob;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobReferences;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.job.WorkloadWriter;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.kueue.KueueConfiguration;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The jobs among manifests, with all that the other manifests say about them. */
final class JobManifests {

  /** As many workloads of one job as Kueue makes. */
  private static final int MAX_WORKLOADS = 1_000_000;

  private final Map<WorkloadId, SimulatedJob> jobs = new LinkedHashMap<>();
  private final List<ManifestIssue> passedOver = new ArrayList<>();
  private final List<ManifestIssue> incomplete = new ArrayList<>();
  private final List<ManifestIssue> problems = new ArrayList<>();
  private final Map<WorkloadId, HasMetadata> known = new HashMap<>();
  private final Map<WorkloadId, StoredWorkload> stored = new LinkedHashMap<>();
  private final Map<String, StoredWorkload> storedByOwner = new HashMap<>();
  private final JobReferences references;
  private final JobWorkloads workloads;
  private final StartedJobs started;
  private Multiset<String> podsOfDeployments = ImmutableMultiset.of();

  private JobManifests(JobReferences references, JobWorkloads workloads, StartedJobs started) {
    this.references = references;
    this.workloads = workloads;
    this.started = started;
  }

  /**
   * Reads the jobs, in the order of the manifests.
   *
   * @param settings the settings of Kueue that decide how jobs are read
   * @param tpuSlices whether jobs with TPU chips ask for slices
   * @throws InputException if one breaks rules; says every place
   */
  static JobManifests of(Manifests manifests, Settings settings, boolean tpuSlices) {
    JobReferences references = JobReferences.create(settings);
    put(manifests, references);
    JobWorkloads workloads = references.workloads().tpuSlices(tpuSlices).build();
    return new JobManifests(references, workloads, StartedJobs.of(manifests, workloads))
        .readOrThrow(manifests);
  }

  private static void put(Manifests manifests, JobReferences references) {
    try {
      manifests.items().forEach(references::put);
    } catch (ManifestException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * {@return the jobs of other manifests, read with what these say about jobs}
   *
   * @throws InputException if one breaks rules; says every place
   */
  JobManifests read(Manifests other) {
    for (Manifest workload : other.items(KueueApiVersion.GROUP, KueueReader.WORKLOAD)) {
      references.put(workload);
    }
    return new JobManifests(references, workloads, StartedJobs.none(workloads)).readOrThrow(other);
  }

  private JobManifests readOrThrow(Manifests manifests) {
    readAll(manifests);
    if (!problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(problems));
    }
    return this;
  }

  ImmutableList<SimulatedJob> jobs() {
    // Jobs of a cluster in the order in which they came, then those that are still to come.
    return ImmutableList.sortedCopyOf(
        Comparator.comparing(job -> job.workload().creationTime().orElse(Instant.MAX)),
        jobs.values());
  }

  /** {@return the jobs that a cluster has, with their creation times, in the order of these} */
  ImmutableMap<SimulatedJob, Instant> existing() {
    ImmutableMap.Builder<SimulatedJob, Instant> existing = ImmutableMap.builder();
    jobs().forEach(job -> job.workload().creationTime().ifPresent(time -> existing.put(job, time)));
    return existing.buildOrThrow();
  }

  /** {@return the Workloads that were stored, with or without their jobs} */
  ImmutableList<StoredWorkload> stored() {
    return ImmutableList.copyOf(stored.values());
  }

  /** {@return the Workload object that Kueue would make of one of these jobs} */
  GenericKubernetesResource write(SimulatedJob job, Instant created) {
    HasMetadata owner = Objects.requireNonNull(known.get(job.workload().id()));
    GenericKubernetesResource object =
        WorkloadWriter.of(KueueApiVersion.V1BETA2, workloads).write(owner, job.workload());
    ObjectMetaBuilder metadata = new ObjectMetaBuilder(object.getMetadata());
    if (object.getMetadata().getOwnerReferences().isEmpty() && !(owner instanceof PodGroup)) {
      String key = job.manifest().kind() + "/" + job.namespace() + "/" + job.name();
      metadata
          .addNewOwnerReference()
          .withApiVersion(job.manifest().apiVersion())
          .withKind(job.manifest().kind())
          .withName(job.name())
          .withUid(UUID.nameUUIDFromBytes(key.getBytes(UTF_8)).toString())
          .withController(true)
          .endOwnerReference();
    }
    object.setMetadata(metadata.withCreationTimestamp(created.toString()).build());
    return object;
  }

  /** {@return why nothing was made of some jobs} */
  List<ManifestIssue> passedOver() {
    return ImmutableList.copyOf(passedOver);
  }

  /** {@return what is missing that some jobs refer to} */
  List<ManifestIssue> incomplete() {
    return ImmutableList.copyOf(incomplete);
  }

  private void readAll(Manifests manifests) {
    manifests.items().forEach(this::readStored);
    manifests.items().forEach(this::noteUnused);
    passedOver.addAll(SharedUids.warnings(manifests));
    podsOfDeployments =
        JobPods.byDeployment(manifests, pod -> ManifestJob.isJob(pod) || hasStoredWorkload(pod));
    ManifestJob.findAll(manifests.items(), references.kinds(), ManifestJob::isJob)
        .forEach(this::read);
    takeUndecided();
  }

  /** A Workload that nothing was decided on is created like a job. */
  private void takeUndecided() {
    ImmutableList<StoredWorkload> undecided = stored.values().stream()
        .filter(workload -> !workload.hasStatus())
        .collect(ImmutableList.toImmutableList());
    for (StoredWorkload workload : undecided) {
      stored.remove(workload.id());
      jobs.put(workload.id(), workload.job());
    }
  }

  private void read(ManifestJob found) {
    if (hasStoredWorkload(found.job())) {
      return;
    }
    List<JobConversion> conversions = withoutPods(found, workloads.convertAll(found.job()));
    if (conversions.size() > MAX_WORKLOADS) {
      problems.add(found
          .manifest()
          .issue(
              "spec.replicas",
              conversions.size() + " workloads; expected at most " + MAX_WORKLOADS
                  + " of one job"));
    } else {
      conversions.forEach(conversion -> add(found, references.resolve(found.job(), conversion)));
    }
  }

  /**
   * {@return the workloads of a job; of a Deployment without the workloads of the pods that it has}
   */
  private List<JobConversion> withoutPods(ManifestJob found, List<JobConversion> conversions) {
    if (!found.manifest().is("apps", "Deployment")) {
      return conversions;
    }
    String deployment =
        found.manifest().namespace().orElse("") + "/" + StartedJobs.name(found.job());
    int existing = Math.min(podsOfDeployments.count(deployment), conversions.size());
    return conversions.subList(existing, conversions.size());
  }

  /**
   * {@return whether a pod takes what it takes of its node as part of a job among the manifests}
   */
  boolean isOfJob(Pod pod) {
    return hasStoredWorkload(pod);
  }

  /** {@return whether a Workload that something was decided on is owned by this very job} */
  private boolean hasStoredWorkload(HasMetadata job) {
    List<? extends HasMetadata> parts =
        job instanceof PodGroup group ? group.pods() : ImmutableList.of(job);
    return parts.stream()
        .map(part -> storedByOwner.get(StartedJobs.uid(part)))
        .anyMatch(existing -> existing != null && existing.hasStatus());
  }

  private void readStored(Manifest manifest) {
    if (StoredWorkload.isOne(manifest)) {
      try {
        ImportedWorkload read = references.read(manifest);
        StoredWorkload workload = StoredWorkload.of(
            manifest, workloads.tpuSlices() ? StoredSliceRequests.addTo(manifest, read) : read);
        StoredWorkload before = stored.put(workload.id(), workload);
        if (before != null && !before.hasContentOf(workload)) {
          passedOver.add(before
              .manifest()
              .issue(
                  "metadata.name",
                  "passed over: Workload " + workload.id()
                      + " is given again with another content in "
                      + manifest.source() + ", document " + manifest.document()
                      + ", which counts"));
        }
        workload.ownerUids().forEach(uid -> storedByOwner.put(uid, workload));
        passedOver.addAll(workload.imported().notes());
      } catch (ManifestException e) {
        problems.addAll(e.problems());
      }
    }
  }

  /** Adds a job that exists already, with its state. */
  private void addStored(ManifestJob found, ImportedWorkload imported, HasMetadata original) {
    Workload workload = imported.workload();
    StoredWorkload existing = stored.get(workload.id());
    if (existing != null && existing.hasStatus() && !known.containsKey(workload.id())) {
      return; // The Workload says how things are.
    }
    if (claim(workload.id(), original)) {
      jobs.remove(workload.id());
      stored.put(
          workload.id(),
          new StoredWorkload(
              new SimulatedJob(
                  found.manifest(),
                  StartedJobs.name(found.job()),
                  workload,
                  imported.status().reclaimablePods()),
              imported,
              started.hasEnded(found.job())));
    } else {
      addDuplicate(found.manifest());
    }
  }

  private void noteUnused(Manifest manifest) {
    if (KueueConfiguration.isOne(manifest)) {
      references
          .configuration()
          .ifPresent(configuration -> passedOver.addAll(configuration.notes()));
    } else if (manifest.is(KueueApiVersion.GROUP, KueueReader.WORKLOAD)
        && !StoredWorkload.isOne(manifest)) {
      passedOver.add(manifest.issue(
          "kind",
          "not taken into account yet: " + manifest.kind() + " of " + manifest.apiVersion()));
    }
  }

  private void add(ManifestJob found, JobConversion conversion) {
    Manifest manifest = found.manifest();
    if (conversion instanceof JobConversion.Converted converted) {
      SimulatedJob job = new SimulatedJob(
          manifest, converted.jobName(), converted.workload(), converted.reclaimablePods());
      add(found, job);
      converted
          .unknownRuntimeClasses()
          .forEach(name -> incomplete.add(manifest.issue(
              "spec",
              "there is no RuntimeClass " + name + "; its overhead is missing in the requests")));
    } else if (conversion instanceof JobConversion.NotManaged notManaged) {
      if (KueueConfiguration.installedVersion(ImmutableList.of(manifest)).isEmpty()) {
        passedOver.add(manifest.issue("metadata", "passed over: " + notManaged.message()));
      }
    } else if (conversion instanceof JobConversion.Invalid invalid) {
      invalid
          .violations()
          .forEach(
              violation -> problems.add(manifest.issue(violation.field(), violation.problem())));
    }
  }

  private void add(ManifestJob found, SimulatedJob job) {
    WorkloadId id = job.workload().id();
    StoredWorkload existing = stored.get(id);
    if (existing != null) {
      if (existing.hasStatus()) {
        return;
      }
      stored.remove(id); // It was made for the job, and nothing was decided yet.
    }
    if (started.hasEnded(found.job())) {
      addStored(found, StartedJobs.ended(job), found.job());
    } else if (started.runs(found.job())) {
      started
          .inferred(job, found.job())
          .ifPresentOrElse(imported -> addStored(found, imported, found.job()), () -> {
            incomplete.add(job.manifest()
                .issue(
                    "status",
                    "the job runs, but on no flavor of its ClusterQueue; it counts as created"
                        + " now"));
            addNew(found, job);
          });
    } else {
      addNew(found, job);
    }
  }

  private void addNew(ManifestJob found, SimulatedJob job) {
    if (claim(job.workload().id(), found.job())) {
      jobs.put(job.workload().id(), job);
    } else {
      addDuplicate(job.manifest());
    }
  }

  /**
   * {@return whether a workload belongs to {@code owner}} The first of several objects has it,
   * except that a group of pods has it in place of the object that creates these pods.
   */
  private boolean claim(WorkloadId id, HasMetadata owner) {
    HasMetadata before = known.putIfAbsent(id, owner);
    boolean isReplaced =
        before != null && owner instanceof PodGroup && started.startsByPods(before);
    if (isReplaced) {
      known.put(id, owner);
    }
    return before == null || isReplaced;
  }

  private void addDuplicate(Manifest manifest) {
    passedOver.add(manifest.issue(
        "metadata.name", "passed over: there is already a " + manifest.kind() + " of that name"));
  }
}
