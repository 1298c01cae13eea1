package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.job.JobSnapshot;
import java.util.Map;
import java.util.Optional;

/**
 * What is written to a job that holds quota: all that an engine which has never seen the job needs
 * to go on with it, and all that the job needs to become again what it was.
 *
 * @param uid the uid of the job; a note on another job, such as a copy, means nothing
 * @param workload what was admitted: of the pod sets their names, counts and requests only
 * @param admission what it was admitted on
 * @param status what had happened to it by then
 * @param stopping that it is to stop, absent if it may go on
 * @param before what the start has changed of the job, as it was
 */
record AdmissionNote(
    String uid,
    Workload workload,
    Admission admission,
    WorkloadStatus status,
    Optional<Stopping> stopping,
    JobSnapshot before) {

  /** Creates a note; of the workload only what is written is kept. */
  AdmissionNote {
    workload = essence(workload);
  }

  /** {@return what a note says of a workload} */
  static Workload essence(Workload workload) {
    return Workload.builder()
        .namespace(workload.namespace())
        .name(workload.name())
        .uid(workload.uid())
        .queueName(workload.queueName())
        .priority(workload.priority())
        .priorityClass(workload.priorityClass())
        .creationTime(workload.creationTime())
        .addAllPodSets(workload.podSets().stream().map(AdmissionNote::essence).toList())
        .build();
  }

  private static PodSet essence(PodSet podSet) {
    return PodSet.builder()
        .name(podSet.name())
        .count(podSet.count())
        .minCount(podSet.minCount())
        .putAllRequests(podSet.requests())
        .build();
  }

  WorkloadId id() {
    return workload.id();
  }

  /** {@return whether {@code other} asks for the same pods} */
  boolean isOf(Workload other) {
    ImmutableList<PodSet> podSets = essence(other).podSets();
    return podSets.equals(workload.podSets());
  }

  /** {@return the workload of the note, whose pods request what those of {@code other} do} */
  Workload requesting(Workload other) {
    Map<String, PodSet> podSets = Maps.uniqueIndex(other.podSets(), PodSet::name);
    return Workload.builder()
        .from(essence(workload))
        .podSets(workload.podSets().stream()
            .map(podSet -> Optional.ofNullable(podSets.get(podSet.name()))
                .map(found ->
                    PodSet.builder().from(podSet).requests(found.requests()).build())
                .orElse(podSet))
            .toList())
        .build();
  }

  AdmissionNote withWorkload(Workload newWorkload) {
    return new AdmissionNote(uid, newWorkload, admission, status, stopping, before);
  }

  AdmissionNote withStatus(WorkloadStatus newStatus) {
    return new AdmissionNote(uid, workload, admission, newStatus, stopping, before);
  }

  AdmissionNote withAdmission(Admission newAdmission) {
    return new AdmissionNote(uid, workload, newAdmission, status, stopping, before);
  }

  AdmissionNote withStopping(Stopping newStopping) {
    return new AdmissionNote(uid, workload, admission, status, Optional.of(newStopping), before);
  }
}
