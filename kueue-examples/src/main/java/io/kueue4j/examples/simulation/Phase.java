package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView;
import java.util.Optional;

/**
 * The state of a simulation when nothing is left to decide.
 *
 * @param title what led to it
 * @param jobs the jobs, in the order of their creation
 * @param clusterQueues the ClusterQueues, by name
 * @param events the events since the previous phase
 */
public record Phase(
    String title,
    ImmutableList<JobReport> jobs,
    ImmutableList<ClusterQueueView> clusterQueues,
    ImmutableList<Event> events) {

  /** {@return the job with that name, or {@code namespace/name}} */
  public Optional<JobReport> job(String name) {
    return jobs.stream().filter(report -> report.job().isCalled(name)).findFirst();
  }

  /** {@return the names of the jobs with that status, in the order of their creation} */
  public ImmutableList<String> names(JobStatus status) {
    return jobs.stream()
        .filter(report -> report.status() == status)
        .map(report -> report.job().name())
        .collect(ImmutableList.toImmutableList());
  }
}
