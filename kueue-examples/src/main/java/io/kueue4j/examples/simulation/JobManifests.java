package io.kueue4j.examples.simulation;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.ImmutableTable;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobSet;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.yaml.Manifest;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The jobs among manifests, with all that the other manifests say about them. */
final class JobManifests {
  private static final ImmutableTable<String, String, Class<? extends HasMetadata>> KINDS =
      ImmutableTable.<String, String, Class<? extends HasMetadata>>builder()
          .put("batch", "Job", Job.class)
          .put("jobset.x-k8s.io", "JobSet", JobSet.class)
          .build();

  /** What the reader knows and a simulation could play, but does not. */
  private static final ImmutableSetMultimap<String, String> NO_JOBS_YET =
      ImmutableSetMultimap.of("kueue.x-k8s.io", "Workload");

  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final List<ManifestIssue> passedOver = new ArrayList<>();
  private final List<ManifestIssue> incomplete = new ArrayList<>();
  private final List<ManifestIssue> problems = new ArrayList<>();
  private final Set<WorkloadId> known = new HashSet<>();
  private final JobWorkloads workloads;

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
    other.items().forEach(read::read);
    if (!read.problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(read.problems));
    }
    return read;
  }

  ImmutableList<SimulatedJob> jobs() {
    return ImmutableList.copyOf(jobs);
  }

  /** {@return why nothing was made of some jobs} */
  ImmutableList<ManifestIssue> passedOver() {
    return ImmutableList.copyOf(passedOver);
  }

  /** {@return what is missing that some jobs refer to} */
  ImmutableList<ManifestIssue> incomplete() {
    return ImmutableList.copyOf(incomplete);
  }

  private void read(Manifest manifest) {
    Class<? extends HasMetadata> type = KINDS.get(manifest.group(), manifest.kind());
    if (type == null) {
      if (NO_JOBS_YET.containsEntry(manifest.group(), manifest.kind())) {
        passedOver.add(manifest.issue(
            "kind",
            "not taken into account yet: " + manifest.kind() + " of " + manifest.apiVersion()));
      }
      return;
    }
    JobConversion conversion = workloads.convert(manifest.as(type));
    if (conversion instanceof JobConversion.Converted converted) {
      add(new SimulatedJob(manifest, converted.jobName(), converted.workload()));
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

  private void add(SimulatedJob job) {
    if (known.add(job.workload().id())) {
      jobs.add(job);
    } else {
      passedOver.add(job.manifest()
          .issue(
              "metadata.name",
              "passed over: there is already a " + job.manifest().kind() + " of that name"));
    }
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
        .podTemplates(templates.build())
        .addAllPriorityClasses(
            Latest.objects(manifests, "scheduling.k8s.io", "PriorityClass", PriorityClass.class))
        .addAllWorkloadPriorityClasses(Latest.configuration(manifests, WorkloadPriorityClass.class))
        .build();
  }
}
