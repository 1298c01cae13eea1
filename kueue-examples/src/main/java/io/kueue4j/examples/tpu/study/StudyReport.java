package io.kueue4j.examples.tpu.study;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import java.util.Locale;

/** The figures of studies as tables, with explanations. */
public final class StudyReport {
  /** The caveat about all figures. */
  public static final String CAVEAT =
      "Random jobs of one synthetic family, the same for each policy: Poisson arrivals stretched to the"
          + " exact load, log-normal durations (sigma "
          + StudyJob.SIGMA
          + "). Other jobs give other figures.";

  private StudyReport() {}

  /** {@return the heading of a table, in lines} */
  public static ImmutableList<String> heading(Study.Result result, ImmutableList<Long> seeds) {
    StudyScenario scenario = result.scenario();
    String load = scenario.window() > 0
        ? "always full, the first " + scenario.window() + " waiting are looked at"
        : "%.2f of all chips".formatted(scenario.loadPercent() / 100.0);
    return ImmutableList.of(
        "SCENARIO " + scenario.name() + ": " + scenario.description(),
        "load " + load + "; " + result.jobs() + " jobs for each of "
            + (seeds.size() == 1 ? "seed " : "seeds ") + Joiner.on(", ").join(seeds),
        "mix: " + scenario.mix());
  }

  /**
   * {@return a table, header first}
   *
   * @param result the result of a scenario
   * @param times whether to show times, which are not reproducible
   */
  public static ImmutableList<ImmutableList<String>> rows(Study.Result result, boolean times) {
    boolean backlog = result.scenario().window() > 0;
    boolean large = result.rows().stream().anyMatch(row -> row.mean().acceptedLargeChips() > 0);
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    ImmutableList.Builder<String> header = ImmutableList.builder();
    header.add("POLICY", "UTILISATION", "BY SEED");
    if (!backlog) {
      header.add("ACCEPTED", "CHIPS ACCEPTED");
    }
    if (large) {
      header.add("OF 4 CUBES OR MORE");
    }
    header.add("MOVES/JOB", "MOVED CHIPS");
    if (times) {
      header.add("US/FIT");
    }
    rows.add(header.build());
    for (Study.Row each : result.rows()) {
      StudyFigures mean = each.mean();
      ImmutableList.Builder<String> row = ImmutableList.builder();
      row.add(each.policy().name(), digits(3, mean.utilisation()));
      row.add(Joiner.on(' ')
          .join(each.bySeed().stream()
              .map(figures -> digits(3, figures.utilisation()))
              .toList()));
      if (!backlog) {
        row.add(digits(3, mean.accepted()), digits(3, mean.acceptedChips()));
      }
      if (large) {
        row.add(digits(3, mean.acceptedLargeChips()));
      }
      row.add(digits(3, mean.movesPerAdmission()), digits(3, mean.movedChipsShare()));
      if (times) {
        row.add(digits(1, mean.microsPerFit()));
      }
      rows.add(row.build());
    }
    return rows.build();
  }

  /** {@return descriptions of the policies of a study, a row for each} */
  public static ImmutableList<ImmutableList<String>> policies(Iterable<StudyScenario> scenarios) {
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    rows.add(ImmutableList.of("SCENARIO", "POLICY", "PLACES A SLICE AT"));
    for (StudyScenario scenario : scenarios) {
      for (StudyPolicy policy : scenario.policies()) {
        rows.add(ImmutableList.of(scenario.name(), policy.name(), policy.description()));
      }
    }
    return rows.build();
  }

  private static String digits(int places, double value) {
    return String.format(Locale.ROOT, "%." + places + "f", value);
  }
}
