package io.kueue4j.examples.monitoring;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.examples.monitoring.MonitorView.WaitState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads the content of the page from an engine. */
final class EngineReading {
  private final EngineView view;
  private final Instant time;
  private final Function<? super Workload, JobName> names;

  /** A pending workload and the ClusterQueue that it waits in. */
  private record Entry(WaitingWorkload waiting, String clusterQueue) {}

  EngineReading(EngineView view, Instant time, Function<? super Workload, JobName> names) {
    this.view = view;
    this.time = time;
    this.names = names;
  }

  MonitorView read() {
    Lending lending = Lending.of(view);
    return new MonitorView(
        time,
        view.clusterQueues().stream()
            .map(queue -> queue(queue, lending))
            .collect(toImmutableList()),
        view.cohorts().stream().map(this::cohort).collect(toImmutableList()),
        waiting(),
        view.clusterQueues().stream()
            .flatMap(queue -> queue.holders().stream())
            .map(this::running)
            .collect(toImmutableList()),
        ImmutableList.of(),
        ImmutableSortedMap.of());
  }

  private static MonitorView.Queue queue(ClusterQueueView queue, Lending lending) {
    return new MonitorView.Queue(
        queue.name(),
        queue.spec().cohort(),
        queue.spec().queueingStrategy().toString(),
        queue.inactivity(),
        queue.waitingCount(),
        queue.isActive() ? queue.inadmissibleCount() : queue.waitingCount(),
        queue.holders().size(),
        lending.lines(queue));
  }

  private MonitorView.Cohort cohort(CohortView cohort) {
    return new MonitorView.Cohort(
        cohort.name(),
        cohort.parent(),
        cohort.clusterQueues(),
        cohort.usage().stream()
            .map(usage -> new MonitorView.CohortQuota(usage, Lending.borrowed(view, cohort, usage)))
            .collect(toImmutableList()));
  }

  private ImmutableList<MonitorView.Waiting> waiting() {
    List<Entry> entries = new ArrayList<>();
    for (ClusterQueueView queue : view.clusterQueues()) {
      queue.waiting().stream()
          .sorted(Comparator.comparing(waiting -> !isTried(waiting, queue)))
          .forEach(waiting -> entries.add(new Entry(waiting, queue.name())));
    }
    // Explanations are of the same moment as the rest, even if the engine changes meanwhile.
    List<Explanation> explanations = view.whatIf(InstantSource.fixed(time))
        .explainAll(
            Lists.transform(entries, entry -> entry.waiting.workload().id()),
            explanation -> explanation);
    ImmutableList.Builder<MonitorView.Waiting> waiting = ImmutableList.builder();
    for (int i = 0; i < entries.size(); i++) {
      waiting.add(waiting(entries.get(i), explanations.get(i)));
    }
    return waiting.build();
  }

  private static boolean isTried(WaitingWorkload waiting, ClusterQueueView queue) {
    return waiting.isActive() && queue.isActive();
  }

  private MonitorView.Waiting waiting(Entry entry, Explanation explanation) {
    WaitingWorkload waiting = entry.waiting;
    Workload workload = waiting.workload();
    boolean isTried = view.clusterQueue(entry.clusterQueue)
        .filter(queue -> isTried(waiting, queue))
        .isPresent();
    return new MonitorView.Waiting(
        name(workload, explanation.workload()),
        Optional.of(workload.id()),
        workload.queueName(),
        entry.clusterQueue,
        OptionalInt.of(waiting.positionInClusterQueue()),
        isTried ? WaitState.PENDING : WaitState.INADMISSIBLE,
        waiting.priority(),
        workload.creationTime(),
        workload.totalRequests(),
        explanation.promise(),
        Optional.of(explanation),
        ImmutableList.of());
  }

  /** {@return the name of the job; a variant has the flavor behind it} */
  private JobName name(Workload workload, WorkloadId explained) {
    if (workload.name().equals(explained.name())) {
      return names.apply(workload);
    }
    JobName job =
        names.apply(Workload.builder().from(workload).name(explained.name()).build());
    String variant = workload.name().startsWith(explained.name())
        ? workload.name().substring(explained.name().length())
        : "";
    return new JobName(job.kind(), job.namespace(), job.name() + variant);
  }

  private MonitorView.Running running(HoldingWorkload holding) {
    MonitorView.State admitted =
        holding.isAdmitted() ? MonitorView.State.ADMITTED : MonitorView.State.RESERVING;
    return new MonitorView.Running(
        names.apply(holding.workload()),
        holding.workload().id(),
        holding.workload().queueName(),
        holding.admission().clusterQueue(),
        holding.isStopping() ? MonitorView.State.STOPPING : admitted,
        priority(holding.workload()),
        holding.admission().quotaReservedTime(),
        holding.held());
  }

  private int priority(Workload workload) {
    return workload
        .priorityClass()
        .flatMap(name -> view.configuration(WorkloadPriorityClass.class, name))
        .map(WorkloadPriorityClass::value)
        .orElse(workload.priority());
  }
}
