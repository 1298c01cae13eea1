package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.JobSummary.PromiseCounts;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.report.DurationText;
import io.kueue4j.examples.report.LargeJobs;
import io.kueue4j.examples.report.Texts;
import java.util.Locale;
import java.util.function.Function;

/** What a simulation says of large jobs and of promised starts, in lines. */
final class PromiseText {
  private PromiseText() {}

  /**
   * {@return a line on the large jobs, from a percentage of a quota on, and one on promised starts}
   */
  static ImmutableList<String> lines(SimulationResult result, int percent) {
    JobSummary large = LargeJobs.of(result.configuration(), percent).summaryOf(result);
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    if (large.jobs() > 0) {
      lines.add(large(percent, large, large, result.total().jobs()));
    }
    PromiseCounts promises = result.total().promises();
    if (promises.made() > 0) {
      lines.add("promised starts: " + text(promises));
    }
    return lines.build();
  }

  /** {@return the same of two simulations, by the quotas of the first} */
  static ImmutableList<String> lines(Comparison comparison, int percent) {
    LargeJobs jobs = LargeJobs.of(comparison.base().configuration(), percent);
    JobSummary before = jobs.summaryOf(comparison.base());
    JobSummary after = jobs.summaryOf(comparison.other());
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    if (before.jobs() + after.jobs() > 0) {
      lines.add(large(percent, before, after, comparison.base().total().jobs()));
    }
    PromiseCounts base = comparison.base().total().promises();
    PromiseCounts other = comparison.other().total().promises();
    if (base.made() > 0) {
      lines.add("promised starts before: " + text(base));
    }
    if (other.made() > 0) {
      lines.add("promised starts after:  " + text(other));
    }
    return lines.build();
  }

  private static String large(int percent, JobSummary before, JobSummary after, int jobs) {
    return String.format(
        Locale.ROOT,
        "large jobs (%d %% of a quota or more): %s of %,d, mean wait %s, longest %s, slowdown %s",
        percent,
        change(before, after, large -> String.format(Locale.ROOT, "%,d", large.jobs())),
        jobs,
        change(before, after, large -> DurationText.text(large.meanWait())),
        change(before, after, large -> DurationText.text(large.maxWait())),
        change(before, after, SimulationTables::slowdown));
  }

  private static String change(
      JobSummary before, JobSummary after, Function<JobSummary, String> text) {
    return Texts.change(text.apply(before), text.apply(after));
  }

  private static String text(PromiseCounts promises) {
    String late = promises.late() == 0
        ? "none started later"
        : String.format(
            Locale.ROOT,
            "%,d started up to %s later",
            promises.late(),
            DurationText.text(promises.maxDelay()));
    return String.format(
        Locale.ROOT,
        "%,d jobs, %,d kept, %s; %,d moved to a later time, %,d withdrawn",
        promises.made(),
        promises.kept(),
        late,
        promises.moved(),
        promises.withdrawn());
  }
}
