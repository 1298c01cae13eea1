package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.SimulationResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * What the engine says at points in time of a simulation, which is repeated once for all of them:
 * why some jobs waited, and the weighted shares of ClusterQueues.
 */
final class EngineStates {
  /** How often the engine is asked why a job waits, at equal distances. */
  static final int ASKED = 5;

  private static final int MAX_GROUPS = 3;

  private final Intervals windows;
  private final ImmutableListMultimap<Instant, WorkloadId> questions;
  private final Map<WorkloadId, List<Answer>> answers = new HashMap<>();
  private final SortedMap<String, double[]> shares = new TreeMap<>();

  /** The reasons at one time. */
  private record Answer(ImmutableList<ReasonCode> codes, String text) {}

  private EngineStates(Intervals windows, ImmutableListMultimap<Instant, WorkloadId> questions) {
    this.windows = windows;
    this.questions = questions;
  }

  /**
   * {@return what the engine says}
   *
   * @param result the simulation
   * @param windows the intervals at whose begin shares are read
   * @param jobs the jobs to ask about
   * @param progress receives how much of the simulation has been repeated, from 0 to 1
   */
  static EngineStates of(
      SimulationResult result,
      Intervals windows,
      Collection<JobResult> jobs,
      DoubleConsumer progress) {
    ImmutableListMultimap.Builder<Instant, WorkloadId> questions = ImmutableListMultimap.builder();
    for (JobResult job : jobs) {
      job.submitted()
          .ifPresent(submitted -> IntStream.range(0, ASKED)
              .mapToObj(
                  i -> submitted.plus(job.waited().multipliedBy(2L * i + 1).dividedBy(2L * ASKED)))
              .forEach(time -> questions.put(time, job.job().id())));
    }
    EngineStates states = new EngineStates(windows, questions.build());
    Set<Instant> times = new TreeSet<>(states.questions.keySet());
    IntStream.range(0, windows.count())
        .mapToObj(i -> Instant.ofEpochMilli(windows.time(i)))
        .filter(time -> !time.isAfter(result.endTime()))
        .forEach(times::add);
    double whole =
        Math.max(1, Duration.between(result.startTime(), result.endTime()).toMillis());
    result.forEachViewAt(times, (time, view) -> {
      states.read(time, view);
      progress.accept(Duration.between(result.startTime(), time).toMillis() / whole);
    });
    return states;
  }

  private void read(Instant time, EngineView view) {
    int window = IntStream.range(0, windows.count())
        .filter(i -> windows.time(i) == time.toEpochMilli())
        .findFirst()
        .orElse(-1);
    if (window >= 0) {
      for (ClusterQueueView queue : view.clusterQueues()) {
        // A queue that borrows with weight 0 has an infinite share.
        double share = queue.weightedShare() == Long.MAX_VALUE ? Double.NaN : queue.weightedShare();
        shares.computeIfAbsent(queue.name(), unused -> new double[windows.count()])[window] = share;
      }
    }
    if (questions.containsKey(time)) {
      AdmissionEngine engine = view.whatIf();
      questions.get(time).forEach(job -> ask(engine, job));
    }
  }

  private void ask(AdmissionEngine engine, WorkloadId job) {
    if (engine.workload(job).isEmpty() || engine.admission(job).isPresent()) {
      return;
    }
    Explanation why = engine.explain(job);
    StringBuilder text = new StringBuilder();
    why.positionInClusterQueue().stream()
        .filter(before -> before > 0)
        .forEach(before -> text.append(before).append(" before it in the queue; "));
    text.append(String.join("; ", why.reasons().stream().map(Reason::message).toList()));
    answers
        .computeIfAbsent(job, unused -> new ArrayList<>())
        .add(new Answer(
            why.reasons().stream().map(Reason::code).distinct().collect(toImmutableList()),
            text.toString()));
  }

  /**
   * {@return why a job waited: the kinds of reasons that the engine gave, the most frequent first,
   * each with how often it was given and the last text}
   */
  ImmutableList<String> reasons(WorkloadId job) {
    List<Answer> given = answers.getOrDefault(job, List.of());
    Multiset<ImmutableList<ReasonCode>> counts = LinkedHashMultiset.create();
    Map<ImmutableList<ReasonCode>, String> texts = new HashMap<>();
    for (Answer answer : given) {
      counts.add(answer.codes);
      texts.put(answer.codes, answer.text);
    }
    return Multisets.copyHighestCountFirst(counts).entrySet().stream()
        .limit(MAX_GROUPS)
        .map(codes -> codes.getCount() + " of " + given.size() + " times: "
            + texts.getOrDefault(codes.getElement(), ""))
        .collect(toImmutableList());
  }

  /**
   * {@return the weighted share of each ClusterQueue at the start of each interval, in thousandths
   * of what its cohort could lend}
   */
  SortedMap<String, double[]> shares() {
    return shares;
  }
}
