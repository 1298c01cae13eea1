package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The jobs of an estimation by number, the same in all samples: first the workloads that hold
 * quota, then those that wait, then those that may arrive, as often as the horizon requires.
 */
final class EstimationJobs {
  /** As many arrivals are simulated at most. */
  private static final int MOST_ARRIVALS = 20_000;

  private final Instant now;
  private final Map<WorkloadId, HoldingWorkload> holders = new LinkedHashMap<>();
  private final List<HoldingWorkload> allHolders = new ArrayList<>();
  private final List<SimulationJob> jobs = new ArrayList<>();
  private final int firstArrival;
  private final ImmutableList<SimulationJob> submissions;
  private final long[] arrivalOffsets;
  private final long period;
  private final Trace trace;
  private final StartState start;

  EstimationJobs(
      EngineView view,
      AdmissionEngine study,
      Instant now,
      ImmutableSet<WorkloadId> asked,
      ImmutableList<SimulationJob> arrivals,
      Duration horizon,
      QueueRelations relations,
      Predicate<String> isRelevant) {
    this.now = now;
    Map<WorkloadId, Workload> waiting = new LinkedHashMap<>();
    for (ClusterQueueView queue : view.clusterQueues()) {
      allHolders.addAll(queue.holders());
      for (HoldingWorkload holder : queue.holders()) {
        if (isRelevant.test(queue.name())) {
          holders.put(VariantNames.submitted(holder.workload().id()), holder);
        }
      }
      for (WaitingWorkload each : queue.waiting()) {
        WorkloadId id = VariantNames.submitted(each.workload().id());
        if (!waiting.containsKey(id)) {
          study.workload(id).ifPresent(workload -> waiting.put(id, workload));
        }
      }
    }
    // Some are in no queue, because theirs does not exist.
    asked.forEach(id -> study.workload(id).ifPresent(workload -> waiting.put(id, workload)));
    holders.forEach((id, holder) -> {
      waiting.remove(id);
      add(study.workload(id).orElseGet(holder::workload));
    });
    int firstWaiting = jobs.size();
    waiting.values().forEach(this::add);
    this.firstArrival = jobs.size();
    this.submissions = arrivals.stream()
        .filter(job -> relations.clusterQueue(Trace.localQueue(job.workload())) != null)
        .collect(ImmutableList.toImmutableList());
    this.period = findPeriod();
    this.arrivalOffsets = addArrivals(horizon);
    this.trace = new Trace(ImmutableList.copyOf(jobs));
    ImmutableList.Builder<Integer> numbers = ImmutableList.builder();
    for (int job = firstWaiting; job < firstArrival; job++) {
      numbers.add(job);
    }
    this.start = new StartState(ImmutableList.copyOf(holders.values()), numbers.build());
  }

  private void add(Workload workload) {
    jobs.add(SimulationJob.of(workload, now, Duration.ZERO));
  }

  /** {@return the time after which submissions repeat: as if one more followed the last one} */
  private long findPeriod() {
    if (submissions.size() < 2) {
      return 0;
    }
    long span = Trace.millis(
        Duration.between(
            submissions.get(0).submitTime(),
            submissions.get(submissions.size() - 1).submitTime()),
        "the time between the first and the last arrival");
    return span + span / (submissions.size() - 1);
  }

  private long[] addArrivals(Duration horizon) {
    if (period <= 0) {
      return new long[0];
    }
    long[] offsets = new long[submissions.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = Trace.millis(
          Duration.between(submissions.get(0).submitTime(), submissions.get(i).submitTime()),
          "the time between two arrivals");
    }
    long times = Trace.millis(horizon, "the horizon") / period + 1;
    int copies = (int) Math.max(1, Math.min(times, MOST_ARRIVALS / offsets.length));
    String prefix = freePrefix();
    for (int copy = 0; copy < copies; copy++) {
      for (int i = 0; i < offsets.length; i++) {
        Workload workload = submissions.get(i).workload();
        add(Workload.builder()
            .from(workload)
            .name(prefix + copy + "-" + i)
            .creationTime(Optional.empty())
            .build());
      }
    }
    return offsets;
  }

  /** {@return what names of arrivals begin with, which no other name does} */
  private String freePrefix() {
    String prefix = "arrival-";
    while (startsAny(prefix)) {
      prefix = "next-" + prefix;
    }
    return prefix;
  }

  private boolean startsAny(String prefix) {
    return jobs.stream().anyMatch(job -> job.id().name().startsWith(prefix));
  }

  Trace trace() {
    return trace;
  }

  StartState start() {
    return start;
  }

  /** {@return the workload whose durations a job has: its own, or the one that it repeats} */
  Workload workload(int job) {
    return job < firstArrival
        ? jobs.get(job).workload()
        : submissions.get((job - firstArrival) % submissions.size()).workload();
  }

  /** {@return the number of jobs that are known at the start; the others arrive} */
  int knownCount() {
    return firstArrival;
  }

  /** {@return the number of arrivals of one period} */
  int arrivalsOfPeriod() {
    return arrivalOffsets.length;
  }

  /** {@return the length of a period of arrivals, in milliseconds; 0 if there are none} */
  long period() {
    return period;
  }

  /** {@return when an arrival of the first period comes, in milliseconds from its begin} */
  long offset(int arrival) {
    return arrivalOffsets[arrival];
  }

  /** {@return the workload that holds quota with that id, if there is one} */
  Optional<HoldingWorkload> holder(WorkloadId id) {
    return Optional.ofNullable(holders.get(id));
  }

  /** {@return all workloads that hold quota, also those that are none of the jobs} */
  List<HoldingWorkload> allHolders() {
    return allHolders;
  }
}
