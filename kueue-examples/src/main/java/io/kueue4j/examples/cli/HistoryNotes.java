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
    if (settings.quotaCheckStrategy() == Settings.QuotaCheckStrategy.BLOCK_UNDECLARED) {
      plan.withoutQuota()
          .forEach((resource, jobs) -> err.println("warning: no ClusterQueue has quota for "
              + resource + ", which " + jobs + (jobs == 1 ? " job requests" : " jobs request")
              + ", so that they never start; add quota, or name what a processor of the Standard"
              + " Workload Format stands for by --resource"));
    }
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
    history
        .lines()
        .ignoredMessages()
        .forEach(message -> err.println("warning: " + file + ": " + message + "; ignored"));
    history
        .lines()
        .leftOutMessages()
        .forEach(message -> err.println("note: " + file + ": " + message + "; left out"));
  }
}
