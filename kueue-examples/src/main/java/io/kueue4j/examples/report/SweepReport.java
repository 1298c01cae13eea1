package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.examples.sweep.Axis;
import io.kueue4j.examples.sweep.PointResult;
import io.kueue4j.examples.sweep.SweepResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A report of a grid: one page of HTML with everything that it needs. Its charts run along the
 * first axis with amounts, with a line for each combination of the other values, or for each
 * ClusterQueue if there is one combination; of several seeds they show the mean. All figures stand
 * in a table.
 */
public final class SweepReport {
  private static final int MAX_LINES = 12;
  private static final int MAX_ROWS = 2_000;

  private final SweepResult result;
  private final ImmutableSortedSet<String> resources;
  private final ImmutableSortedSet<String> queues;
  private final Page page;

  private SweepReport(SweepResult result, About about) {
    this.result = result;
    this.resources = names(result, point -> point.utilisation().keySet());
    this.queues = names(result, point -> point.clusterQueues().keySet());
    this.page = new Page(about);
  }

  /**
   * {@return the page}
   *
   * @param result the results
   * @param command the command that made them
   */
  public static String write(SweepResult result, String command) {
    About about = new About(
        "Sweep of " + result.size() + " points",
        ImmutableList.of(summary(result)),
        command,
        result.version());
    return new SweepReport(result, about).write(about);
  }

  private String write(About about) {
    alongAxis().ifPresent(this::charts);
    points();
    return page.end(about, ImmutableMap.of("Digest of the grid and its files", result.digest()));
  }

  private static String summary(SweepResult result) {
    String axes = result.varying().stream()
        .map(axis -> axis.name() + " (" + axis.values().size() + ")")
        .reduce((a, b) -> a + " × " + b)
        .orElse("one point");
    return axes
        + (result.points().size() == result.size()
            ? ""
            : "; " + result.points().size() + " points are done");
  }

  /** {@return the axis that charts run along: the first with amounts, or else the first} */
  private Optional<Axis> alongAxis() {
    List<Axis> axes = result.varying().stream().filter(axis -> !axis.isSeed()).toList();
    return axes.stream()
        .filter(Axis::isNumeric)
        .findFirst()
        .or(() -> axes.stream().findFirst());
  }

  private void charts(Axis along) {
    page.heading("Along " + along.name());
    ImmutableMap<String, ImmutableList<List<PointResult>>> lines = lines(along);
    if (lines.size() > MAX_LINES) {
      page.note("Charts show the first " + MAX_LINES + " of " + lines.size() + " combinations.");
    }
    Chart.Values axis = new Chart.Values(along.name(), along.isNumeric(), along.values());
    ImmutableList.Builder<Chart> charts = ImmutableList.builder();
    charts.add(
        byQueue(axis, lines, "95th percentile of waits, hours", jobs -> hours(jobs.p95Wait())),
        byQueue(axis, lines, "Mean wait, hours", jobs -> hours(jobs.meanWait())),
        byQueue(axis, lines, "Mean bounded slowdown", JobSummary::meanBoundedSlowdown),
        byQueue(axis, lines, "Preemptions", JobSummary::preemptions),
        byQueue(axis, lines, "Lost work, hours", jobs -> hours(jobs.lostWork())));
    for (String resource : resources) {
      ImmutableList.Builder<Chart.Line> shares = ImmutableList.builder();
      lines.forEach((label, points) ->
          shares.add(new Chart.Line(label, means(points, point -> share(point, resource)))));
      charts.add(chart(axis, "Utilisation of " + resource + ", percent", shares.build()));
    }
    page.charts(charts.build());
  }

  private static double hours(Duration duration) {
    return duration.toMillis() / 3_600_000.0;
  }

  /** {@return a chart with a line for each combination; of one, for each ClusterQueue, too} */
  private Chart byQueue(
      Chart.Values axis,
      ImmutableMap<String, ImmutableList<List<PointResult>>> combinations,
      String title,
      ToDoubleFunction<JobSummary> figure) {
    ImmutableList.Builder<Chart.Line> lines = ImmutableList.builder();
    combinations.forEach((label, points) -> lines.add(
        new Chart.Line(label, means(points, point -> figure.applyAsDouble(point.total())))));
    if (combinations.size() == 1 && queues.size() > 1) {
      ImmutableList<List<PointResult>> points = combinations.values().iterator().next();
      queues.forEach(queue -> lines.add(new Chart.Line(queue, means(points, point -> {
        JobSummary jobs = point.clusterQueues().get(queue);
        return jobs == null ? Double.NaN : figure.applyAsDouble(jobs);
      }))));
    }
    return chart(axis, title, lines.build());
  }

