package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Sets;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.PhaseDifference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Prints differences as tables: the jobs, then the ClusterQueues. */
final class DifferenceReport {
  private DifferenceReport() {}

  /**
   * Prints a difference.
   *
   * @param cause the change that causes the difference
   * @param difference the difference
   * @param out receives the tables
   */
  static void print(String cause, PhaseDifference difference, Screen out) {
    out.println();
    out.println(out.heading("WHAT IF " + cause + ":"));
    if (difference.isEmpty()) {
      out.println("Nothing would differ.");
      return;
    }
    if (difference.jobs().isEmpty()) {
      out.println("No job would start or stop.");
    } else {
      TextTable jobs = new TextTable(
          ImmutableList.of("NAME", "NAMESPACE", "QUEUE", "STATUS", "FLAVORS", "REASON"));
      difference.jobs().forEach(job -> jobs.add(cells(job)));
      jobs.print(out);
    }
    if (!difference.clusterQueues().isEmpty()) {
      out.println();
      TextTable queues = new TextTable(
          ImmutableList.of("NAME", "PENDING WORKLOADS", "ADMITTED WORKLOADS", "USAGE"));
      difference.clusterQueues().forEach(queue -> queues.add(cells(queue)));
      queues.print(out);
    }
  }

  private static ImmutableList<String> cells(PhaseDifference.JobChange change) {
    JobReport job = change.after();
    return ImmutableList.of(
        job.job().name(),
        job.job().namespace(),
        job.job().workload().queueName(),
        change(change.before().status().toString(), job.status().toString()),
        change(flavors(change.before()), flavors(job)),
        Joiner.on("; ").join(change.reasons()));
  }

  /** {@return the assigned flavors of the job} */
  private static String flavors(JobReport report) {
    return report.status() == JobStatus.ADMITTED ? TableReport.flavors(report) : TableReport.NONE;
  }

  private static ImmutableList<String> cells(PhaseDifference.QueueChange change) {
    return ImmutableList.of(
        change.name(),
        change(change, queue -> String.valueOf(queue.waitingCount())),
        change(change, queue -> String.valueOf(PhaseDifference.admitted(queue))),
        usage(change));
  }

  /** {@return the usage of nominal quotas: that which differs, or all if nothing differs} */
  private static String usage(PhaseDifference.QueueChange change) {
    Map<String, String> before = usage(change.before());
    Map<String, String> after = usage(change.after());
    String changes = Sets.union(before.keySet(), after.keySet()).stream()
        .filter(pair -> !Objects.equals(before.get(pair), after.get(pair)))
        .map(pair -> pair + " "
            + change(
                before.getOrDefault(pair, TableReport.NONE),
                after.getOrDefault(pair, TableReport.NONE)))
        .collect(Collectors.joining("; "));
    return changes.isEmpty() ? text(change.after(), TableReport::usage) : changes;
  }

  /** {@return the usage of the nominal quota, by flavor and resource} */
  private static Map<String, String> usage(Optional<ClusterQueueView> queue) {
    Map<String, String> usages = new LinkedHashMap<>();
    queue.ifPresent(view -> view.usage()
        .forEach(usage ->
            usages.put(usage.flavor() + ": " + usage.resource(), TableReport.amounts(usage))));
    return usages;
  }

  private static String change(
      PhaseDifference.QueueChange change, Function<ClusterQueueView, String> look) {
    return change(text(change.before(), look), text(change.after(), look));
  }

  private static String text(
      Optional<ClusterQueueView> queue, Function<ClusterQueueView, String> look) {
    return queue.map(look).orElse(TableReport.NONE);
  }

  private static String change(String before, String after) {
    return before.equals(after) ? after : before + " -> " + after;
  }
}
