package io.kueue4j.examples.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.JobReferences;
import io.kueue4j.k8s.KueueConfiguration;
import io.kueue4j.k8s.ManifestJob;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.job.WorkloadWriter;
import io.kueue4j.k8s.kueue.KueueReader;
import io.kueue4j.k8s.kueue.KueueVersion;
import io.kueue4j.k8s.yaml.Manifest;
import io.kueue4j.k8s.yaml.ManifestException;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.time.Instant;
import java.util.ArrayList;
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

  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final List<ManifestIssue> passedOver = new ArrayList<>();
  private final List<ManifestIssue> incomplete = new ArrayList<>();
  private final List<ManifestIssue> problems = new ArrayList<>();
  private final Map<WorkloadId, HasMetadata> known = new HashMap<>();
  private final Map<WorkloadId, StoredWorkload> stored = new LinkedHashMap<>();
  private final JobReferences references;
  private final JobWorkloads workloads;

  private JobManifests(JobReferences references, JobWorkloads workloads) {
    this.references = references;
    this.workloads = workloads;
  }

  /**
   * Reads the jobs, in the order of the manifests.
   *
   * @param tpuSlices whether jobs with TPU chips ask for slices
   * @throws InputException if one breaks rules; says every place
   */
  static JobManifests of(Manifests manifests, boolean tpuSlices) {
    JobReferences references = JobReferences.create();
    put(manifests, references);
    return new JobManifests(
            references, references.workloads().tpuSlices(tpuSlices).build())
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
    for (Manifest workload : other.items(KueueReader.GROUP, KueueReader.WORKLOAD)) {
      references.put(workload);
    }
    return new JobManifests(references, workloads).readOrThrow(other);
  }

  private JobManifests readOrThrow(Manifests manifests) {
    readAll(manifests);
    if (!problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(problems));
    }
    return this;
  }

  ImmutableList<SimulatedJob> jobs() {
    return ImmutableList.copyOf(jobs);
  }

  /** {@return the Workloads that were stored, with or without their jobs} */
  ImmutableList<StoredWorkload> stored() {
    return ImmutableList.copyOf(stored.values());
  }

  /** {@return the Workload object that Kueue would make of one of these jobs} */
  GenericKubernetesResource write(SimulatedJob job, Instant created) {
    HasMetadata owner = Objects.requireNonNull(known.get(job.workload().id()));
    GenericKubernetesResource object =
        WorkloadWriter.of(KueueVersion.V1BETA2, workloads).write(owner, job.workload());
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
  ImmutableList<ManifestIssue> passedOver() {
    return ImmutableList.copyOf(passedOver);
  }

  /** {@return what is missing that some jobs refer to} */
  ImmutableList<ManifestIssue> incomplete() {
    return ImmutableList.copyOf(incomplete);
  }

  private void readAll(Manifests manifests) {
    manifests.items().forEach(this::readStored);
    manifests.items().forEach(this::noteUnused);
    ManifestJob.findAll(manifests.items(), references.kinds()).forEach(this::read);
  }

  private void read(ManifestJob found) {
    List<JobConversion> conversions = workloads.convertAll(found.job());
    if (conversions.size() > MAX_WORKLOADS) {
      problems.add(found
          .manifest()
          .issue(
              "spec.replicas",
              conversions.size() + " workloads; expected at most " + MAX_WORKLOADS
                  + " of one job"));
    } else {
      conversions.forEach(conversion ->
          add(found.manifest(), found.job(), references.resolve(found.job(), conversion)));
    }
  }

  private void readStored(Manifest manifest) {
    if (StoredWorkload.isOne(manifest)) {
      try {
        StoredWorkload workload = StoredWorkload.of(manifest, references.read(manifest));
        stored.put(workload.imported().workload().id(), workload);
        passedOver.addAll(workload.imported().notes());
      } catch (ManifestException e) {
        problems.addAll(e.problems());
      }
    }
  }

  private void noteUnused(Manifest manifest) {
    if (KueueConfiguration.isOne(manifest)) {
      passedOver.addAll(KueueConfiguration.read(manifest).notes());
    } else if (manifest.is(KueueReader.GROUP, KueueReader.WORKLOAD)
        && !StoredWorkload.isOne(manifest)) {
      passedOver.add(manifest.issue(
          "kind",
          "not taken into account yet: " + manifest.kind() + " of " + manifest.apiVersion()));
    }
  }

  private void add(Manifest manifest, HasMetadata object, JobConversion conversion) {
    if (conversion instanceof JobConversion.Converted converted) {
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

  private void add(SimulatedJob job, HasMetadata object) {
    WorkloadId id = job.workload().id();
    StoredWorkload existing = stored.get(id);
    if (existing != null) {
      if (existing.hasStatus()) {
        return;
      }
      stored.remove(id); // It was made for the job, and nothing was decided yet.
    }
    if (known.putIfAbsent(job.workload().id(), object) == null) {
      jobs.add(job);
    } else {
      passedOver.add(job.manifest()
          .issue(
              "metadata.name",
              "passed over: there is already a " + job.manifest().kind() + " of that name"));
    }
  }
}
