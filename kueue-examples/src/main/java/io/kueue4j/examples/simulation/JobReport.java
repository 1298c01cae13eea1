package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import java.util.Optional;

/**
 * A job at one moment.
 *
 * @param job the job
 * @param status where it stands
 * @param clusterQueue the ClusterQueue that it is or would be admitted by, absent if its queue does
 *     not exist
 * @param admission what it has, or had when it ran; absent if it has not run
 * @param reasons what keeps it waiting, or from going on where it runs, in sentences
 * @param explanation all that the engine says about its waiting, absent if it does not wait, or if
 *     the phase was asked for without explanations
 */
public record JobReport(
    SimulatedJob job,
    JobStatus status,
    Optional<String> clusterQueue,
    Optional<Admission> admission,
    ImmutableList<String> reasons,
    Optional<Explanation> explanation) {

  /** {@return its pod sets as admitted; as asked for, without flavors, if it has not run} */
  public ImmutableList<PodSetAssignment> podSets() {
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
