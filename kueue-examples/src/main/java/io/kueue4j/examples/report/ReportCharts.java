package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.QuotaSeries;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.core.simulation.StepFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The charts of a simulation. */
final class ReportCharts {
  /** Of more queues than these, those with most jobs have charts. */
  static final int MAX_QUEUES = 30;

  private static final int MAX_LINES = 6;
  private static final int POINTS = 500;
  private static final double MILLIS_PER_HOUR = 3_600_000;

  private final SimulationResult result;
  private final Samples samples;
  private final ImmutableDoubleArray times;

  ReportCharts(SimulationResult result) {
    this.result = result;
    long from = result.startTime().toEpochMilli();
    this.samples = new Samples(from, Math.max(from + 1, result.endTime().toEpochMilli()), POINTS);
    this.times = ImmutableDoubleArray.copyOf(
        IntStream.range(0, POINTS).mapToDouble(i -> samples.time(i) / 1000.0));
  }

  /** {@return the charts that show all ClusterQueues together} */
  ImmutableList<Chart> overview() {
    List<Chart> charts = new ArrayList<>();
    ImmutableListMultimap<String, QuotaSeries> byFlavor = Multimaps.index(
        result.quotas(), series -> series.resource() + " in flavor " + series.flavor());
    byFlavor
        .asMap()
        .forEach((name, series) -> charts.add(new Chart(
            "Quota in use: " + name,
            true,
            times,
            ImmutableList.of(
                amounts("in use", series, QuotaSeries::used),
                amounts("nominal quota", series, QuotaSeries::nominal)))));
    charts.add(new Chart(
        "Waiting jobs",
        true,
        times,
        ImmutableList.of(new Chart.Line(
            "all ClusterQueues",
            samples.means(StepFunction.sum(result.queueLengths().values()))))));
    charts.add(waits());
    return ImmutableList.copyOf(charts);
  }

  /** {@return the charts of a ClusterQueue} */
  ImmutableList<Chart> of(String clusterQueue) {
    List<Chart> charts = new ArrayList<>();
    for (QuotaSeries series : result.quotas()) {
      if (series.clusterQueue().equals(clusterQueue)) {
        List<QuotaSeries> one = List.of(series);
        charts.add(new Chart(
            series.resource() + " in flavor " + series.flavor(),
            true,
            times,
            ImmutableList.of(
                amounts("in use", one, QuotaSeries::used),
                amounts("nominal quota", one, QuotaSeries::nominal),
                amounts("borrowed", one, QuotaSeries::borrowed),
                amounts("lent", one, QuotaSeries::lent))));
      }
    }
    StepFunction waiting = result.queueLengths().get(clusterQueue);
    if (waiting != null) {
      charts.add(new Chart(
          "Waiting jobs",
          true,
          times,
          ImmutableList.of(new Chart.Line("waiting", samples.means(waiting)))));
    }
    return ImmutableList.copyOf(charts);
  }

  /** {@return the ClusterQueues with charts, those with most jobs first} */
  ImmutableList<String> queues() {
    return result.byClusterQueue().entrySet().stream()
        .sorted(Comparator.comparingInt(
                (Map.Entry<String, JobSummary> queue) -> -queue.getValue().jobs())
            .thenComparing(Map.Entry::getKey))
        .limit(MAX_QUEUES)
        .map(Map.Entry::getKey)
        .collect(toImmutableList());
  }

  private Chart.Line amounts(
      String label, Collection<QuotaSeries> series, Function<QuotaSeries, StepFunction> part) {
    double unit = Quantity.amount(series.iterator().next().resource(), "1");
    ImmutableDoubleArray means =
        samples.means(StepFunction.sum(series.stream().map(part).toList()));
    return new Chart.Line(
        label, ImmutableDoubleArray.copyOf(means.stream().map(mean -> mean / unit)));
  }

  /** {@return the wait that a percentage of jobs does not exceed} */
  private Chart waits() {
    ImmutableDoubleArray percent =
        ImmutableDoubleArray.copyOf(IntStream.rangeClosed(0, 100).asDoubleStream());
    ImmutableListMultimap<String, JobResult> started = Multimaps.index(
        result.jobs().stream().filter(job -> job.started().isPresent()).iterator(),
        job -> job.clusterQueue().orElse(""));
    ImmutableList.Builder<Chart.Line> lines = ImmutableList.builder();
    lines.add(new Chart.Line("all", percentiles(started.values())));
    if (started.keySet().size() > 1) {
      queues().stream()
          .filter(started::containsKey)
          .limit(MAX_LINES)
          .forEach(queue -> lines.add(new Chart.Line(queue, percentiles(started.get(queue)))));
    }
    return new Chart(
        "Hours that so many percent of jobs waited at most", false, percent, lines.build());
  }

  private static ImmutableDoubleArray percentiles(Collection<JobResult> jobs) {
    double[] waits = jobs.stream()
        .mapToDouble(job -> job.waited().toMillis() / MILLIS_PER_HOUR)
        .sorted()
        .toArray();
    return ImmutableDoubleArray.copyOf(IntStream.rangeClosed(0, 100)
        .mapToDouble(percent -> waits.length == 0
            ? 0
            : waits[Math.max(0, (int) Math.ceil(waits.length * (percent / 100.0)) - 1)]));
  }
}
