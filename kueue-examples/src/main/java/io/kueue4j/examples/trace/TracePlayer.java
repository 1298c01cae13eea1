package io.kueue4j.examples.trace;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.Simulation.Observer;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.bench.Stopwatch;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.trace.ArrivalTrace.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Simulates a trace with a scheduler that polls, as Kueue's own runner does, and measures it: every
 * tenth of a second due workloads finish, arrived ones are submitted, and one cycle runs if any
 * workload is pending. A preempted workload stops at once and starts again later. The trace ends
 * when all have finished, or the remaining ones will never fit.
 */
public final class TracePlayer {
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Instant START = Instant.parse("2026-02-01T00:00:00Z");

  private TracePlayer() {}

  /**
   * {@return the result of {@code trace} with the time of decisions}
   *
   * @throws InputException if a queue or a workload violates rules
   */
  public static TraceReport play(ArrivalTrace trace) {
    return play(trace, finished -> {});
  }

  /**
   * {@return the result of {@code trace} with the time of decisions}
   *
   * @param progress receives the number of finished workloads again and again
   * @throws InputException if a queue or a workload violates rules
   */
  public static TraceReport play(ArrivalTrace trace, LongConsumer progress) {
    Simulation simulation = simulation(trace);
    Stopwatches stopwatches = new Stopwatches(progress);
    SimulationResult result = simulation.run(stopwatches);
    Multiset<String> arrived = LinkedHashMultiset.create();
    Map<String, LongSummaryStatistics> waits = new HashMap<>();
    long finished = 0;
    for (int i = 0; i < trace.arrivals().size(); i++) {
      JobResult job = result.jobs().get(i);
      job.rejection().ifPresent(reasons -> {
        throw new InputException("workload " + job.job().id() + " is refused: " + reasons);
      });
      String sizeClass = trace.arrivals().get(i).sizeClass();
      arrived.add(sizeClass);
      finished += job.outcome() == Outcome.FINISHED ? 1 : 0;
      if (job.started().isPresent()) {
        waits
            .computeIfAbsent(sizeClass, unused -> new LongSummaryStatistics())
            .accept(job.waited().toMillis());
      }
    }
    return new TraceReport(
        trace.arrivals().size(),
        Duration.between(START, result.endTime()).dividedBy(TICK),
        result.cycles(),
        result.admissions(),
        result.preemptions(),
        finished,
        arrived.elementSet().stream()
            .map(name -> new TraceReport.Wait(
                name,
                arrived.count(name),
                waits.getOrDefault(name, new LongSummaryStatistics()).getAverage()))
            .collect(toImmutableList()),
        stopwatches.cycles.total(),
        stopwatches.submissions.total(),
        stopwatches.reports.total());
  }

  /** {@return the simulation of a trace, in which the first tick comes after the first tenth} */
  private static Simulation simulation(ArrivalTrace trace) {
    try {
      return Simulation.builder()
          .configuration(trace.configuration())
          .trace(trace.arrivals().stream().map(TracePlayer::job).toList())
          .start(START)
          .cycleInterval(TICK)
          .build();
    } catch (InvalidConfigurationException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static SimulationJob job(Arrival arrival) {
    return SimulationJob.of(
        arrival.workload(),
        START.plus(TICK).plusMillis(arrival.atMillis()),
        Duration.ofMillis(arrival.runMillis()));
  }

  /** Measures the calls of the engine. */
  private static final class Stopwatches implements Observer {
    final Stopwatch cycles = new Stopwatch();
    final Stopwatch submissions = new Stopwatch();
    final Stopwatch reports = new Stopwatch();
    private final LongConsumer progress;
    private Phase running = Phase.DONE;

    Stopwatches(LongConsumer progress) {
      this.progress = progress;
    }

    @Override
    public boolean proceed(Status status) {
      progress.accept(status.endedJobs());
      return true;
    }

    @Override
    public void enter(Phase phase) {
      switch (running) {
        case CYCLES -> cycles.stop();
        case SUBMISSIONS -> submissions.stop();
        case REPORTS -> reports.stop();
        case DONE -> {}
      }
      running = phase;
      switch (phase) {
        case CYCLES -> cycles.start();
        case SUBMISSIONS -> submissions.start();
        case REPORTS -> reports.start();
        case DONE -> {}
      }
    }
  }
}
