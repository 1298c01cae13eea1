package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import java.util.List;
import java.util.Optional;

/**
 * A job at one moment.
 *
 * @param job the job
 * @param status its status
 * @param clusterQueue the ClusterQueue that it is or would be admitted by, empty if its queue does
 *     not exist
 * @param admission its current or last admission; empty if it has not run
 * @param reasons why it is pending, or cannot continue, in sentences
 * @param explanation the explanation of the engine, empty if it is not pending, or if the phase was
 *     computed without explanations
 */
public record JobReport(
    SimulatedJob job,
    JobStatus status,
    Optional<String> clusterQueue,
    Optional<Admission> admission,
    List<String> reasons,
    Optional<Explanation> explanation) {

  /** {@return the jobs that wait or run} */
  public static ImmutableList<SimulatedJob> unfinished(List<JobReport> jobs) {
    return jobs.stream()
        .filter(job -> job.status == JobStatus.PENDING || job.status == JobStatus.ADMITTED)
        .map(JobReport::job)
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return this with an explanation} */
  public JobReport withExplanation(Explanation known) {
    return new JobReport(job, status, clusterQueue, admission, reasons, Optional.of(known));
  }

  /** {@return its pod sets as admitted; as requested, without flavors, if it has not run} */
  public List<PodSetAssignment> podSets() {
    return admission
        .map(Admission::podSetAssignments)
        .orElseGet(() -> job.workload().podSets().stream()
            .map(podSet -> PodSetAssignment.builder()
                .name(podSet.name())
                .count(podSet.count())
                .build())
            .collect(ImmutableList.toImmutableList()));
  }
}
