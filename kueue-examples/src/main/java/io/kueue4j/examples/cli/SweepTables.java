package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.JobSummary.PromiseCounts;
import io.kueue4j.examples.report.DurationText;
import io.kueue4j.examples.sweep.Axis;
import io.kueue4j.examples.sweep.GoalSearch;
import io.kueue4j.examples.sweep.PointResult;
import io.kueue4j.examples.sweep.SweepResult;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints results of grids as a table or as CSV (RFC 4180): a line for each point. */
final class SweepTables {
  private final SweepResult result;
  private final boolean byQueue;

  /**
   * Creates a printer.
   *
   * @param result the result
   * @param byQueue whether there is a line for each ClusterQueue of each point, too
   */
  SweepTables(SweepResult result, boolean byQueue) {
    this.result = result;
    this.byQueue = byQueue;
  }

  /** Prints a table, of the axes with several values alone. */
  void table(Screen out) {
    List<String> header = new ArrayList<>();
    result.varying().forEach(axis -> header.add(axis.name().toUpperCase(Locale.ROOT)));
    if (byQueue) {
      header.add("CLUSTERQUEUE");
    }
    header.addAll(List.of(
        "JOBS",
        "UNFINISHED",
        "WAIT MEAN",
        "P50",
        "P95",
        "P99",
        "SLOWDOWN",
        "PREEMPTIONS",
        "LOST WORK"));
    if (hasLarge()) {
      header.addAll(List.of("LARGE MEAN", "LARGE MAX"));
    }
    if (hasPromises()) {
      header.addAll(List.of("PROMISES KEPT", "LATE BY"));
    }
    header.add("UTILISATION");
    TextTable table = new TextTable(header);
    for (PointResult point : result.points()) {
      table.add(
          row(point, "all", point.total(), Optional.of(point.largeJobs()), utilisation(point)));
      if (byQueue) {
        point
            .clusterQueues()
            .forEach((queue, jobs) ->
                table.add(row(point, queue, jobs, Optional.empty(), TableReport.NONE)));
      }
    }
    table.print(out);
  }

  private ImmutableList<String> row(
      PointResult point,
      String queue,
      JobSummary jobs,
      Optional<JobSummary> large,
      String utilisation) {
    ImmutableMap<String, String> values = result.values(point);
    ImmutableList.Builder<String> row = ImmutableList.builder();
    result.varying().forEach(axis -> row.add(values.getOrDefault(axis.name(), "")));
    if (byQueue) {
      row.add(queue);
    }
    row.add(
        String.valueOf(jobs.jobs()),
        String.valueOf(jobs.jobs() - jobs.finished()),
        DurationText.text(jobs.meanWait()),
        DurationText.text(jobs.p50Wait()),
        DurationText.text(jobs.p95Wait()),
        DurationText.text(jobs.p99Wait()),
        SimulationTables.slowdown(jobs),
        String.valueOf(jobs.preemptions()),
        DurationText.text(jobs.lostWork()));
    if (hasLarge()) {
      Optional<JobSummary> some = large.filter(few -> few.jobs() > 0);
      row.add(
          some.map(few -> DurationText.text(few.meanWait())).orElse(TableReport.NONE),
          some.map(few -> DurationText.text(few.maxWait())).orElse(TableReport.NONE));
    }
    if (hasPromises()) {
      PromiseCounts promises = jobs.promises();
      row.add(promises.kept() + "/" + promises.made(), DurationText.text(promises.maxDelay()));
    }
    return row.add(utilisation).build();
  }

  private boolean hasLarge() {
    return result.points().stream().anyMatch(point -> point.largeJobs().jobs() > 0);
  }

  private boolean hasPromises() {
    return result.points().stream().anyMatch(point -> point.total().promises().made() > 0);
  }

  private static String utilisation(PointResult point) {
    return point.utilisation().entrySet().stream()
        .filter(resource -> resource.getValue().nominal() > 0)
        .map(resource -> String.format(
            Locale.ROOT,
            "%s %.1f %%",
            resource.getKey(),
            100 * resource.getValue().used() / resource.getValue().nominal()))
        .collect(Collectors.joining(", "));
  }

