package io.kueue4j.examples.sweep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.simulation.JobSummary;
import java.time.Duration;

/** Summaries of simulated jobs in JSON; durations are in seconds. */
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
        .put("lostWork", seconds(jobs.lostWork()));
    json.putObject("wait")
        .put("mean", seconds(jobs.meanWait()))
        .put("p50", seconds(jobs.medianWait()))
        .put("p90", seconds(jobs.wait90()))
        .put("p95", seconds(jobs.wait95()))
        .put("p99", seconds(jobs.wait99()))
        .put("max", seconds(jobs.maxWait()));
    putFinite("meanSlowdown", jobs.meanSlowdown(), json);
    putFinite("meanBoundedSlowdown", jobs.meanBoundedSlowdown(), json);
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
