package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.core.simulation.SimulationResult.QuotaSeries;
import io.kueue4j.core.simulation.StepFunction;
import io.kueue4j.examples.simulation.QuotaGroups;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The charts of a simulation. */
final class ReportCharts {
  /** Of more queues than these, those with most jobs have charts. */
  static final int MAX_QUEUES = 30;

  /** The number of intervals of quota and queue lengths. */
  static final int POINTS = 500;

  /** The number of intervals in which users and queues are compared. */
  static final int WINDOWS = 100;

  /** What the charts of fairness show. */
  static final String FAIRNESS =
      "The share of a user is the part of the cluster's nominal quota that the user's jobs use, of the"
          + " resource of which they use the largest part. Jain's index shows how equally demand is met in"
          + " each of " + WINDOWS
          + " intervals. It compares what the jobs of each user used, divided by what the user's running and"
          + " waiting jobs requested: 1 means that the same part of every user's demand was met, 1/n that"
          + " only one of n users got anything. Users without demand do not count. Parts are compared, not"
          + " amounts, so that a user whose small demand is met in full does not lower the index. The weighted"
          + " share of a ClusterQueue is Kueue's measure of fair sharing, at the start of each interval: what"
          + " the queue borrows, in thousandths of what its cohort could lend, divided"
          + " by its weight.";

  private static final int MAX_LINES = 6;
  private static final double MILLIS_PER_HOUR = 3_600_000;

  private final SimulationResult result;
  private final Intervals samples;
  private final ImmutableDoubleArray times;

  /**
   * Creates the charts.
   *
   * @param result the simulation
   * @param samples the intervals of quota and queue lengths
   */
  ReportCharts(SimulationResult result, Intervals samples) {
    this.result = result;
    this.samples = samples;
    this.times = samples.seconds();
  }

  /** {@return the charts that show all ClusterQueues together} */
  ImmutableList<Chart> overview() {
    List<Chart> charts = new ArrayList<>();
    ImmutableListMultimap<String, QuotaSeries> byFlavor = Multimaps.index(
        result.quotas(), series -> series.resource() + " in flavor " + series.flavor());
    byFlavor.asMap().forEach((name, series) -> charts.add(quotas("Quota in use: " + name, series)));
    ImmutableList.Builder<Chart.Line> waiting = ImmutableList.builder();
    waiting.add(new Chart.Line(
        "all ClusterQueues",
        samples.means(StepFunction.sum(result.queueLengths().values()))));
    if (result.queueLengths().size() > 1) {
      queues().stream()
          .limit(MAX_LINES)
          .forEach(queue -> waiting.add(new Chart.Line(queue, queueLength(queue))));
    }
    charts.add(Chart.overTime("Waiting jobs", times, waiting.build()));
    charts.add(waits());
    return ImmutableList.copyOf(charts);
  }

  /** {@return the charts of a ClusterQueue} */
  ImmutableList<Chart> of(String clusterQueue) {
    ImmutableList.Builder<Chart> charts = ImmutableList.builder();
    for (QuotaSeries series : result.quotas()) {
      if (series.clusterQueue().equals(clusterQueue)) {
        charts.add(
            quotas(series.resource() + " in flavor " + series.flavor(), ImmutableList.of(series)));
      }
    }
    return charts
        .add(Chart.overTime(
            "Waiting jobs",
            times,
            ImmutableList.of(new Chart.Line("waiting", queueLength(clusterQueue)))))
        .build();
  }

  private ImmutableDoubleArray queueLength(String clusterQueue) {
    StepFunction waiting = result.queueLengths().get(clusterQueue);
    return samples.means(waiting == null ? StepFunction.sum(ImmutableList.of()) : waiting);
  }

