package io.kueue4j.examples.trace;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.Locale;

/**
 * What became of a trace.
 *
 * @param name the trace
 * @param ticks the number of tenths of a second until all had finished
 * @param cycles the number of scheduling cycles with something to try
 * @param admitted the number of admissions
 * @param preempted the number of preemptions
 * @param finished the number of workloads that have finished
 * @param waits how long workloads waited, by class
 * @param scheduleNanos the time spent in cycles
 * @param submitNanos the time spent submitting
 * @param finishNanos the time spent finishing and stopping
 */
public record TraceReport(
    String name,
    long ticks,
    long cycles,
    long admitted,
    long preempted,
    long finished,
    ImmutableList<Wait> waits,
    long scheduleNanos,
    long submitNanos,
    long finishNanos) {
  /**
   * How long workloads of a class waited.
   *
   * @param className the class
   * @param workloads how many there were
   * @param meanMillis the mean time from arrival to first admission of those that were admitted
   */
  public record Wait(String className, long workloads, double meanMillis) {}

  /** {@return what was decided, which is the same on every machine} */
  public String decisions() {
    return String.format(
        Locale.ROOT,
        "trace %s: workloads=%d ticks=%d cycles=%d admitted=%d preempted=%d finished=%d",
        name,
        waits.stream().mapToLong(Wait::workloads).sum(),
        ticks,
        cycles,
        admitted,
        preempted,
        finished);
  }

  /** {@return how long workloads of each class waited, which is the same on every machine} */
  public ImmutableList<String> classes() {
    return waits.stream()
        .map(wait -> String.format(
            Locale.ROOT,
            "class %s: n=%d avg_time_to_admission_ms=%.1f",
            wait.className,
            wait.workloads,
            wait.meanMillis))
        .collect(toImmutableList());
  }

  /** {@return the time spent in cycles, which depends on the machine} */
  public String scheduling() {
    return String.format(
        Locale.ROOT,
        "schedule_s=%.3f us_per_admission=%.2f",
        scheduleNanos / 1e9,
        scheduleNanos / 1e3 / Math.max(1, admitted));
  }

  /** {@return all times, which depend on the machine} */
  public String times() {
    return scheduling()
        + String.format(
            Locale.ROOT, " submit_s=%.3f finish_s=%.3f", submitNanos / 1e9, finishNanos / 1e9);
  }
}
