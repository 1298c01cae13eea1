package io.kueue4j.examples.cli;

import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.Durations;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How long jobs run: by their annotations, a history, their maximum execution times, or at all. */
final class ExpectedDurations {
  private ExpectedDurations() {}

  /**
   * {@return the durations}
   *
   * @param history jobs that have finished
   * @param otherwise the duration of jobs of which nothing else is known
   */
  static Durations of(List<SimulationJob> history, Optional<Duration> otherwise) {
    return Durations.fixed(Workload::expectedDuration)
        .or(Durations.empirical(history))
        .or(Durations.maximumExecutionTimes())
        .or(Durations.fixed(workload -> otherwise));
  }

  /** {@return whether a job itself does not say how long it runs, not even at most} */
  private static boolean isUnknown(SimulatedJob job) {
    return job.workload().expectedDuration().isEmpty()
        && job.workload().maximumExecutionTime().isEmpty();
  }

  /** Notes that jobs run of which no duration is known, if there are any. */
  static void noteUnknown(List<JobReport> jobs, PrintWriter err) {
    List<SimulatedJob> unknown = jobs.stream()
        .filter(job -> job.status() == JobStatus.ADMITTED)
        .map(JobReport::job)
        .filter(ExpectedDurations::isUnknown)
        .toList();
    if (!unknown.isEmpty()) {
      err.println("note: " + unknown.size() + (unknown.size() == 1 ? " job runs" : " jobs run")
          + " for ever as far as is known, such as " + unknown.get(0).namespace() + "/"
          + unknown.get(0).name()
          + "; give --history, --default-duration, or the annotation "
          + BackfillAnnotations.EXPECTED_DURATION);
    }
  }
}
