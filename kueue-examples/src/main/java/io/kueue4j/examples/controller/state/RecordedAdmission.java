package io.kueue4j.examples.controller.state;

import com.google.common.collect.Maps;
import com.google.common.math.IntMath;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.examples.controller.configuration.RecordedSlices;
import io.kueue4j.k8s.job.JobSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/**
 * What is recorded about the admission of a job. It contains everything that an engine which has
 * never seen the job needs to restore it, and everything needed to restore the job to its original
 * form.
 *
 * @param workload the admitted workload: only names, counts and requests of its pod sets
 * @param admission its admission
 * @param status its status at that time; of the pods that it calls reclaimable the quota was given
 *     back
 * @param stopping why it is being stopped, empty if it may continue
 * @param before the parts of the job that the start has changed, before the change
 * @param slices the TPU slices of the admission in the form of {@link RecordedSlices}, which the
 *     {@code admission} does not contain; empty if there are none
 */
public record RecordedAdmission(
    Workload workload,
    Admission admission,
    WorkloadStatus status,
    Optional<Stopping> stopping,
    JobSnapshot before,
    String slices) {

  /**
   * Creates a record; only the parts of the workload that are written are kept, and the slices of
   * the admission replace {@code slices}.
   */
  public RecordedAdmission {
    workload = essence(workload);
    if (RecordedSlices.hasSlices(admission)) {
      slices = RecordedSlices.write(admission);
      admission = RecordedSlices.without(admission);
    }
  }

  /** {@return the parts of a workload that a record contains} */
  public static Workload essence(Workload workload) {
    return Workload.builder()
        .namespace(workload.namespace())
        .name(workload.name())
        .uid(workload.uid())
        .queueName(workload.queueName())
        .priority(workload.priority())
        .priorityClass(workload.priorityClass())
        .creationTime(workload.creationTime())
        .addAllPodSets(
            workload.podSets().stream().map(RecordedAdmission::essence).toList())
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

  public WorkloadId id() {
    return workload.id();
  }

  /** {@return whether {@code other} requests the same pods} */
  public boolean isOf(Workload other) {
    return essence(other).podSets().equals(workload.podSets());
  }

  /**
   * {@return the recorded workload with exactly the pod sets that were admitted. Tenants may edit
   * the pod sets of a Workload, so their requests come from the job, or else are what the admission
   * has charged}
   *
   * @param job the workload of the job before its start, empty if it cannot be read or may be
   *     larger than what was admitted
   */
  public Workload admitted(Optional<Workload> job) {
    return Workload.builder()
        .from(workload)
        .podSets(admission.podSetAssignments().stream()
            .map(assignment -> PodSet.builder()
                .name(assignment.name())
                .count(countBefore(assignment))
                .requests(job.flatMap(read -> podSet(read, assignment.name()))
                    .<Map<String, Long>>map(PodSet::requests)
                    .orElseGet(() -> charged(assignment)))
                .build())
            .toList())
        .build();
  }

  private static Optional<PodSet> podSet(Workload workload, String name) {
    return workload.podSets().stream()
        .filter(podSet -> podSet.name().equals(name))
        .findFirst();
  }

  /**
   * {@return the number of pods of a pod set, including those that had finished before the
   * admission: they are not among the admitted ones, but among the reclaimable ones}
   */
  private int countBefore(PodSetAssignment assignment) {
    String name = assignment.name();
    int recordedCount = podSet(workload, name).map(PodSet::count).orElse(0);
    int most =
        IntMath.saturatedAdd(assignment.count(), status.reclaimablePods().getOrDefault(name, 0));
    return Math.max(assignment.count(), Math.min(recordedCount, most));
  }

  /** {@return what one pod of a pod set was charged for} */
  private static Map<String, Long> charged(PodSetAssignment assignment) {
    return Maps.transformValues(
        Maps.filterKeys(
            assignment.resourceUsage(), resource -> !resource.equals(ResourceNames.PODS)),
        usage -> assignment.count() == 0 ? 0L : usage / assignment.count());
  }

  /**
   * {@return whether pods run again that had finished: their quota was released, and may have been
   * given to others}
   *
   * @param released the numbers of pods whose quota was released, by pod set
   * @param finished the present numbers of finished pods
   */
  public static boolean runsAgain(Map<String, Integer> released, Map<String, Integer> finished) {
    return released.entrySet().stream()
        .anyMatch(entry -> finished.getOrDefault(entry.getKey(), 0) < entry.getValue());
  }

  /** {@return {@code other} with the name and the queue of the recorded workload} */
  public Workload named(Workload other) {
    return Workload.builder()
        .from(other)
        .name(workload.name())
        .queueName(workload.queueName())
        .build();
  }

  /** {@return {@code other} with the recorded numbers of pods} */
  public Workload sized(Workload other) {
    return map(
        other,
        podSet -> podSet(workload, podSet.name())
            .map(sized -> PodSet.builder().from(podSet).count(sized.count()).build())
            .orElse(podSet));
  }

  /** {@return a workload with a function applied to each of its pod sets} */
  public static Workload map(Workload workload, UnaryOperator<PodSet> change) {
    return Workload.builder()
        .from(workload)
        .podSets(workload.podSets().stream().map(change).toList())
        .build();
  }

  /**
   * {@return the record with another status, but with the pods that are recorded as reclaimable}
   */
  public RecordedAdmission withStatus(WorkloadStatus newStatus) {
    return new RecordedAdmission(workload, admission, newStatus, stopping, before, slices)
        .withReclaimablePods(status.reclaimablePods());
  }

  public RecordedAdmission withReclaimablePods(SortedMap<String, Integer> pods) {
    return withPods(workload, pods);
  }

  /** {@return the record with other pod sets, and other reclaimable pods of them} */
  public RecordedAdmission withPods(Workload newWorkload, SortedMap<String, Integer> reclaimable) {
    WorkloadStatus newStatus =
        WorkloadStatus.builder().from(status).reclaimablePods(reclaimable).build();
    return new RecordedAdmission(newWorkload, admission, newStatus, stopping, before, slices);
  }

  public RecordedAdmission withAdmission(Admission newAdmission) {
    return new RecordedAdmission(workload, newAdmission, status, stopping, before, "");
  }

  public RecordedAdmission withStopping(Stopping why) {
    return new RecordedAdmission(workload, admission, status, Optional.of(why), before, slices);
  }
}
