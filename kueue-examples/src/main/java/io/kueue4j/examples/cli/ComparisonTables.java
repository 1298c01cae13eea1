package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.Comparison.SummaryPair;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.examples.report.DurationText;
import io.kueue4j.examples.report.Texts;
import io.kueue4j.examples.report.Utilisation;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Prints a comparison of two simulations as tables: by ClusterQueue and by user. A cell with two
 * values has the one before and the one after the change.
 */
final class ComparisonTables {
  private static final int MAX_USERS = 20;

  private ComparisonTables() {}

  static void print(Comparison comparison, int largePercent, Screen out) {
    lines(comparison, largePercent).forEach(out::println);
    out.printWrapped(comparison
        .firstDivergence()
        .map(first -> "first difference: " + Texts.difference(first))
        .orElse("The change makes no difference."));
    out.println();
    queues(comparison).print(out);
    List<Map.Entry<String, SummaryPair>> users = comparison.by(JobResult::user).entrySet().stream()
        .sorted(Map.Entry.<String, SummaryPair>comparingByValue(
                Comparator.comparing(ComparisonTables::difference)
                    .thenComparing(pair -> pair.other().meanWait()))
            .reversed()
            .thenComparing(Map.Entry::getKey))
        .toList();
    if (users.isEmpty()) {
      return;
    }
    out.println();
    TextTable table = table("USER");
    users.stream()
        .limit(MAX_USERS)
        .forEach(user -> table.add(cells(user.getKey(), user.getValue())));
    table.print(out);
    if (users.size() > MAX_USERS) {
      out.println("and " + (users.size() - MAX_USERS) + " more users with smaller differences");
    }
  }

  private static TextTable queues(Comparison comparison) {
    TextTable queues = table("CLUSTERQUEUE", "UTILISATION");
    Map<String, String> utilisation = Utilisation.of(comparison);
    comparison
        .by(JobResult::clusterQueue)
        .forEach((name, pair) ->
            queues.add(cells(name, pair, utilisation.getOrDefault(name, TableReport.NONE))));
    String cluster = Utilisation.ofCluster(comparison).stream()
        .map(Utilisation.Change::toString)
        .collect(Collectors.joining("; "));
    queues.add(cells("total", comparison.total(), cluster.isEmpty() ? TableReport.NONE : cluster));
    return queues;
  }

  /** {@return what happened before and after, in total, to large jobs, and to promised starts} */
  static ImmutableList<String> lines(Comparison comparison, int largePercent) {
    return ImmutableList.<String>builder()
        .add("before: " + SimulationTables.summary(comparison.base()))
        .add("after:  " + SimulationTables.summary(comparison.other()))
        .addAll(PromiseText.lines(comparison, largePercent))
        .build();
  }

  /** {@return by how much the mean wait of a group differs} */
  private static Duration difference(SummaryPair pair) {
    return pair.other().meanWait().minus(pair.base().meanWait()).abs();
  }

  private static TextTable table(String name, String... more) {
    return new TextTable(ImmutableList.<String>builder()
        .add(
            name,
            "JOBS",
            "FINISHED",
            "MEAN WAIT",
            "P50",
            "P95",
            "MAX",
            "SLOWDOWN",
            "PREEMPTIONS",
            "LOST WORK")
        .add(more)
        .build());
  }

  private static ImmutableList<String> cells(String name, SummaryPair pair, String... more) {
    return ImmutableList.<String>builder()
        .add(
            name,
            both(pair, jobs -> String.valueOf(jobs.jobs())),
            both(pair, jobs -> String.valueOf(jobs.finished())),
            both(pair, jobs -> DurationText.text(jobs.meanWait())),
            both(pair, jobs -> DurationText.text(jobs.p50Wait())),
            both(pair, jobs -> DurationText.text(jobs.p95Wait())),
            both(pair, jobs -> DurationText.text(jobs.maxWait())),
            both(pair, SimulationTables::slowdown),
            both(pair, jobs -> String.valueOf(jobs.preemptions())),
            both(pair, jobs -> DurationText.text(jobs.lostWork())))
        .add(more)
        .build();
  }

  private static String both(SummaryPair pair, Function<JobSummary, String> value) {
    return Texts.change(value.apply(pair.base()), value.apply(pair.other()));
  }
}
