package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.Durations;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.examples.simulation.TimeText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How long jobs run: by their annotations, a history, their maximum execution times, or at all. */
final class ExpectedDurations {
  /** The annotation of a job that says how long it runs, as an ISO duration. */
  static final String ANNOTATION = "kueue4j.io/expected-duration";

  private ExpectedDurations() {}

  /**
   * {@return the durations}
   *
   * @param jobs the jobs
   * @param history jobs that have finished
   * @param otherwise the duration of jobs of which nothing else is known
   * @throws InputException if an annotation is no duration
   */
  static Durations of(
      List<SimulatedJob> jobs, List<SimulationJob> history, Optional<Duration> otherwise) {
    ImmutableMap.Builder<WorkloadId, Duration> announced = ImmutableMap.builder();
    for (SimulatedJob job : jobs) {
      String text = job.manifest().annotations().get(ANNOTATION);
      if (text != null) {
        announced.put(job.workload().id(), parse(job, text));
      }
    }
    return Durations.fixed(announced.buildKeepingLast())
        .or(Durations.empirical(history))
        .or(Durations.maximumExecutionTimes())
        .or(Durations.fixed(workload -> otherwise));
  }

  /** {@return whether a job itself does not say how long it runs, not even at most} */
  private static boolean isUnknown(SimulatedJob job) {
    return job.manifest().annotations().get(ANNOTATION) == null
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
          + "; give --history, --default-duration, or the annotation " + ANNOTATION);
    }
  }

  private static Duration parse(SimulatedJob job, String text) {
    return TimeText.duration(text)
        .filter(duration -> !duration.isNegative())
        .orElseThrow(() -> new InputException(job.manifest()
            .issue(
                "metadata.annotations[" + ANNOTATION + "]",
                "'" + text + "' of job " + job.namespace() + "/" + job.name()
                    + "; expected a duration as P1D or PT1H30M, at most P365000D")
            .toString()));
  }
}