  private static Chart chart(Chart.Values axis, String title, ImmutableList<Chart.Line> lines) {
    return Chart.along(axis, title, lines.subList(0, Math.min(MAX_LINES, lines.size())));
  }

  /** {@return the means of the seeds at each position, NaN where there is no figure} */
  private static ImmutableDoubleArray means(
      List<List<PointResult>> line, ToDoubleFunction<PointResult> figure) {
    return ImmutableDoubleArray.copyOf(line.stream()
        .mapToDouble(points -> points.stream()
            .mapToDouble(figure)
            .filter(value -> !Double.isNaN(value))
            .average()
            .orElse(Double.NaN)));
  }

  private static ImmutableSortedSet<String> names(
      SweepResult result, Function<PointResult, Set<String>> names) {
    return result.points().stream()
        .flatMap(point -> names.apply(point).stream())
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
  }

  private static double share(PointResult point, String resource) {
    PointResult.Usage usage = point.utilisation().get(resource);
    return usage == null || usage.nominal() <= 0
        ? Double.NaN
        : 100 * usage.used() / usage.nominal();
  }

  /** {@return the points of each line by the position of their value, seeds together} */
  private ImmutableMap<String, ImmutableList<List<PointResult>>> lines(Axis along) {
    List<Axis> others = result.varying().stream()
        .filter(axis -> !axis.isSeed() && !axis.name().equals(along.name()))
        .toList();
    Map<String, ImmutableList<List<PointResult>>> lines = new LinkedHashMap<>();
    for (PointResult point : result.points()) {
      ImmutableMap<String, String> values = result.values(point);
      String label = others.stream()
          .map(axis -> axis.name() + " " + values.get(axis.name()))
          .reduce((a, b) -> a + ", " + b)
          .orElse("all");
      lines
          .computeIfAbsent(
              label,
              unused -> along.values().stream()
                  .<List<PointResult>>map(value -> new ArrayList<>())
                  .collect(toImmutableList()))
          .get(along.values().indexOf(values.get(along.name())))
          .add(point);
    }
    return ImmutableMap.copyOf(lines);
  }

  private void points() {
    page.heading("Points");
    if (result.points().size() > MAX_ROWS) {
      page.note("The first " + MAX_ROWS + " of " + result.points().size() + "; -o csv has all.");
    }
    ImmutableList.Builder<ImmutableList<String>> totals = ImmutableList.builder();
    result.points().stream()
        .limit(MAX_ROWS)
        .forEach(point -> totals.add(row(point, "all", point.total())
            .addAll(resources.stream()
                .map(resource -> Texts.percent(share(point, resource) / 100))
                .iterator())
            .build()));
    page.table(new Page.Table(
        "Points",
        header()
            .addAll(resources.stream().map(resource -> resource + " in use").iterator())
            .build(),
        totals.build()));
    if (queues.size() > 1) {
      page.heading("Points by ClusterQueue");
      ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
      result.points().stream()
          .limit(MAX_ROWS / queues.size())
          .forEach(point -> point
              .clusterQueues()
              .forEach((queue, jobs) -> rows.add(row(point, queue, jobs).build())));
      page.table(new Page.Table("Points by ClusterQueue", header().build(), rows.build()));
    }
  }

  private ImmutableList.Builder<String> header() {
    return ImmutableList.<String>builder()
        .add("Point")
        .addAll(result.varying().stream().map(Axis::name).iterator())
        .add("ClusterQueue", "Jobs", "Unfinished", "Mean wait", "Median", "95th percentile")
        .add("99th percentile", "Slowdown", "Preemptions", "Lost work");
  }

  private ImmutableList.Builder<String> row(PointResult point, String queue, JobSummary jobs) {
    ImmutableMap<String, String> values = result.values(point);
    return ImmutableList.<String>builder()
        .add(String.valueOf(point.point()))
        .addAll(result.varying().stream()
            .map(axis -> values.getOrDefault(axis.name(), ""))
            .iterator())
        .add(
            queue,
            Texts.number(jobs.jobs()),
            Texts.number((long) jobs.jobs() - jobs.finished()),
            DurationText.text(jobs.meanWait()),
            DurationText.text(jobs.p50Wait()),
            DurationText.text(jobs.p95Wait()),
            DurationText.text(jobs.p99Wait()),
            Texts.ratio(jobs.meanBoundedSlowdown()),
            Texts.number(jobs.preemptions()),
            DurationText.text(jobs.lostWork()));
  }
}
