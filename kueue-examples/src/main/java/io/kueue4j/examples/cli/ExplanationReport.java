package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.PreemptedBy;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.QuotaFigures;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.JobReport;

/**
 * Prints why a job is pending: its position, the reasons with amounts, and the changes that would
 * help.
 */
final class ExplanationReport {
  private ExplanationReport() {}

  static void print(JobReport job, Explanation explanation, Screen out) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add("", job.job().name() + " is pending");
    explanation
        .positionInClusterQueue()
        .ifPresent(before -> lines.add("  before it: " + before + " in ClusterQueue "
            + job.clusterQueue().orElse("?") + ", "
            + explanation.positionInLocalQueue().orElse(0) + " in LocalQueue "
            + job.job().workload().queueName()
            + (explanation.isNextToTry() ? "; the next cycle tries it" : "")));
    explanation
        .preempted()
        .ifPresent(condition -> lines.add("  preempted for: "
            + explanation.preemptedBy().map(PreemptedBy::toString).orElse("?") + " ("
            + condition.reason() + ")"));
    explanation.reasons().forEach(reason -> addReason(reason, lines));
    ImmutableList<Remedy> remedies = explanation.remedies();
    for (int i = 0; i < remedies.size(); i++) {
      lines.add(
          (i == 0 ? "  would be admitted if: " : "  or if: ") + remedies.get(i).message());
    }
    // Remove control characters of names, which a terminal would obey.
    lines
        .build()
        .forEach(line -> out.printWrapped(CharMatcher.javaIsoControl().replaceFrom(line, '?')));
  }

  private static void addReason(Reason reason, ImmutableList.Builder<String> lines) {
    lines.add("  because: " + reason.message());
    reason.figures().ifPresent(figures -> {
      String resource = reason.resource().orElse("");
      lines.add("    requested " + Quantity.format(resource, figures.requested()) + ", available "
          + Quantity.format(resource, figures.available()) + ", nominal quota "
          + Quantity.format(resource, figures.nominal()) + ", used "
          + Quantity.format(resource, figures.used()));
      lines.add("    limited by the " + figures.limit().message(resource));
      if (!figures.holders().isEmpty()) {
        lines.add("    held by " + holders(figures, resource));
      }
    });
  }

  private static String holders(QuotaFigures figures, String resource) {
    String named = Joiner.on(", ")
        .join(figures.holders().stream().map(holder -> holder.message(resource)).iterator());
    return figures.otherHolderCount() == 0
        ? named
        : named + " and " + figures.otherHolderCount() + " more";
  }
}
