package io.kueue4j.examples.history;

import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.Durations;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.core.simulation.StartEstimate;
import io.kueue4j.core.simulation.StartEstimator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Compares estimates of starts with what happened: estimates what waits at some moments of a
 * simulation, by what was known then, and looks up when it started.
 */
final class Calibration {
  private static final int JOBS_OF_AVERAGE = 50;

  private final int samples;
  private final Duration horizon;
  private final List<Double> errors = new ArrayList<>();
  private final List<Double> errorsByStarts = new ArrayList<>();
  private final List<Double> errorsByDurations = new ArrayList<>();
  private int count;
  private int below10;
  private int below50;
  private int below90;

  /**
   * Starts to compare.
   *
   * @param samples the number of samples of each estimate
   * @param horizon how far ahead estimates look
   */
  Calibration(int samples, Duration horizon) {
    this.samples = samples;
    this.horizon = horizon;
  }

  /**
   * What estimates go by.
   *
   * @param finished jobs by which durations are estimated
   * @param submitted jobs from which arrivals are resampled
   */
  record Knowledge(List<SimulationJob> finished, List<SimulationJob> submitted) {
    /** {@return what is known at a time: the jobs that have ended or were submitted until then} */
    static Knowledge at(SimulationResult truth, Instant now) {
      return new Knowledge(
          truth.jobs().stream()
              .filter(each -> each.ended().filter(end -> !end.isAfter(now)).isPresent())
              .sorted(Comparator.comparing(each -> each.ended().orElseThrow()))
              .map(each -> SimulationJob.builder()
                  .from(each.job())
                  .user(owner(each.job()))
                  .build())
              .toList(),
          truth.jobs().stream()
              .map(JobResult::job)
              .filter(job -> !job.submitTime().isAfter(now))
              .toList());
    }

    /** {@return the same with the arrivals of the last time only} */
    Knowledge arrivalsSince(Instant begin) {
      return new Knowledge(
          finished,
          submitted.stream().filter(job -> job.submitTime().isAfter(begin)).toList());
    }
  }

  /** {@return whether a start is by a time; absent is a time after the horizon} */
  private static boolean isBy(Instant start, Optional<Instant> time) {
    return time.isEmpty() || !start.isAfter(time.get());
  }

  /**
   * Simple estimates for a ClusterQueue: the place in it times the mean time between starts or
   * ends.
   *
   * @param startInterval the mean time between the last fifty starts, in milliseconds
   * @param endInterval the mean duration of the fifty jobs that ended last, divided by the number
   *     of jobs that run
   */
  private record NaiveEstimate(double startInterval, double endInterval) {
    static NaiveEstimate at(SimulationResult truth, Instant now, Optional<String> queue) {
      List<JobResult> jobs = truth.jobs().stream()
          .filter(each -> each.clusterQueue().equals(queue))
          .toList();
      List<Instant> starts = jobs.stream()
          .flatMap(each -> each.started().stream())
          .filter(start -> !start.isAfter(now))
          .sorted()
          .toList();
      int first = Math.max(0, starts.size() - 1 - JOBS_OF_AVERAGE);
      double startInterval = starts.isEmpty()
          ? 0
          : Duration.between(starts.get(first), starts.get(starts.size() - 1)).toMillis()
              / (double) Math.max(1, starts.size() - 1 - first);
      List<JobResult> ended = jobs.stream()
          .filter(each -> each.ended().filter(end -> !end.isAfter(now)).isPresent())
          .sorted(Comparator.comparing(each -> each.ended().orElseThrow()))
          .toList();
      double meanDuration = ended.stream()
          .skip(Math.max(0, ended.size() - JOBS_OF_AVERAGE))
          .mapToLong(each -> each.job().duration().toMillis())
          .average()
          .orElse(0);
      return new NaiveEstimate(
          startInterval, meanDuration / Math.max(1, starts.size() - ended.size()));
    }
  }

