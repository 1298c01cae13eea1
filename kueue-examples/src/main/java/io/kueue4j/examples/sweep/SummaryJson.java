package io.kueue4j.examples.sweep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.JobSummary.PromiseCounts;
import java.time.Duration;

/** Summaries of simulated jobs in JSON. */
public final class SummaryJson {
  private SummaryJson() {}

  /** Adds the figures of a summary to an object; those that are no numbers are null. */
  public static void write(JobSummary jobs, ObjectNode json) {
    json.put("jobs", jobs.jobs())
        .put("started", jobs.started())
        .put("finished", jobs.finished())
        .put("unfinished", jobs.jobs() - jobs.finished())
        .put("preemptions", jobs.preemptions())
        .put("evictions", jobs.evictions())
        .put("lostWorkSeconds", seconds(jobs.lostWork()));
    json.putObject("waitSeconds")
        .put("mean", seconds(jobs.meanWait()))
        .put("p50", seconds(jobs.p50Wait()))
        .put("p90", seconds(jobs.p90Wait()))
        .put("p95", seconds(jobs.p95Wait()))
        .put("p99", seconds(jobs.p99Wait()))
        .put("max", seconds(jobs.maxWait()));
    putFinite("meanSlowdown", jobs.meanSlowdown(), json);
    putFinite("meanBoundedSlowdown", jobs.meanBoundedSlowdown(), json);
    PromiseCounts promises = jobs.promises();
    if (promises.made() > 0) {
      json.putObject("promises")
          .put("made", promises.made())
          .put("kept", promises.kept())
          .put("late", promises.late())
          .put("moved", promises.moved())
          .put("withdrawn", promises.withdrawn())
          .put("maxDelaySeconds", seconds(promises.maxDelay()));
    }
  }

  private static void putFinite(String name, double value, ObjectNode json) {
    if (Double.isFinite(value)) {
      json.put(name, value);
    } else {
      json.putNull(name);
    }
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
