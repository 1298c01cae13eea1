package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
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
    ImmutableList<String> reasons,
    Optional<Explanation> explanation) {

  /** {@return its pod sets as admitted; as requested, without flavors, if it has not run} */
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

  /** {@return why a job waits that an explanation is about} */
  static ImmutableList<String> whyPending(Explanation explanation) {
    boolean notTried = explanation.reasons().stream()
        .allMatch(reason -> reason.code() == ReasonCode.NOT_TRIED_YET);
    int before = explanation.positionInClusterQueue().orElse(0);
    return notTried && before > 0
        ? ImmutableList.of(
            "its turn has not come: workloads before it in its ClusterQueue: " + before)
        : messages(explanation.reasons());
  }

  /** {@return the texts of reasons} */
  static ImmutableList<String> messages(ImmutableList<Reason> reasons) {
    return reasons.stream().map(Reason::message).collect(toImmutableList());
  }
}