  /** Prints the smallest amounts that meet a goal. */
  static void answers(
      GoalSearch search, List<GoalSearch.Answer> answers, boolean bisected, Screen out) {
    out.println();
    for (GoalSearch.Answer answer : answers) {
      String others = answer.others().entrySet().stream()
          .map(value -> value.getKey() + " " + value.getValue())
          .collect(Collectors.joining(", "));
      out.println((others.isEmpty() ? "" : others + ": ")
          + answer
              .amount()
              .map(amount -> search.goal() + " from " + search.axis() + " " + amount + " on")
              .orElse(search.goal() + " with no value of " + search.axis())
          + (answer.unfinished() == 0
              ? ""
              : ", apart from " + answer.unfinished() + " jobs that never end")
          + (answer.isMonotone() ? "" : ", but not with every larger value"));
    }
    if (bisected) {
      out.println("Found by bisection: holds if the goal is met with every larger value, too.");
    }
  }

  /** Prints CSV, with all axes; durations in seconds. */
  void csv(PrintWriter out) {
    ImmutableSortedSet<String> resources = result.points().stream()
        .flatMap(point -> point.utilisation().keySet().stream())
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
    List<String> header = new ArrayList<>();
    header.add("point");
    result.axes().stream().map(Axis::name).forEach(header::add);
    if (byQueue) {
      header.add("cluster_queue");
    }
    header.addAll(List.of(
        "jobs",
        "started",
        "finished",
        "unfinished",
        "mean_wait_seconds",
        "p50_wait_seconds",
        "p90_wait_seconds",
        "p95_wait_seconds",
        "p99_wait_seconds",
        "max_wait_seconds",
        "bounded_slowdown",
        "preemptions",
        "evictions",
        "lost_work_seconds"));
    if (hasPromises()) {
      header.addAll(List.of(
          "promised",
          "promises_kept",
          "promises_late",
          "promises_moved",
          "promises_withdrawn",
          "max_promise_delay_seconds"));
    }
    header.addAll(List.of("large_jobs", "large_mean_wait_seconds", "large_max_wait_seconds"));
    resources.forEach(resource -> header.add("utilisation_" + resource));
    out.print(JobsCsv.line(header));
    for (PointResult point : result.points()) {
      out.print(line(
          point,
          "",
          point.total(),
          ImmutableList.<String>builder()
              .add(String.valueOf(point.largeJobs().jobs()))
              .add(
                  seconds(point.largeJobs().meanWait()),
                  seconds(point.largeJobs().maxWait()))
              .addAll(shares(point, resources))
              .build()));
      if (byQueue) {
        List<String> empty = Collections.nCopies(3 + resources.size(), "");
        point.clusterQueues().forEach((queue, jobs) -> out.print(line(point, queue, jobs, empty)));
      }
    }
  }

  private static ImmutableList<String> shares(
      PointResult point, ImmutableSortedSet<String> resources) {
    return resources.stream()
        .map(resource -> {
          PointResult.Usage usage = point.utilisation().get(resource);
          return usage == null || usage.nominal() <= 0
              ? ""
              : String.format(Locale.ROOT, "%.4f", usage.used() / usage.nominal());
        })
        .collect(toImmutableList());
  }

  private String line(PointResult point, String queue, JobSummary jobs, List<String> more) {
    List<String> cells = new ArrayList<>();
    cells.add(String.valueOf(point.point()));
    cells.addAll(result.values(point).values());
    if (byQueue) {
      cells.add(queue);
    }
    cells.addAll(List.of(
        String.valueOf(jobs.jobs()),
        String.valueOf(jobs.started()),
        String.valueOf(jobs.finished()),
        String.valueOf(jobs.jobs() - jobs.finished()),
        seconds(jobs.meanWait()),
        seconds(jobs.p50Wait()),
        seconds(jobs.p90Wait()),
        seconds(jobs.p95Wait()),
        seconds(jobs.p99Wait()),
        seconds(jobs.maxWait()),
        Double.isNaN(jobs.meanBoundedSlowdown())
            ? ""
            : String.format(Locale.ROOT, "%.3f", jobs.meanBoundedSlowdown()),
        String.valueOf(jobs.preemptions()),
        String.valueOf(jobs.evictions()),
        seconds(jobs.lostWork())));
    if (hasPromises()) {
      PromiseCounts promises = jobs.promises();
      cells.addAll(List.of(
          String.valueOf(promises.made()),
          String.valueOf(promises.kept()),
          String.valueOf(promises.late()),
          String.valueOf(promises.moved()),
          String.valueOf(promises.withdrawn()),
          seconds(promises.maxDelay())));
    }
    cells.addAll(more);
    return JobsCsv.line(cells);
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toMillis() / 1000.0);
  }
}
