package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.History;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints the jobs of simulations as CSV (RFC 4180). Times are in seconds since the start of the
 * history; what does not apply is empty; a text that a spreadsheet would take for a formula follows
 * an apostrophe.
 */
final class JobsCsv {
  private static final CharMatcher SPECIAL = CharMatcher.anyOf(",\"\r\n");

  /** What begins a formula of a spreadsheet. */
  private static final CharMatcher FORMULA = CharMatcher.anyOf("=+-@\t\r");

  private static final ImmutableList<String> JOB =
      ImmutableList.of("job", "user", "group", "local_queue");
  private static final ImmutableList<String> START = ImmutableList.of(
      "cluster_queue",
      "flavor",
      "outcome",
      "submit_seconds",
      "start_seconds",
      "end_seconds",
      "wait_seconds");
  private static final ImmutableList<String> STOPS = ImmutableList.of(
      "starts", "preemptions", "evictions", "lost_work_seconds", "bounded_slowdown");
  private static final ImmutableList<String> PROMISE =
      ImmutableList.of("promised_start_seconds", "promise_moves", "promise_withdrawals");
  private static final String DURATION = "duration_seconds";

  private final StringBuilder line = new StringBuilder();
  private final Instant start;
  private final boolean promises;

  private JobsCsv(Instant start, boolean promises) {
    this.start = start;
    this.promises = promises;
  }

  private static boolean makesPromises(SimulationResult result) {
    return result.total().promises().made() > 0;
  }

  /** Prints the jobs of a simulation. */
  static void print(SimulationResult result, History history, PrintWriter out) {
    JobsCsv csv = new JobsCsv(history.start(), makesPromises(result));
    out.print(csv.texts("", JOB)
        .texts("", START)
        .text(DURATION)
        .texts("", csv.stops())
        .end());
    for (JobResult job : result.jobs()) {
      out.print(
          csv.job(job.job()).start(job).seconds(job.job().duration()).stops(job).end());
    }
  }

  /** Prints the jobs of two simulations, with the results of both in each line. */
  static void print(Comparison comparison, History history, PrintWriter out) {
    boolean promises = makesPromises(comparison.base()) || makesPromises(comparison.other());
    JobsCsv csv = new JobsCsv(history.start(), promises);
    csv.texts("", JOB).text(DURATION);
    for (String prefix : ImmutableList.of("before_", "after_")) {
      csv.texts(prefix, START).texts(prefix, csv.stops());
    }
    out.print(csv.end());
    for (Comparison.JobPair pair : comparison.jobs()) {
      csv.job(pair.base().job()).seconds(pair.base().job().duration());
      csv.start(pair.base()).stops(pair.base()).start(pair.other()).stops(pair.other());
      out.print(csv.end());
    }
  }

  /** {@return a line with these cells} */
  static String line(Iterable<String> cells) {
    JobsCsv csv = new JobsCsv(Instant.EPOCH, false);
    cells.forEach(csv::text);
    return csv.end();
  }

  private String end() {
    line.setCharAt(line.length() - 1, '\n');
    String ended = line.toString();
    line.setLength(0);
    return ended;
  }

  @CanIgnoreReturnValue
  private JobsCsv texts(String prefix, ImmutableList<String> names) {
    names.forEach(name -> text(prefix + name));
    return this;
  }

  @CanIgnoreReturnValue
  private JobsCsv job(SimulationJob job) {
    return text(job.workload().name())
        .text(job.user().orElse(""))
        .text(job.group().orElse(""))
        .text(job.workload().namespace() + "/" + job.workload().queueName());
  }

  @CanIgnoreReturnValue
  private JobsCsv start(JobResult result) {
    return text(result.clusterQueue().orElse(""))
        .text(result.flavor().orElse(""))
        .text(result.outcome().toString())
        .time(result.submitted())
        .time(result.started())
        .time(result.ended())
        .seconds(result.waited());
  }

  /** {@return the columns on stops, and on promises if there are any} */
  private ImmutableList<String> stops() {
    return promises
        ? ImmutableList.<String>builder().addAll(STOPS).addAll(PROMISE).build()
        : STOPS;
  }

  @CanIgnoreReturnValue
  private JobsCsv stops(JobResult result) {
    JobsCsv csv = text(String.valueOf(result.starts()))
        .text(String.valueOf(result.preemptions()))
        .text(String.valueOf(result.evictions()))
        .seconds(result.lostWork())
        .text(
            Double.isNaN(result.boundedSlowdown())
                ? ""
                : String.format(Locale.ROOT, "%.3f", result.boundedSlowdown()));
    return promises
        ? csv.time(result.promisedStart())
            .text(String.valueOf(result.promiseMoves()))
            .text(String.valueOf(result.promiseWithdrawals()))
        : csv;
  }

  private static boolean isFormula(String value) {
    return !value.isEmpty() && FORMULA.matches(value.charAt(0)) && Doubles.tryParse(value) == null;
  }

  @CanIgnoreReturnValue
  private JobsCsv text(String value) {
    String cell = isFormula(value) ? "'" + value : value;
    if (SPECIAL.matchesNoneOf(cell)) {
      line.append(cell);
    } else {
      line.append('"').append(cell.replace("\"", "\"\"")).append('"');
    }
    line.append(',');
    return this;
  }

  @CanIgnoreReturnValue
  private JobsCsv time(Optional<Instant> time) {
    return time.isPresent() ? seconds(Duration.between(start, time.get())) : text("");
  }

  @CanIgnoreReturnValue
  private JobsCsv seconds(Duration duration) {
    long millis = duration.toMillis();
    line.append(millis / 1000);
    if (millis % 1000 != 0) {
      line.append('.');
      String fraction = String.valueOf(1000 + millis % 1000);
      line.append(fraction, 1, fraction.length());
    }
    line.append(',');
    return this;
  }
}
