package io.kueue4j.examples.controller;

import com.google.common.collect.Maps;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.util.Map;
import java.util.Optional;

/** Compares notes with the objects of the cluster. */
final class NoteChecks {
  private final ClusterConfiguration configuration;
  private final JobReader reader;

  NoteChecks(ClusterConfiguration configuration, JobReader reader) {
    this.configuration = configuration;
    this.reader = reader;
  }

  /**
   * {@return why a job may not hold what its note says, empty if it may} A missing queue or
   * namespace is not a reason: a running job keeps running when its queue is removed.
   */
  Optional<String> misfit(AdmissionNote note) {
    String admittedBy = note.admission().clusterQueue();
    Optional<LocalQueue> localQueue = localQueue(note);
    if (localQueue.isPresent() && !localQueue.get().clusterQueue().equals(admittedBy)) {
      return Optional.of("the note says that ClusterQueue " + admittedBy
          + " has admitted the job, but LocalQueue " + note.workload().queueName() + " leads to "
          + localQueue.get().clusterQueue());
    }
    Optional<ClusterQueue> clusterQueue = configuration.clusterQueue(admittedBy);
    Optional<Namespace> namespace = configuration.namespace(note.workload().namespace());
    return clusterQueue.isPresent()
            && namespace.isPresent()
            && !clusterQueue
                .get()
                .namespaceSelector()
                .filter(selector -> selector.matches(namespace.get().labels()))
                .isPresent()
        ? Optional.of("the note says that ClusterQueue " + admittedBy + " has admitted the job, but"
            + " the namespaceSelector of that queue does not match namespace "
            + note.workload().namespace())
        : Optional.empty();
  }

  private Optional<LocalQueue> localQueue(AdmissionNote note) {
    return configuration.localQueue(note.workload().namespace(), note.workload().queueName());
  }

  /**
   * {@return an admission whose usage is computed from the pods of {@code workload}, whatever the
   * admission says}
   */
  static Admission counted(Admission admission, Workload workload) {
    Map<String, PodSet> podSets = Maps.uniqueIndex(workload.podSets(), PodSet::name);
    return Admission.builder()
        .workload(admission.workload())
        .clusterQueue(admission.clusterQueue())
        .quotaReservedTime(admission.quotaReservedTime())
        .addAllPodSetAssignments(admission.podSetAssignments().stream()
            .map(assignment -> Optional.ofNullable(podSets.get(assignment.name()))
                .map(podSet -> counted(assignment, podSet))
                .orElse(assignment))
            .toList())
        .build();
  }

  private static PodSetAssignment counted(PodSetAssignment assignment, PodSet podSet) {
    PodSetAssignment.Builder counted = PodSetAssignment.builder()
        .name(assignment.name())
        .count(assignment.count())
        .putAllFlavors(assignment.flavors())
        .putAllResourceUsage(Maps.toMap(
            assignment.flavors().keySet(),
            resource -> Amount.multiply(perPod(podSet, resource), assignment.count())))
        .topologyAssignment(assignment.topologyAssignment())
        .addAllSlices(assignment.slices());
    assignment.delayedTopologyRequest().ifPresent(counted::delayedTopologyRequest);
    return counted.build();
  }

  private static long perPod(PodSet podSet, String resource) {
    return resource.equals(ResourceNames.PODS) ? 1 : podSet.requests().getOrDefault(resource, 0L);
  }

  /**
   * {@return why the unsealed note of an earlier version is not accepted; empty if everything that
   * can be compared matches}
   *
   * @param read the workload of the job before its start, empty if there is none
   */
  Optional<String> contradiction(JobRecord record, AdmissionNote note, Optional<Workload> read) {
    if (localQueue(note).isEmpty()
        || configuration.clusterQueue(note.admission().clusterQueue()).isEmpty()
        || configuration.namespace(note.workload().namespace()).isEmpty()) {
      return Optional.of("LocalQueue " + note.workload().queueName() + ", ClusterQueue "
          + note.admission().clusterQueue() + " or the namespace does not exist, so that the note"
          + " cannot be checked");
    }
    if (!reader.queueName(record.job()).equals(Optional.of(note.workload().queueName()))) {
      return Optional.of("the note names LocalQueue " + note.workload().queueName()
          + ", the job another one or none");
    }
    Optional<String> misfit = misfit(note);
    if (misfit.isPresent()) {
      return misfit;
    }
    if (read.filter(note::isOf).isEmpty()) {
      return Optional.of("the note is of other pods than the job has");
    }
    return configuration
        .clusterQueue(note.admission().clusterQueue())
        .flatMap(queue -> uncovered(note, queue));
  }

  /** {@return a requested resource for which the note names no flavor of the queue} */
  private static Optional<String> uncovered(AdmissionNote note, ClusterQueue queue) {
    Map<String, PodSetAssignment> assignments =
        Maps.uniqueIndex(note.admission().podSetAssignments(), PodSetAssignment::name);
    for (PodSet podSet : note.workload().podSets()) {
      PodSetAssignment assignment = assignments.get(podSet.name());
      if (assignment == null) {
        return Optional.of("the note gives pod set " + podSet.name() + " nothing");
      }
      Optional<String> resource = podSet.requests().entrySet().stream()
          .filter(request -> request.getValue() > 0)
          .map(Map.Entry::getKey)
          .filter(name -> !offers(queue, name, assignment.flavors().getOrDefault(name, "")))
          .findFirst();
      if (resource.isPresent()) {
        return Optional.of("the note gives pod set " + podSet.name() + " no flavor of ClusterQueue "
            + queue.name() + " for " + resource.get());
      }
    }
    return Optional.empty();
  }

  private static boolean offers(ClusterQueue queue, String resource, String flavor) {
    return queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .filter(quotas -> quotas.flavor().equals(flavor))
        .map(FlavorQuotas::resources)
        .anyMatch(
            resources -> resources.stream().anyMatch(quota -> quota.resource().equals(resource)));
  }
}
