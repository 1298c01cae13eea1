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
 * The note that is written to a job with quota. It contains everything that an engine which has
 * never seen the job needs to restore it, and everything needed to restore the job to its original
 * form.
 *
 * @param uid the uid of the job; a note about another job, such as a copy, is ignored
 * @param workload the admitted workload: only names, counts and requests of its pod sets
 * @param admission its admission
 * @param status its status at that time
 * @param stopping why it is being stopped, empty if it may continue
 * @param before the parts of the job that the start has changed, before the change
 * @param slices the TPU slices of the admission in the form of {@link RecordedSlices}, which the
 *     admission of a note does not contain; empty if there are none
 */
record AdmissionNote(
    String uid,
    Workload workload,
    Admission admission,
    WorkloadStatus status,
    Optional<Stopping> stopping,
    JobSnapshot before,
    String slices) {

  /** Creates a note; only the parts of the workload that are written are kept. */
  AdmissionNote {
    workload = essence(workload);
    if (RecordedSlices.hasSlices(admission)) {
      slices = RecordedSlices.write(admission);
      admission = RecordedSlices.without(admission);
    }
  }

  /** Creates a note whose slices are those of the admission. */
  AdmissionNote(
      String uid,
      Workload workload,
      Admission admission,
      WorkloadStatus status,
      Optional<Stopping> stopping,
      JobSnapshot before) {
    this(uid, workload, admission, status, stopping, before, "");
  }

  /** {@return the parts of a workload that a note contains} */
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

  /** {@return whether {@code other} requests the same pods} */
  boolean isOf(Workload other) {
    ImmutableList<PodSet> podSets = essence(other).podSets();
    return podSets.equals(workload.podSets());
  }

  /** {@return the workload of the note with the requests of {@code other}} */
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
    return new AdmissionNote(uid, newWorkload, admission, status, stopping, before, slices);
  }

  AdmissionNote withStatus(WorkloadStatus newStatus) {
    return new AdmissionNote(uid, workload, admission, newStatus, stopping, before, slices);
  }

  AdmissionNote withAdmission(Admission newAdmission) {
    return new AdmissionNote(uid, workload, newAdmission, status, stopping, before);
  }

  AdmissionNote withStopping(Stopping newStopping) {
    return new AdmissionNote(
        uid, workload, admission, status, Optional.of(newStopping), before, slices);
  }
}