  /**
   * {@return the charts that show who got how much}
   *
   * @param windows the intervals
   * @param users the demand of users
   * @param shares the weighted shares of ClusterQueues
   */
  ImmutableList<Chart> fairness(
      Intervals windows,
      ImmutableSortedMap<String, DemandSeries> users,
      SortedMap<String, double[]> shares) {
    ImmutableDoubleArray x = windows.seconds();
    ImmutableList.Builder<Chart> charts = ImmutableList.builder();
    if (!users.isEmpty()) {
      charts.add(
          Chart.overTime("Percent of the cluster that users use", x, shareOfUsers(windows, users)));
    }
    ImmutableSortedMap<String, DemandSeries> queues =
        DemandSeries.by(result, windows, JobResult::clusterQueue);
    ImmutableList.Builder<Chart.Line> fairness = ImmutableList.builder();
    Map.of("users", users, "ClusterQueues", queues).entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.reverseOrder()))
        .filter(groups -> groups.getValue().size() > 1)
        .forEach(groups -> fairness.add(new Chart.Line(
            "among " + groups.getKey(),
            Intervals.points(DemandSeries.fairness(groups.getValue().values(), windows.count())))));
    ImmutableList<Chart.Line> lines = fairness.build();
    if (!lines.isEmpty()) {
      charts.add(Chart.overTime("Fairness (Jain's index of the served demand)", x, lines));
    }
    ImmutableList<Chart.Line> weighted = largest(shares);
    if (!weighted.isEmpty()) {
      charts.add(Chart.overTime("Weighted share of ClusterQueues", x, weighted));
    }
    return charts.build();
  }

  private static ImmutableList<Chart.Line> shareOfUsers(
      Intervals windows, ImmutableSortedMap<String, DemandSeries> users) {
    List<Map.Entry<String, DemandSeries>> byUse = users.entrySet().stream()
        .sorted(Comparator.comparingDouble(
                (Map.Entry<String, DemandSeries> user) -> -user.getValue().meanUsed())
            .thenComparing(Map.Entry::getKey))
        .toList();
    ImmutableList.Builder<Chart.Line> lines = ImmutableList.builder();
    double[] others = new double[windows.count()];
    for (int i = 0; i < byUse.size(); i++) {
      double[] percent =
          byUse.get(i).getValue().used().stream().map(used -> 100 * used).toArray();
      if (i < MAX_LINES) {
        lines.add(new Chart.Line("user " + byUse.get(i).getKey(), Intervals.points(percent)));
      } else {
        Arrays.setAll(others, window -> others[window] + percent[window]);
      }
    }
    if (byUse.size() > MAX_LINES) {
      lines.add(
          new Chart.Line((byUse.size() - MAX_LINES) + " other users", Intervals.points(others)));
    }
    return lines.build();
  }

  /** {@return lines of those with the largest sums, except for those that are 0 all the time} */
  private static ImmutableList<Chart.Line> largest(SortedMap<String, double[]> shares) {
    return shares.entrySet().stream()
        .filter(share -> Arrays.stream(share.getValue()).anyMatch(value -> value != 0))
        .sorted(Comparator.comparingDouble((Map.Entry<String, double[]> share) ->
                -Arrays.stream(share.getValue()).filter(Double::isFinite).sum())
            .thenComparing(Map.Entry::getKey))
        .limit(MAX_LINES)
        .map(share -> new Chart.Line(share.getKey(), Intervals.points(share.getValue())))
        .collect(toImmutableList());
  }

  /** {@return the ClusterQueues with charts, those with most jobs first} */
  ImmutableList<String> queues() {
    return result.by(JobResult::clusterQueue).entrySet().stream()
        .sorted(Comparator.comparingInt(
                (Map.Entry<String, JobSummary> queue) -> -queue.getValue().jobs())
            .thenComparing(Map.Entry::getKey))
        .limit(MAX_QUEUES)
        .map(Map.Entry::getKey)
        .collect(toImmutableList());
  }

  /** {@return the chart of the quota of a resource in a flavor, of one ClusterQueue or all} */
  private Chart quotas(String title, Collection<QuotaSeries> series) {
    ImmutableList.Builder<Chart.Line> lines = ImmutableList.builder();
    lines.add(amounts("in use", series, QuotaSeries::used));
    lines.add(amounts("nominal quota", series, QuotaSeries::nominal));
    QuotaSeries any = series.iterator().next();
    long ofCohorts = quotaOfCohorts(any.flavor(), any.resource());
    if (series.size() > 1 && ofCohorts > 0) {
      double[] quota = new double[samples.count()];
      Arrays.fill(quota, ofCohorts / (double) Quantity.amount(any.resource(), "1"));
      lines.add(new Chart.Line("quota of cohorts", Intervals.points(quota)));
    }
    lines.add(amounts("borrowed", series, QuotaSeries::borrowed));
    lines.add(amounts("lent", series, QuotaSeries::lent));
    return Chart.overTime(title, times, lines.build());
  }

  /** {@return the quota that cohorts have of their own, of a resource in a flavor} */
  private long quotaOfCohorts(String flavor, String resource) {
    return result.configuration().stream()
        .filter(Cohort.class::isInstance)
        .flatMap(QuotaGroups::of)
        .flatMap(group -> group.flavors().stream())
        .filter(quotas -> quotas.flavor().equals(flavor))
        .flatMap(quotas -> quotas.resources().stream())
        .filter(quota -> quota.resource().equals(resource))
        .mapToLong(ResourceQuota::nominalQuota)
        .sum();
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
        "Wait by percentile of jobs, hours", new Chart.Percent(), percent, lines.build());
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
