package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.kueue.InferredAdmission;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.Manifest;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What jobs among manifests say themselves about being started, and having ended. */
final class StartedJobs {
  private final JobWorkloads workloads;
  private final ImmutableMap<String, ClusterQueue> clusterQueues;
  private final ImmutableMap<String, LocalQueue> localQueues;
  private final ImmutableMap<String, ResourceFlavor> flavors;
  private final RunningPods pods;

  private StartedJobs(
      JobWorkloads workloads,
      ImmutableMap<String, ClusterQueue> clusterQueues,
      ImmutableMap<String, LocalQueue> localQueues,
      ImmutableMap<String, ResourceFlavor> flavors,
      RunningPods pods) {
    this.workloads = workloads;
    this.clusterQueues = clusterQueues;
    this.localQueues = localQueues;
    this.flavors = flavors;
    this.pods = pods;
  }

  static StartedJobs of(Manifests manifests, JobWorkloads workloads) {
    return new StartedJobs(
        workloads,
        Maps.uniqueIndex(Latest.configuration(manifests, ClusterQueue.class), ClusterQueue::name),
        Maps.uniqueIndex(Latest.configuration(manifests, LocalQueue.class), LocalQueue::key),
        Latest.configuration(manifests, ResourceFlavor.class).stream()
            .collect(toImmutableMap(ResourceFlavor::name, flavor -> flavor)),
        RunningPods.of(manifests));
  }

  /** {@return the answers for jobs that are to be created, whatever their status says} */
  static StartedJobs none(JobWorkloads workloads) {
    return new StartedJobs(
        workloads, ImmutableMap.of(), ImmutableMap.of(), ImmutableMap.of(), RunningPods.none());
  }

  /** {@return the name of a job, empty if it has none} */
  static String name(HasMetadata job) {
    return Strings.nullToEmpty(metadata(job).getName());
  }

  /** {@return the uid of an object, empty if it has none} */
  static String uid(HasMetadata object) {
    return Strings.nullToEmpty(metadata(object).getUid());
  }

  private static ObjectMeta metadata(HasMetadata object) {
    return Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new);
  }

  <J extends HasMetadata> boolean hasEnded(J job) {
    return workloads.kinds().find(job).flatMap(kind -> kind.outcome(job)).isPresent();
  }

  /** {@return whether the pods of a job are started and not the job itself} */
  <J extends HasMetadata> boolean startsByPods(J job) {
    return workloads.kinds().find(job).filter(JobKind::startsByPods).isPresent();
  }

  /** {@return whether the pods of a job run} */
  <J extends HasMetadata> boolean runs(J job) {
    Optional<JobKind<J>> kind = workloads.kinds().find(job);
    return kind.isPresent()
        && !kind.get().startsByPods()
        && !kind.get().isSuspended(job)
        && kind.get().isActive(job);
  }

  /**
   * {@return a job that runs, with its admission and the places of its pods; absent if no flavor
   * suits it}
   */
  Optional<ImportedWorkload> inferred(SimulatedJob job, HasMetadata object) {
    String key = LocalQueue.of(job.namespace(), job.workload().queueName(), "").key();
    return Optional.ofNullable(localQueues.get(key))
        .flatMap(queue -> Optional.ofNullable(clusterQueues.get(queue.clusterQueue())))
        .flatMap(queue -> InferredAdmission.of(
            job.workload(), job.reclaimablePods(), queue, flavors, started(job.manifest())))
        .map(imported -> new ImportedWorkload(
            imported.workload(),
            imported.admission().map(held -> pods.withPlaces(held, object, flavors)),
            imported.status(),
            imported.preempted(),
            imported.notes()));
  }

  private static Instant started(Manifest job) {
    Fields object = Fields.of(job, Issues.of(job));
    return Stream.of(
            object.object("status").text("startTime"),
            object.object("metadata").text("creationTimestamp"))
        .flatMap(Optional::stream)
        .flatMap(text -> TimeText.time(text).stream())
        .findFirst()
        .orElse(Instant.EPOCH);
  }

  /** {@return a job that has ended} */
  static ImportedWorkload ended(SimulatedJob job) {
    WorkloadStatus status =
        WorkloadStatus.builder().reclaimablePods(job.reclaimablePods()).build();
    return new ImportedWorkload(
        job.workload(), Optional.empty(), status, Optional.empty(), ImmutableList.of());
  }
}
