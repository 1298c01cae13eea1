package io.kueue4j.examples.cli;

import io.kueue4j.core.lint.LoopReport;
import io.kueue4j.core.lint.LoopSearch.Bounds;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.Manifests;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of the search for loops of preemptions. */
final class LoopOptions {
  @Option(
      names = "--loops",
      description = "Also search for jobs that preempt each other for ever: small worlds of up to"
          + " three ClusterQueues that may preempt each other's jobs are played in all orders.")
  private boolean loops;

  @Option(
      names = "--loop-jobs",
      paramLabel = "NUMBER",
      description = "The most jobs in a world, up to 10; 5 unless set.")
  private Optional<Integer> jobs = Optional.empty();

  @Option(
      names = "--loop-states",
      paramLabel = "NUMBER",
      description = "How many states are searched in all worlds; 500,000 unless set, which take"
          + " about half a minute.")
  private Optional<Long> states = Optional.empty();

  @Option(
      names = "--loop-arrivals",
      description = "Jobs also arrive while preempted ones have not stopped yet.")
  private boolean arrivalsAnyTime;

  @Option(
      names = "--loop-scenarios",
      paramLabel = "FOLDER",
      description = "Write each loop into this folder as a scenario that the command test plays,"
          + " with the configuration that it was found in.")
  private Optional<Path> scenarios = Optional.empty();

  LoopOptions() {}

  /**
   * {@return what is searched, absent if loops are not}
   *
   * @throws InputException if the options contradict each other
   */
  Optional<Bounds> bounds() {
    if (!loops) {
      if (jobs.isPresent() || states.isPresent() || arrivalsAnyTime || scenarios.isPresent()) {
        throw new InputException(
            "--loop-jobs, --loop-states, --loop-arrivals and --loop-scenarios need --loops");
      }
      return Optional.empty();
    }
    try {
      return Optional.of(new Bounds(
          jobs.orElse(Bounds.DEFAULT.workloads()),
          states.orElse(Bounds.DEFAULT.states()),
          arrivalsAnyTime));
    } catch (IllegalArgumentException e) {
      throw new InputException("--loop-jobs and --loop-states: " + e.getMessage(), e);
    }
  }

  /** Creates the folder that is written into, so that a long search is not in vain. */
  void createFolder() {
    scenarios.ifPresent(LoopScenarios::createFolder);
  }

  /** Writes what was found in manifests, if that was asked for. */
  void write(LoopReport report, Manifests manifests, PrintWriter out) {
    scenarios.ifPresent(folder -> LoopScenarios.write(report, manifests, folder, out));
  }

  /** {@return what was searched, for people} */
  static String text(LoopReport report) {
    LoopReport.Coverage coverage = report.coverage();
    return "loops: " + report.loops().size() + " in " + coverage.states() + " states of "
        + coverage.groups() + " groups of ClusterQueues; all worlds of up to "
        + coverage.workloads() + " jobs"
        + (coverage.groupsCutShort() == 0
            ? ""
            : ", and a part of larger ones in " + coverage.groupsCutShort() + " groups")
        + (coverage.allGroups() ? "" : "; there are more groups");
  }
}
