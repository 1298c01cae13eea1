package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.History;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints the jobs of a simulation as CSV (RFC 4180). Times are in seconds since the start of the
 * history; what does not apply is empty.
 */
final class JobsCsv {
  private static final CharMatcher SPECIAL = CharMatcher.anyOf(",\"\r\n");
  private static final String HEADER = "job,user,group,local_queue,cluster_queue,flavor,outcome,"
      + "submit,start,end,wait,duration,starts,preemptions,evictions,lost_work,bounded_slowdown";

  private final StringBuilder line = new StringBuilder();
  private final Instant start;

  private JobsCsv(Instant start) {
    this.start = start;
  }

  static void print(SimulationResult result, History history, PrintWriter out) {
    out.print(HEADER + "\n");
    JobsCsv csv = new JobsCsv(history.start());
    for (JobResult job : result.jobs()) {
      out.print(csv.line(job));
    }
  }

  /** {@return a line with these cells} */
  static String line(Iterable<String> cells) {
    JobsCsv csv = new JobsCsv(Instant.EPOCH);
    cells.forEach(csv::text);
    return csv.end();
  }

  private String end() {
    line.setCharAt(line.length() - 1, '\n');
    return line.toString();
  }

  private String line(JobResult result) {
    line.setLength(0);
    text(result.job().workload().name())
        .text(result.job().user().orElse(""))
        .text(result.job().group().orElse(""))
        .text(
            result.job().workload().namespace() + "/" + result.job().workload().queueName())
        .text(result.clusterQueue().orElse(""))
        .text(result.flavor().orElse(""))
        .text(result.outcome().toString())
        .time(result.submitted())
        .time(result.started())
        .time(result.ended())
        .seconds(result.waited())
        .seconds(result.job().duration())
        .text(String.valueOf(result.starts()))
        .text(String.valueOf(result.preemptions()))
        .text(String.valueOf(result.evictions()))
        .seconds(result.lostWork())
        .text(
            Double.isNaN(result.boundedSlowdown())
                ? ""
                : String.format(Locale.ROOT, "%.3f", result.boundedSlowdown()));
    return end();
  }

  @CanIgnoreReturnValue
  private JobsCsv text(String value) {
    if (SPECIAL.matchesNoneOf(value)) {
      line.append(value);
    } else {
      line.append('"').append(value.replace("\"", "\"\"")).append('"');
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
