package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView;
import java.util.List;
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
    List<ClusterQueueView> clusterQueues,
    ImmutableList<Event> events) {

  /** {@return the job with that name, or {@code namespace/name}} */
  public Optional<JobReport> job(String name) {
    return jobs.stream().filter(report -> report.job().isCalled(name)).findFirst();
  }

  /**
   * {@return whether a job does not run that has not finished, because it is pending, was rejected,
   * or waits for more than quota}
   */
  public boolean isWaiting() {
    return jobs.stream().anyMatch(job -> switch (job.status()) {
      case PENDING, REJECTED -> true;
      case ADMITTED -> !job.reasons().isEmpty();
      case FINISHED -> false;
    });
  }

  /** {@return the name of the job of a Workload, or the name of the Workload if there is none} */
  public String jobOf(String workload) {
    return jobs.stream()
        .map(JobReport::job)
        .filter(job -> job.workload().name().equals(workload))
        .map(SimulatedJob::name)
        .findFirst()
        .orElse(workload);
  }

  /** {@return the names of the jobs with that status, in the order of their creation} */
  public ImmutableList<String> names(JobStatus status) {
    return jobs.stream()
        .filter(report -> report.status() == status)
        .map(report -> report.job().name())
        .collect(ImmutableList.toImmutableList());
  }
}
