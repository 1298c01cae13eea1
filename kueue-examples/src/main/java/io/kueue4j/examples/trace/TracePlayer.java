package io.kueue4j.examples.trace;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.bench.Stopwatch;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.trace.Trace.Arrival;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays a trace: every tenth of a second due workloads finish, arrived ones are submitted, and one
 * cycle runs if any workload is pending. A preempted workload stops at once and starts again later.
 * The trace ends when all have finished, or the remaining ones will never fit.
 */
public final class TracePlayer {
  private static final long TICK_MILLIS = 100;
  private static final Instant START = Instant.parse("2026-02-01T00:00:00Z");

  private final Trace trace;
  private final Map<WorkloadId, Arrival> arrivals = new HashMap<>();
  private final Map<WorkloadId, Long> firstAdmitted = new HashMap<>();
  private final Map<WorkloadId, Long> endOf = new HashMap<>();
  private final TreeMap<Long, TreeSet<WorkloadId>> endsAt = new TreeMap<>();
  private long nowMillis;
  private long ticks;
  private long cycles;
  private long admitted;
  private long preempted;
  private long finished;
  private final Stopwatch inCycles = new Stopwatch();
  private final Stopwatch submitting = new Stopwatch();
  private final Stopwatch finishing = new Stopwatch();

  private TracePlayer(Trace trace) {
    this.trace = trace;
    trace.arrivals().forEach(arrival -> arrivals.put(arrival.workload().id(), arrival));
  }

  /**
   * {@return the result of {@code trace} with the time of decisions}
   *
   * @throws InputException if a queue or a workload violates rules
   */
  public static TraceReport play(Trace trace) {
    return play(trace, finished -> {});
  }

  /**
   * {@return the result of {@code trace} with the time of decisions}
   *
   * @param progress receives the number of finished workloads again and again
   * @throws InputException if a queue or a workload violates rules
   */
  public static TraceReport play(Trace trace, LongConsumer progress) {
    return new TracePlayer(trace).play(progress);
  }

  private TraceReport play(LongConsumer progress) {
    InstantSource clock = () -> START.plusMillis(nowMillis + TICK_MILLIS);
    AdmissionEngine engine = AdmissionEngine.builder().clock(clock).build();
    apply(engine);
    Iterator<Arrival> coming = trace.arrivals().iterator();
    Arrival next = coming.hasNext() ? coming.next() : null;
    for (; finished < trace.arrivals().size(); nowMillis += TICK_MILLIS) {
      ticks++;
      progress.accept(finished);
      finishing.start();
      finished += finishDue(engine);
      finishing.stop();
      submitting.start();
      while (next != null && next.atMillis() <= nowMillis) {
        submit(engine, next.workload());
        next = coming.hasNext() ? coming.next() : null;
      }
      submitting.stop();
      inCycles.start();
      Decisions result = engine.runCycle();
      inCycles.stop();
      finishing.start();
      note(result, engine);
      finishing.stop();
      if (next == null && endOf.isEmpty() && result.isEmpty()) {
        // The remaining workloads will never fit.
        break;
      }
      if (result.isEmpty()) {
        skipIdleTicks(next);
      }
    }
    return report();
  }

  /** Skips the ticks before the next arrival or end, in which all cycles would be idle. */
  private void skipIdleTicks(@Nullable Arrival next) {
    long arrival = next == null ? Long.MAX_VALUE : next.atMillis();
    long end = endsAt.isEmpty() ? Long.MAX_VALUE : endsAt.firstKey();
    long idle = (Math.min(arrival, end) - 1 - nowMillis) / TICK_MILLIS;
    if (idle > 0) {
      ticks += idle;
      nowMillis += idle * TICK_MILLIS;
    }
  }

  private void apply(AdmissionEngine engine) {
    try {
      engine.apply(trace.configuration());
    } catch (InvalidConfigurationException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void submit(AdmissionEngine engine, Workload workload) {
    AdmissionResult result = engine.submit(workload);
    if (result instanceof AdmissionResult.Rejected rejected) {
      throw new InputException(
          "workload " + workload.id() + " is refused: " + Joiner.on("; ").join(rejected.reasons()));
    }
  }

  private int finishDue(AdmissionEngine engine) {
    Map<Long, TreeSet<WorkloadId>> due = endsAt.headMap(nowMillis, true);
    TreeSet<WorkloadId> workloads = new TreeSet<>();
    due.values().forEach(workloads::addAll);
    due.clear();
    for (WorkloadId workload : workloads) {
      engine.finish(workload);
      endOf.remove(workload);
    }
    return workloads.size();
  }

  private void note(Decisions result, AdmissionEngine engine) {
    if (!result.isEmpty()) {
      cycles++;
    }
    for (Admission admission : result.admitted()) {
      WorkloadId workload = admission.workload();
      admitted++;
      firstAdmitted.putIfAbsent(workload, nowMillis);
      long end = nowMillis + arrival(workload).runMillis();
      endOf.put(workload, end);
      endsAt.computeIfAbsent(end, unused -> new TreeSet<>()).add(workload);
    }
    List<WorkloadId> stopped =
        result.preempted().stream().map(PreemptionVictim::workload).sorted().toList();
    for (WorkloadId workload : stopped) {
      preempted++;
      Long end = endOf.remove(workload);
      if (end != null) {
        endsAt.getOrDefault(end, new TreeSet<>()).remove(workload);
      }
      engine.podsStopped(workload);
    }
  }

  private Arrival arrival(WorkloadId workload) {
    Arrival arrival = arrivals.get(workload);
    if (arrival == null) {
      throw new IllegalStateException("workload " + workload + " is not of the trace");
    }
    return arrival;
  }

  private TraceReport report() {
    Multiset<String> arrived = LinkedHashMultiset.create();
    Map<String, LongSummaryStatistics> waits = new HashMap<>();
    for (Arrival arrival : trace.arrivals()) {
      arrived.add(arrival.sizeClass());
      Long admittedAt = firstAdmitted.get(arrival.workload().id());
      if (admittedAt != null) {
        waits
            .computeIfAbsent(arrival.sizeClass(), unused -> new LongSummaryStatistics())
            .accept(admittedAt - arrival.atMillis());
      }
    }
    return new TraceReport(
        trace.arrivals().size(),
        ticks,
        cycles,
        admitted,
        preempted,
        finished,
        arrived.elementSet().stream()
            .map(name -> new TraceReport.Wait(
                name,
                arrived.count(name),
                waits.getOrDefault(name, new LongSummaryStatistics()).getAverage()))
            .collect(toImmutableList()),
        inCycles.total(),
        submitting.total(),
        finishing.total());
  }
}
