package io.kueue4j.examples.monitoring;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.HoldingWorkload;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.decision.QuotaUsage;
import io.kueue4j.core.decision.WaitingWorkload;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the page shows: queues, cohorts, and workloads that run or wait, at one moment. Immutable.
 *
 * @param time the moment
 * @param queues the ClusterQueues, by name
 * @param cohorts the cohorts, by name
 * @param waiting the first of the workloads that wait, queue by queue in the order of service
 * @param otherWaitingCount how many more wait
 * @param running the first of the workloads that hold quota, queue by queue, oldest first
 * @param otherRunningCount how many more hold quota
 * @param warnings what whoever runs this must know, first of all
 */
public record MonitorView(
    Instant time,
    ImmutableList<Queue> queues,
    ImmutableList<CohortView> cohorts,
    ImmutableList<Waiting> waiting,
    int otherWaitingCount,
    ImmutableList<Running> running,
    int otherRunningCount,
    ImmutableList<String> warnings) {
  /** The number of workloads of each sort that are shown unless said otherwise. */
  public static final int DEFAULT_LIMIT = 200;

  /**
   * A ClusterQueue.
   *
   * @param name the name
   * @param cohort the cohort that it belongs to
   * @param strategy the queueing strategy
   * @param inactivity why it does not take part, absent if it does
   * @param pendingCount how many workloads the coming cycles try, none if it is inactive
   * @param inadmissibleCount how many workloads wait for something to change
   * @param runningCount how many workloads hold quota
   * @param usage quota and usage
   */
  public record Queue(
      String name,
      Optional<String> cohort,
      String strategy,
      Optional<String> inactivity,
      int pendingCount,
      int inadmissibleCount,
      int runningCount,
      ImmutableList<QuotaUsage> usage) {}

  /**
   * A workload that waits.
   *
   * @param workload the workload
   * @param clusterQueue the ClusterQueue that it waits in
   * @param position how many stand before it
   * @param isActive whether it is tried when its turn has come
   * @param requests what all its pods request, by resource
   * @param reasons what it waits for
   */
  public record Waiting(
      Workload workload,
      String clusterQueue,
      int position,
      boolean isActive,
      ImmutableSortedMap<String, Long> requests,
      ImmutableList<String> reasons) {
    /** {@return a workload that somebody keeps out of the queue, and why} */
    public static Waiting delayed(Workload workload, String clusterQueue, String reason) {
      return new Waiting(
          workload, clusterQueue, 0, false, workload.totalRequests(), ImmutableList.of(reason));
    }
  }

  /**
   * A workload that holds quota.
   *
   * @param workload the workload
   * @param clusterQueue the ClusterQueue whose quota it holds
   * @param state how far it is
   * @param since when it was given its quota
   * @param quota what it is charged
   */
  public record Running(
      Workload workload,
      String clusterQueue,
      State state,
      Instant since,
      ImmutableList<HeldQuota> quota) {}

  /** How far a workload is that holds quota. */
  public enum State {
    /** It waits for admission checks, or for a place for its pods. */
    RESERVING("Quota reserved"),
    /** It may run. */
    ADMITTED("Admitted"),
    /** It was told to stop. */
    STOPPING("Stopping");

    private final String text;

    State(String text) {
      this.text = text;
    }

    /** {@return the state for people} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** {@return an engine as it was, with up to {@link #DEFAULT_LIMIT} workloads of each sort} */
  public static MonitorView of(EngineView view, Instant time) {
    return of(view, time, DEFAULT_LIMIT);
  }

  /**
   * {@return an engine as it was}
   *
   * @param view the engine
   * @param time when that was
   * @param limit how many workloads of each sort are shown
   */
  public static MonitorView of(EngineView view, Instant time, int limit) {
    // Explanations are of the same moment as the rest, whatever the engine does meanwhile.
    AdmissionEngine study = view.whatIf(InstantSource.fixed(time));
    int waiting =
        view.clusterQueues().stream().mapToInt(ClusterQueueView::waitingCount).sum();
    int running =
        view.clusterQueues().stream().mapToInt(queue -> queue.holders().size()).sum();
    return new MonitorView(
        time,
        view.clusterQueues().stream().map(MonitorView::queue).collect(toImmutableList()),
        view.cohorts().asList(),
        view.clusterQueues().stream()
            .flatMap(queue -> inOrder(queue).map(each -> waiting(each.workload(), queue, study)))
            .limit(limit)
            .collect(toImmutableList()),
        Math.max(0, waiting - limit),
        view.clusterQueues().stream()
            .flatMap(queue -> queue.holders().stream())
            .limit(limit)
            .map(MonitorView::running)
            .collect(toImmutableList()),
        Math.max(0, running - limit),
        ImmutableList.of());
  }

  /** {@return the same with workloads that are kept out of the queues, after those that wait} */
  public MonitorView withDelayed(ImmutableList<Waiting> delayed) {
    return new MonitorView(
        time,
        queues,
        cohorts,
        ImmutableList.<Waiting>builder().addAll(waiting).addAll(delayed).build(),
        otherWaitingCount,
        running,
        otherRunningCount,
        warnings);
  }

  /** {@return the same with these warnings} */
  public MonitorView withWarnings(Iterable<String> newWarnings) {
    return new MonitorView(
        time,
        queues,
        cohorts,
        waiting,
        otherWaitingCount,
        running,
        otherRunningCount,
        ImmutableList.copyOf(newWarnings));
  }

  private static Queue queue(ClusterQueueView queue) {
    return new Queue(
        queue.name(),
        queue.spec().cohort(),
        queue.spec().queueingStrategy().toString(),
        queue.inactivity(),
        queue.isActive() ? queue.pendingCount() : 0,
        queue.isActive() ? queue.inadmissibleCount() : queue.waitingCount(),
        queue.holders().size(),
        queue.usage());
  }

  private static Stream<WaitingWorkload> inOrder(ClusterQueueView queue) {
    return queue.waiting().stream().sorted(Comparator.comparing(waiting -> !waiting.isActive()));
  }

  private static Waiting waiting(Workload workload, ClusterQueueView queue, AdmissionEngine study) {
    Explanation explanation = study.explain(workload.id());
    return new Waiting(
        workload,
        queue.name(),
        explanation.positionInClusterQueue().orElse(0),
        explanation.isActive(),
        workload.totalRequests(),
        explanation.reasons().stream().map(Reason::message).collect(toImmutableList()));
  }

  private static Running running(HoldingWorkload holding) {
    State admitted = holding.isAdmitted() ? State.ADMITTED : State.RESERVING;
    return new Running(
        holding.workload(),
        holding.admission().clusterQueue(),
        holding.isToldToStop() ? State.STOPPING : admitted,
        holding.admission().quotaReservedTime(),
        holding.held());
  }
}
