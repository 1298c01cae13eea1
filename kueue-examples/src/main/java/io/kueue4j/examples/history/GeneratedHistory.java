package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.trace.ArrivalTrace;
import java.util.Optional;

/** Histories of the jobs that a configuration of Kueue's scheduling performance tests describes. */
final class GeneratedHistory {
  /** Kueue's runner creates the first workloads in the tick after its start. */
  private static final long TICK_MILLIS = 100;

  private GeneratedHistory() {}

  /** {@return the history; the classes of workloads count as users} */
  static History of(String source, ArrivalTrace trace, int limit) {
    ImmutableList<HistoryJob> jobs = trace.arrivals().stream()
        .limit(limit)
        .map(GeneratedHistory::job)
        .collect(toImmutableList());
    return new History(
        source,
        History.UNKNOWN_START,
        jobs,
        History.Machine.of(trace.configuration()),
        new SkippedLines());
  }

  private static HistoryJob job(ArrivalTrace.Arrival arrival) {
    return new HistoryJob(
        arrival.workload().name(),
        Times.of(TICK_MILLIS + arrival.atMillis(), arrival.runMillis()),
        new Labels(
            arrival.sizeClass(),
            "",
            arrival.workload().namespace() + "/" + arrival.workload().queueName(),
            ""),
        arrival.workload().podSets(),
        arrival.workload().priority(),
        ImmutableList.of(),
        Optional.empty(),
        arrival.workload().creationTime());
  }
}
