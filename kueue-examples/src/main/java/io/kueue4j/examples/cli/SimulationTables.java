package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.report.DurationText;
import io.kueue4j.examples.report.Utilisation;
import io.kueue4j.examples.report.Waiters;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the result of a simulation as tables: in total, by ClusterQueue and by user. */
final class SimulationTables {
  private static final int MAX_USERS = 20;

  private SimulationTables() {}

  /**
   * Prints a result.
   *
   * @param result the result
   * @param largePercent the percentage of a quota from which jobs are large
   * @param out where to print
   */
  static void print(SimulationResult result, int largePercent, Screen out) {
    lines(result, largePercent).forEach(out::println);
    out.println();
    TextTable queues = table("CLUSTERQUEUE", "UTILISATION");
    Map<String, String> utilisation = Utilisation.of(result);
    result
        .by(JobResult::clusterQueue)
        .forEach((name, jobs) ->
            queues.add(cells(name, jobs, utilisation.getOrDefault(name, TableReport.NONE))));
    String cluster = Utilisation.ofCluster(result).stream()
        .map(
            all -> all.resource() + " " + all + (all.wanted().isEmpty() ? "" : ", ") + all.wanted())
        .collect(Collectors.joining("; "));
    queues.add(cells("total", result.total(), cluster.isEmpty() ? TableReport.NONE : cluster));
    queues.print(out);
    List<Map.Entry<String, JobSummary>> users =
        Waiters.longestFirst(result.by(JobResult::user)).toList();
    if (users.isEmpty()) {
      return;
    }
    out.println();
    TextTable table = table("USER", "STARTED");
    users.stream()
        .limit(MAX_USERS)
        .forEach(user -> table.add(
            cells(user.getKey(), user.getValue(), String.valueOf(user.getValue().started()))));
    table.print(out);
    if (users.size() > MAX_USERS) {
      out.println("and " + (users.size() - MAX_USERS) + " more users with shorter waits");
    }
  }

  /** {@return what happened in one line} */
  static String summary(SimulationResult result) {
    JobSummary total = result.total();
    String end = switch (result.end()) {
      case COMPLETE -> "";
      case STUCK -> "; the others would never end";
      case TIME_LIMIT -> "; ended at the latest time";
      case CANCELLED -> "; interrupted";
    };
    return String.format(
        Locale.ROOT,
        "%,d of %,d jobs finished in %s, %,d admissions, %,d preemptions, %,d evictions%s",
        total.finished(),
        total.jobs(),
        DurationText.text(Duration.between(result.startTime(), result.endTime())),
        result.admissions(),
        result.preemptions(),
        result.evictions(),
        end);
  }

  /** {@return what happened, in total, to large jobs, and to promised starts} */
  static ImmutableList<String> lines(SimulationResult result, int largePercent) {
    return ImmutableList.<String>builder()
        .add(summary(result))
        .addAll(PromiseText.lines(result, largePercent))
        .build();
  }

  private static TextTable table(String name, String last) {
    return new TextTable(ImmutableList.of(
        name,
        "JOBS",
        "FINISHED",
        "WAIT P50",
        "P95",
        "MAX",
        "SLOWDOWN",
        "PREEMPTIONS",
        "LOST WORK",
        last));
  }

  private static ImmutableList<String> cells(String name, JobSummary jobs, String last) {
    return ImmutableList.of(
        name,
        String.valueOf(jobs.jobs()),
        String.valueOf(jobs.finished()),
        DurationText.text(jobs.p50Wait()),
        DurationText.text(jobs.p95Wait()),
        DurationText.text(jobs.maxWait()),
        slowdown(jobs),
        String.valueOf(jobs.preemptions()),
        DurationText.text(jobs.lostWork()),
        last);
  }

  /** {@return the mean bounded slowdown} */
  static String slowdown(JobSummary jobs) {
    return Double.isNaN(jobs.meanBoundedSlowdown())
        ? TableReport.NONE
        : String.format(Locale.ROOT, "%.2f", jobs.meanBoundedSlowdown());
  }
}
