package io.kueue4j.examples.trace;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What became of a trace.
 *
 * @param workloads the number of workloads
 * @param ticks the number of tenths of a second until all had finished
 * @param cycles the number of scheduling cycles with something to try
 * @param admitted the number of admissions
 * @param preempted the number of preemptions
 * @param meanWaitMillis the mean time from arrival to first admission, by size class
 * @param cycleNanos the time spent in cycles
 * @param submitNanos the time spent submitting
 * @param finishNanos the time spent finishing and stopping
 */
public record TraceReport(
    long workloads,
    long ticks,
    long cycles,
    long admitted,
    long preempted,
    Map<String, Double> meanWaitMillis,
    long cycleNanos,
    long submitNanos,
    long finishNanos) {

  /** {@return the decisions, which are the same on every machine} */
  public String decisions() {
    String waits = meanWaitMillis.entrySet().stream()
        .map(entry -> String.format(Locale.ROOT, "%s %.1f", entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "workloads=%d ticks=%d cycles=%d admitted=%d preempted=%d mean wait ms: %s",
        workloads,
        ticks,
        cycles,
        admitted,
        preempted,
        waits);
  }

  /** {@return the times, which are not} */
  public String times() {
    return String.format(
        Locale.ROOT,
        "cycles %.1f ms (%.2f us per admission), submitting %.1f ms, finishing %.1f ms",
        cycleNanos / 1e6,
        cycleNanos / 1e3 / Math.max(1, admitted),
        submitNanos / 1e6,
        finishNanos / 1e6);
  }
}
