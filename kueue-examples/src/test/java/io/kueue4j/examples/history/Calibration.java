package io.kueue4j.examples.history;

import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.WaitingWorkload;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.Arrivals;
import io.kueue4j.core.simulation.Durations;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.Samples;
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
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares estimates of starts with what happened: estimates what waits at some moments of a
 * simulation, by what was known then, and looks up when it started.
 */
final class Calibration {
  private static final int STARTS_OF_AVERAGE = 50;

  private final Samples samples;
  private final Duration arrivalsOf;
  private final Duration horizon;
  private final List<Double> errors = new ArrayList<>();
  private final List<Double> naiveErrors = new ArrayList<>();
  private int count;
  private int below10;
  private int below50;
  private int below90;

  /**
   * Starts to compare.
   *
   * @param samples the samples of each estimate
   * @param arrivalsOf how much of the past arrivals are resampled from
   * @param horizon how far ahead estimates look
   */
  Calibration(Samples samples, Duration arrivalsOf, Duration horizon) {
    this.samples = samples;
    this.arrivalsOf = arrivalsOf;
    this.horizon = horizon;
  }

  /** Estimates what waits at a time, at most so many workloads of each queue. */
  void holdOut(SimulationResult truth, Instant now, int limit) {
    Map<WorkloadId, String> users = new HashMap<>();
    truth.jobs().forEach(each -> users.put(each.job().id(), owner(each.job())));
    Function<Workload, String> user = workload -> users.getOrDefault(workload.id(), "");
    EngineView view = truth.viewAt(now);
    List<JobResult> started = truth.jobs().stream()
        .filter(each -> each.started().isPresent() && !each.started().get().isAfter(now))
        .toList();
    List<SimulationJob> finished = started.stream()
        .filter(each -> each.ended().isPresent() && !each.ended().get().isAfter(now))
        .sorted(Comparator.comparing(each -> each.ended().orElseThrow()))
        .map(each ->
            SimulationJob.builder().from(each.job()).user(owner(each.job())).build())
        .toList();
    List<SimulationJob> submitted = truth.jobs().stream()
        .map(JobResult::job)
        .filter(job ->
            !job.submitTime().isAfter(now) && job.submitTime().isAfter(now.minus(arrivalsOf)))
        .toList();
    Map<WorkloadId, WaitingWorkload> waiting = new HashMap<>();
    for (ClusterQueueView queue : view.clusterQueues()) {
      int step = Math.max(1, queue.waiting().size() / limit);
      for (int i = 0; i < queue.waiting().size(); i += step) {
        waiting.put(queue.waiting().get(i).workload().id(), queue.waiting().get(i));
      }
    }
    double interval = meanInterval(started);
    StartEstimator estimator = StartEstimator.from(view, now)
        .durations(Durations.empirical(finished, user))
        .samples(samples)
        .horizon(horizon);
    if (!arrivalsOf.isZero()) {
      estimator.arrivals(Arrivals.resampled(submitted));
    }
    estimator.estimate(waiting.keySet().stream().sorted().toList()).forEach((id, estimate) -> {
      Optional<Instant> start = truth.job(id).orElseThrow().started();
      start.ifPresent(time -> compare(
          now,
          time,
          estimate,
          interval * (Objects.requireNonNull(waiting.get(id)).positionInClusterQueue() + 1)));
    });
  }

  private static String owner(SimulationJob job) {
    return job.user().or(job::group).orElse("");
  }

  private void compare(Instant now, Instant start, StartEstimate estimate, double naiveMillis) {
    count++;
    below10 += estimate.p10().filter(time -> !start.isAfter(time)).isPresent() ? 1 : 0;
    below50 += estimate.p50().filter(time -> start.isAfter(time)).isEmpty() ? 1 : 0;
    below90 += estimate.p90().filter(time -> start.isAfter(time)).isEmpty() ? 1 : 0;
    double truthMillis = Duration.between(now, start).toMillis();
    double median =
        Duration.between(now, estimate.p50().orElse(now.plus(horizon))).toMillis();
    errors.add(Math.abs(median - truthMillis));
    naiveErrors.add(Math.abs(naiveMillis - truthMillis));
  }

  /** {@return the mean time between the last starts, in milliseconds} */
  private static double meanInterval(List<JobResult> started) {
    List<Instant> times = started.stream()
        .map(each -> each.started().orElseThrow())
        .sorted()
        .collect(Collectors.toCollection(ArrayList::new));
    int first = Math.max(0, times.size() - 1 - STARTS_OF_AVERAGE);
    return Duration.between(times.get(first), times.get(times.size() - 1)).toMillis()
        / (double) Math.max(1, times.size() - 1 - first);
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

  /** {@return the median error of the naive estimate, divided by that of the median} */
  double gain() {
    return median(naiveErrors) / Math.max(1, median(errors));
  }

  private static double median(List<Double> errors) {
    return errors.stream().sorted().skip(errors.size() / 2).findFirst().orElse(0.0);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d estimates: p10–p90 %.1f %%, p10 %.1f %%, p50 %.1f %%, p90 %.1f %%, median error %.0f s,"
            + " naive %.0f s, gain %.2f",
        count,
        100 * coverage(),
        100.0 * below10 / count,
        100.0 * below50 / count,
        100.0 * below90 / count,
        median(errors) / 1000,
        median(naiveErrors) / 1000,
        gain());
  }
}
