package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.history.HistoryPlan;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import java.io.PrintWriter;

/** Prints what was left out of histories. */
final class HistoryNotes {
  private HistoryNotes() {}

  /** Prints which jobs will not start because no queue has quota for what they request. */
  static void print(HistoryPlan plan, Settings settings, PrintWriter err) {
    withoutQuota(plan, settings, "", "--resource").forEach(err::println);
  }

  /**
   * {@return a warning for each resource that jobs request and no queue has quota for, so that
   * these jobs never start}
   *
   * @param plan the jobs and their configuration
   * @param settings the settings of the engine
   * @param where the start of the warnings, which names the plan if there are several
   * @param option what names the resource that a processor stands for
   */
  static ImmutableList<String> withoutQuota(
      HistoryPlan plan, Settings settings, String where, String option) {
    if (settings.quotaCheckStrategy() != Settings.QuotaCheckStrategy.BLOCK_UNDECLARED) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<String> warnings = ImmutableList.builder();
    plan.withoutQuota()
        .forEach((resource, jobs) -> warnings.add("warning: " + where
            + "no ClusterQueue has quota for " + resource + ", which " + jobs
            + (jobs == 1 ? " job requests" : " jobs request")
            + ", so that they never start; add quota, or name what a processor of the Standard"
            + " Workload Format stands for by " + option));
    return warnings.build();
  }

  /**
   * Prints what is left out of a history.
   *
   * @throws InputException with the bad lines, if they count as errors and there are any
   */
  static void print(History history, InputFile file, boolean strict, PrintWriter err) {
    ImmutableList<String> bad = history.lines().badMessages();
    if (strict && !bad.isEmpty()) {
      throw new InputException(Joiner.on('\n')
          .join(bad.stream().map(message -> file + ": " + message).iterator()));
    }
    bad.forEach(message -> err.println("warning: " + file + ": " + message + "; left out"));
    history.lines().warnings().forEach(message -> err.println("warning: " + file + ": " + message));
    history
        .lines()
        .leftOutMessages()
        .forEach(message -> err.println("note: " + file + ": " + message + "; left out"));
  }
}
