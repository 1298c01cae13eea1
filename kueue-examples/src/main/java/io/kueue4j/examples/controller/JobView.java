package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.job.JobContext;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import java.util.Optional;

/**
 * A job in the controller. Immutable.
 *
 * @param kind the kind
 * @param namespace the namespace
 * @param name the name
 * @param queue the LocalQueue that it names, empty if it names none
 * @param state its state
 * @param workload its workload in the engine, empty if there is none
 * @param delayed its workload, if the controller delays the job before it is queued, so that the
 *     engine does not show it among pending workloads
 * @param clusterQueue the ClusterQueue whose quota it holds, empty if it holds none
 * @param messages the messages of the state; the engine explains why a job is pending
 */
public record JobView(
    String kind,
    String namespace,
    String name,
    String queue,
    JobState state,
    Optional<WorkloadId> workload,
    Optional<Workload> delayed,
    Optional<String> clusterQueue,
    ImmutableList<String> messages) {
  static JobView of(JobContext context, JobRecord record) {
    return new JobView(
        record.key().kind(),
        record.key().namespace(),
        record.key().name(),
        record
            .workload()
            .map(Workload::queueName)
            .or(() -> context.reader().queueName(record.job()))
            .orElse(""),
        record.state(),
        record.id(),
        record
            .workload()
            .filter(unused ->
                record.state() == JobState.PENDING && !record.messages().isEmpty()),
        record.id().flatMap(context.book()::admission).map(Admission::clusterQueue),
        record.messages());
  }
}
