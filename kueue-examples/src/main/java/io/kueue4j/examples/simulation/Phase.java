package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView;
import java.util.Optional;

/**
 * What a simulation looks like when nothing is left to decide.
 *
 * @param title what led to it
 * @param jobs the jobs, in the order in which they were created
 * @param clusterQueues the ClusterQueues, by name
 * @param events what happened since the phase before
 */
public record Phase(
    String title,
    ImmutableList<JobReport> jobs,
    ImmutableList<ClusterQueueView> clusterQueues,
    ImmutableList<Event> events) {

  /** {@return the job of that name, or {@code namespace/name}} */
  public Optional<JobReport> job(String name) {
    return jobs.stream().filter(report -> report.job().isCalled(name)).findFirst();
  }

  /** {@return the names of the jobs that stand there, in the order of their creation} */
  public ImmutableList<String> names(JobStatus status) {
    return jobs.stream()
        .filter(report -> report.status() == status)
        .map(report -> report.job().name())
        .collect(ImmutableList.toImmutableList());
  }
}
