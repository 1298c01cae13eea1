package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.bench.Cost;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The result of a trace.
 *
 * @param workloads the number of workloads
 * @param ticks the number of tenths of a second until all had finished
 * @param cycles the number of scheduling cycles with something to try
 * @param admitted the number of admissions
 * @param preempted the number of preemptions
 * @param finished the number of workloads that ran to their end
 * @param waits the waiting times of workloads, by size class
 * @param inCycles the cost of cycles
 * @param submitting the cost of submissions
 * @param finishing the cost of finishing and stopping
 */
public record TraceReport(
    long workloads,
    long ticks,
    long cycles,
    long admitted,
    long preempted,
    long finished,
    ImmutableList<Wait> waits,
    Cost inCycles,
    Cost submitting,
    Cost finishing) {

  /**
   * The waiting times of the workloads of a size class.
   *
   * @param sizeClass the class
   * @param count the number of its workloads
   * @param meanMillis the mean time from arrival to first admission
   */
  public record Wait(String sizeClass, long count, double meanMillis) {}

  /** {@return the decisions, which are the same on every machine} */
  public String decisions() {
    return String.format(
        Locale.ROOT,
        "workloads=%d ticks=%d cycles=%d admitted=%d preempted=%d finished=%d",
        workloads,
        ticks,
        cycles,
        admitted,
        preempted,
        finished);
  }

  /** {@return a line for each size class} */
  public String classes() {
    return waits.stream()
        .map(wait -> String.format(
            Locale.ROOT,
            "class %s: n=%d avg_time_to_admission_ms=%.1f",
            wait.sizeClass,
            wait.count,
            wait.meanMillis))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  /**
   * {@return a report of the same decisions with the lower costs of both}
   *
   * @throws IllegalArgumentException if other decisions were made
   */
  public TraceReport best(TraceReport other) {
    checkSameDecisions(other);
    return new TraceReport(
        workloads,
        ticks,
        cycles,
        admitted,
        preempted,
        finished,
        waits,
        inCycles.min(other.inCycles),
        submitting.min(other.submitting),
        finishing.min(other.finishing));
  }

  /**
   * Checks that another run of the trace made the same decisions.
   *
   * @throws IllegalArgumentException if other decisions were made
   */
  public void checkSameDecisions(TraceReport other) {
    if (!decisions().equals(other.decisions()) || !waits.equals(other.waits)) {
      throw new IllegalArgumentException("two runs of one trace were decided differently: "
          + decisions() + " and " + other.decisions());
    }
  }

  /** {@return the times, divided like Kueue's own figures} */
  public String times() {
    return String.format(
        Locale.ROOT,
        "schedule_s=%.3f us_per_admission=%.2f submit_s=%.3f finish_s=%.3f",
        inCycles.nanos() / 1e9,
        inCycles.nanos() / 1e3 / Math.max(1, admitted),
        submitting.nanos() / 1e9,
        finishing.nanos() / 1e9);
  }

  /** {@return {@link #times()}, with processor time and allocated memory} */
  public String costs() {
    return times()
        + String.format(
            Locale.ROOT,
            " cpu_us_per_admission=%.2f submit_cpu_s=%.3f finish_cpu_s=%.3f"
                + " allocated_bytes_per_admission=%d",
            inCycles.cpuNanos() / 1e3 / Math.max(1, admitted),
            submitting.cpuNanos() / 1e9,
            finishing.cpuNanos() / 1e9,
            inCycles.allocatedBytes() / Math.max(1, admitted));
  }
}