  /**
   * Estimates what waits at a time, about so many workloads of each queue.
   *
   * @param truth what happens
   * @param now the time
   * @param limit the number of workloads
   * @param knowledge turns what is known at the time into what the estimates go by
   */
  void holdOut(SimulationResult truth, Instant now, int limit, UnaryOperator<Knowledge> knowledge) {
    Map<WorkloadId, String> users = new HashMap<>();
    truth.jobs().forEach(each -> users.put(each.job().id(), owner(each.job())));
    Function<Workload, String> user = workload -> users.getOrDefault(workload.id(), "");
    EngineView view = truth.viewAt(now);
    Map<WorkloadId, WaitingWorkload> waiting = new TreeMap<>();
    for (ClusterQueueView queue : view.clusterQueues()) {
      int step = Math.max(1, queue.waiting().size() / limit);
      for (int i = 0; i < queue.waiting().size(); i += step) {
        waiting.put(queue.waiting().get(i).workload().id(), queue.waiting().get(i));
      }
    }
    if (waiting.isEmpty()) {
      return;
    }
    Knowledge by = knowledge.apply(Knowledge.at(truth, now));
    StartEstimator estimator = StartEstimator.from(view, now)
        .durations(Durations.empirical(by.finished(), user))
        .arrivals(by.submitted())
        .samples(samples, 1)
        .horizon(horizon);
    Map<Optional<String>, NaiveEstimate> naive = new HashMap<>();
    estimator.estimate(waiting.keySet()).forEach((id, estimate) -> {
      JobResult result = truth.job(id).orElseThrow();
      int place = Objects.requireNonNull(waiting.get(id)).positionInClusterQueue() + 1;
      NaiveEstimate ofQueue = naive.computeIfAbsent(
          result.clusterQueue(), queue -> NaiveEstimate.at(truth, now, queue));
      result.started().ifPresent(start -> compare(now, start, estimate, ofQueue, place));
    });
  }

  private static String owner(SimulationJob job) {
    return job.user().or(job::group).orElse("");
  }

  private void compare(
      Instant now, Instant start, StartEstimate estimate, NaiveEstimate naive, int place) {
    count++;
    below10 += isBy(start, estimate.p10()) ? 1 : 0;
    below50 += isBy(start, estimate.p50()) ? 1 : 0;
    below90 += isBy(start, estimate.p90()) ? 1 : 0;
    double truthMillis = Duration.between(now, start).toMillis();
    double median =
        Duration.between(now, estimate.p50().orElse(now.plus(horizon))).toMillis();
    errors.add(Math.abs(median - truthMillis));
    errorsByStarts.add(Math.abs(place * naive.startInterval() - truthMillis));
    errorsByDurations.add(Math.abs(place * naive.endInterval() - truthMillis));
  }

  int count() {
    return count;
  }

  /** {@return the share of starts between p10 and p90} */
  double coverage() {
    return (below90 - below10) / (double) count;
  }

  /** {@return the share of starts by p90} */
  double coverageOf90() {
    return below90 / (double) count;
  }

  /**
   * {@return the median error of the better one of the naive estimates, divided by the error of the
   * median}
   */
  double gain() {
    return Math.min(median(errorsByStarts), median(errorsByDurations))
        / Math.max(1, median(errors));
  }

  private static double median(List<Double> errors) {
    return errors.stream().sorted().skip(errors.size() / 2).findFirst().orElse(0.0);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d estimates: p10–p90 %.1f %%, p10 %.1f %%, p50 %.1f %%, p90 %.1f %%, median error %.0f s,"
            + " naive %.0f s by starts and %.0f s by durations, gain %.2f",
        count,
        100 * coverage(),
        100.0 * below10 / count,
        100.0 * below50 / count,
        100.0 * below90 / count,
        median(errors) / 1000,
        median(errorsByStarts) / 1000,
        median(errorsByDurations) / 1000,
        gain());
  }
}
