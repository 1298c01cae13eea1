package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.CharMatcher;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Reason.QuotaFigures;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.monitoring.ViewTexts;
import io.kueue4j.examples.simulation.JobReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints why jobs are pending: the position, the reasons with amounts, and the changes that would
 * help. Jobs with the same reasons stand together.
 */
final class ExplanationReport {
  private static final int MAX_NAMES = 5;

  private ExplanationReport() {}

  /** Prints the jobs that are pending, in the order of the first of each reason. */
  static void print(Iterable<JobReport> jobs, Screen out) {
    Map<ImmutableList<String>, List<JobReport>> alike = new LinkedHashMap<>();
    for (JobReport job : jobs) {
      job.explanation()
          .ifPresent(explanation -> alike
              .computeIfAbsent(why(explanation), unused -> new ArrayList<>())
              .add(job));
    }
    alike.forEach((why, waiting) -> {
      out.println();
      print(Stream.concat(title(waiting).stream(), why.stream()), out);
    });
  }

  /** Prints one job, which need not be pending, with the codes of the reasons. */
  static void print(JobReport job, Screen out) {
    Optional<Explanation> waiting = job.explanation();
    print(
        Stream.of(
                Stream.of(standing(job) + waiting.map(ExplanationReport::codes).orElse("")),
                waiting.stream()
                    .flatMap(why -> title(ImmutableList.of(job)).stream().skip(1)),
                waiting
                    .map(ExplanationReport::why)
                    .orElseGet(() -> because(job.reasons()))
                    .stream())
            .flatMap(lines -> lines),
        out);
  }

  private static ImmutableList<String> because(List<String> reasons) {
    return reasons.stream().map(why -> "  because: " + why).collect(toImmutableList());
  }

  private static String codes(Explanation explanation) {
    return Stream.concat(
            explanation.cause().stream().map(PendingCause::toString),
            explanation.reasons().stream().map(reason -> reason.code().name()))
        .distinct()
        .collect(Collectors.joining(", ", ": ", ""));
  }

  private static String standing(JobReport job) {
    String name = job.job().name();
    return switch (job.status()) {
      case ADMITTED ->
        name + " is admitted by ClusterQueue " + job.clusterQueue().orElse("?") + " on "
            + TableReport.flavors(job);
      case FINISHED -> name + " has finished";
      case REJECTED -> name + " was rejected";
      case PENDING -> name + " is pending";
    };
  }

  /** Prints lines without control characters of names, which a terminal would obey. */
  private static void print(Stream<String> lines, Screen out) {
    lines.forEach(line -> out.printWrapped(CharMatcher.javaIsoControl().replaceFrom(line, '?')));
  }

  private static ImmutableList<String> title(List<JobReport> jobs) {
    JobReport first = jobs.get(0);
    boolean isAlone = jobs.size() == 1;
    String names = Joiner.on(", ")
        .join(jobs.stream().limit(MAX_NAMES).map(job -> job.job().name()).iterator());
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add(
        isAlone
            ? names + " is pending"
            : names
                + (jobs.size() > MAX_NAMES ? " and " + (jobs.size() - MAX_NAMES) + " more" : "")
                + " are pending");
    Explanation explanation = first.explanation().orElseThrow();
    explanation
        .positionInClusterQueue()
        .ifPresent(before -> lines.add((isAlone ? "  before it: " : "  before the first: ") + before
            + " in ClusterQueue " + first.clusterQueue().orElse("?") + ", "
            + explanation.positionInLocalQueue().orElse(0) + " in LocalQueue "
            + first.job().workload().queueName()
            + (explanation.isNextToTry() ? "; the next cycle tries it" : "")));
    return lines.build();
  }

  private static ImmutableList<String> why(Explanation explanation) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    explanation
        .preempted()
        .ifPresent(condition -> lines.add("  preempted for: "
            + explanation.preemptedBy().map(PreemptedBy::toString).orElse("?") + " ("
            + condition.reason() + ")"));
    explanation.reasons().forEach(reason -> addReason(reason, lines));
    explanation
        .promise()
        .ifPresent(promise ->
            lines.add("  starts at the latest: " + promise.start() + ViewTexts.basis(promise)));
    List<Remedy> remedies = explanation.remedies();
    for (int i = 0; i < remedies.size(); i++) {
      lines.add(
          (i == 0 ? "  would be admitted if: " : "  or if: ") + remedies.get(i).message());
    }
    return lines.build();
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
