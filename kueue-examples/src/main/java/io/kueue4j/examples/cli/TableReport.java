package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.Event;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.PhaseDifference;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Prints phases as tables: the jobs, the places of their pods, the preemptions, then the
 * ClusterQueues; if wide, also why each pending job waits.
 */
public final class TableReport {
  static final String NONE = "<none>";

  private final boolean wide;

  private TableReport(boolean wide) {
    this.wide = wide;
  }

  /**
   * Prints phases.
   *
   * @param phases the phases; if there are several, each has a heading
   * @param wide whether to print more columns, and explanations
   * @param out receives the tables
   */
  public static void print(List<Phase> phases, boolean wide, PrintWriter out) {
    print(phases, wide, Screen.plain(out));
  }

  /** Prints phases on a screen. */
  static void print(List<Phase> phases, boolean wide, Screen out) {
    TableReport report = new TableReport(wide);
    for (int i = 0; i < phases.size(); i++) {
      if (phases.size() > 1) {
        out.println((i == 0 ? "" : System.lineSeparator())
            + out.heading("PHASE " + (i + 1) + ": " + phases.get(i).title()));
      }
      report.print(phases.get(i), out);
    }
  }

  private void print(Phase phase, Screen out) {
    if (phase.jobs().isEmpty()) {
      out.println("No jobs.");
    } else {
      TextTable jobs = new TextTable(columns(
          ImmutableList.of("NAME", "NAMESPACE", "QUEUE", "CLUSTERQUEUE", "STATUS", "FLAVORS"),
          ImmutableList.of("WORKLOAD", "PODS", "PRIORITY"),
          "REASON"));
      phase.jobs().forEach(job -> jobs.add(cells(job)));
      jobs.print(out);
    }
    PlacesReport.print(phase, wide, out);
    printPreemptions(phase, out);
    out.println();
    printQueues(phase.clusterQueues(), wide, out);
    if (wide) {
      ExplanationReport.print(phase.jobs(), out);
    }
  }

  /** Prints which jobs were stopped since the previous phase, in that order, if any were. */
  private static void printPreemptions(Phase phase, Screen out) {
    TextTable table = new TextTable(ImmutableList.of("PREEMPTED", "NAMESPACE", "BY", "REASON"));
    boolean any = false;
    for (Event event : phase.events()) {
      if (event.type() == Event.Type.PREEMPTED) {
        table.add(ImmutableList.of(
            event.job().name(), event.job().namespace(), phase.jobOf(event.by()), event.reason()));
        any = true;
      }
    }
    if (any) {
      out.println();
      table.print(out);
    }
  }

  /** Prints ClusterQueues, and why some are inactive. */
  static void printQueues(List<ClusterQueueView> clusterQueues, boolean wide, Screen out) {
    if (clusterQueues.isEmpty()) {
      out.println("No ClusterQueues.");
      return;
    }
    TableReport report = new TableReport(wide);
    TextTable queues = new TextTable(report.columns(
        ImmutableList.of("NAME", "COHORT", "PENDING WORKLOADS", "ADMITTED WORKLOADS"),
        ImmutableList.of("STRATEGY", "ACTIVE"),
        "USAGE"));
    clusterQueues.forEach(queue -> queues.add(report.cells(queue)));
    queues.print(out);
    clusterQueues.stream()
        .flatMap(queue -> queue.inactivity().stream())
        .forEach(why -> out.println("Inactive: " + why));
  }

  private ImmutableList<String> cells(JobReport report) {
    return columns(
        ImmutableList.of(
            report.job().name(),
            report.job().namespace(),
            report.job().workload().queueName(),
            report.clusterQueue().orElse(NONE),
            report.status().toString(),
            flavors(report)),
        ImmutableList.of(
            report.job().workload().name(),
            report.podSets().stream()
                .map(podSet -> podSet.name() + "=" + podSet.count())
                .collect(Collectors.joining(",")),
            String.valueOf(report.job().workload().priority())),
        Joiner.on("; ").join(report.reasons()));
  }

  private ImmutableList<String> cells(ClusterQueueView queue) {
    return columns(
        ImmutableList.of(
            queue.name(),
            queue.spec().cohort().orElse(NONE),
            String.valueOf(queue.waitingCount()),
            String.valueOf(PhaseDifference.admitted(queue))),
        ImmutableList.of(
            queue.spec().queueingStrategy().toString(), queue.isActive() ? "True" : "False"),
        usage(queue));
  }

  private ImmutableList<String> columns(
      ImmutableList<String> always, ImmutableList<String> ifWide, String last) {
    return ImmutableList.<String>builder()
        .addAll(always)
        .addAll(wide ? ifWide : ImmutableList.of())
        .add(last)
        .build();
  }

  static String flavors(JobReport report) {
    Set<String> flavors = new LinkedHashSet<>();
    for (PodSetAssignment podSet : report.podSets()) {
      flavors.addAll(podSet.flavors().values());
    }
    return flavors.isEmpty() ? NONE : Joiner.on(",").join(flavors);
  }

  /** {@return the usage of the nominal quota, by flavor} */
  static String usage(ClusterQueueView queue) {
    ImmutableListMultimap<String, QuotaUsage> byFlavor =
        Multimaps.index(queue.usage(), QuotaUsage::flavor);
    return byFlavor.asMap().entrySet().stream()
        .map(flavor -> flavor.getKey() + ": "
            + flavor.getValue().stream().map(TableReport::usage).collect(Collectors.joining(", ")))
        .collect(Collectors.joining("; "));
  }

  private static String usage(QuotaUsage usage) {
    return usage.resource() + " " + amounts(usage);
  }

  /** {@return the usage of the nominal quota} */
  static String amounts(QuotaUsage usage) {
    return Quantity.format(usage.resource(), usage.used()) + "/"
        + Quantity.format(usage.resource(), usage.nominal());
  }
}
