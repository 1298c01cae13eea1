package io.kueue4j.examples.controller;

import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.job.JobContext;
import io.kueue4j.examples.controller.state.JobRecord;
import java.util.Optional;

/**
 * A job that the controller delays before it is queued; the engine does not show it among pending
 * workloads.
 *
 * @param workload its workload
 * @param clusterQueue its ClusterQueue, empty if there is none
 * @param reason the reason and the end of the delay
 */
public record DelayedJob(Workload workload, String clusterQueue, String reason) {
  /** {@return what is delayed of a job, empty if nothing is} */
  static Optional<DelayedJob> of(JobContext context, JobRecord record) {
    return record
        .workload()
        .filter(workload -> context.book().isHeld(workload.id()))
        .map(workload -> new DelayedJob(
            workload,
            context.configuration().clusterQueueName(workload.namespace(), workload.queueName()),
            String.join("; ", record.messages())));
  }
}
