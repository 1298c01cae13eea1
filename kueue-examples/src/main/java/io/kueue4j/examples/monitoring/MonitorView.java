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
 * The content of the page: queues, cohorts, and running and pending workloads, at one moment.
 * Immutable.
 *
 * @param time the moment
 * @param queues the ClusterQueues, by name
 * @param cohorts the cohorts, by name
 * @param waiting the first pending workloads, by queue in the order of service
 * @param otherWaitingCount the number of other pending workloads
 * @param running the first workloads with quota, by queue, oldest first
 * @param otherRunningCount the number of other workloads with quota
 * @param warnings warnings for the operator, shown first
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
  /** The default maximum number of workloads of each list. */
  public static final int DEFAULT_LIMIT = 200;

  /**
   * A ClusterQueue.
   *
   * @param name the name
   * @param cohort the cohort that it belongs to
   * @param strategy the queueing strategy
   * @param inactivity why it is inactive, empty if it is active
   * @param pendingCount the number of workloads that the next cycles try, 0 if it is inactive
   * @param inadmissibleCount the number of workloads that wait for a change
   * @param runningCount the number of workloads with quota
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
   * A pending workload.
   *
   * @param workload the workload
   * @param clusterQueue the ClusterQueue that it waits in
   * @param position the number of workloads ahead of it
   * @param isActive whether the next cycles try it
   * @param requests the requests of all its pods, by resource
   * @param reasons why it is pending
   */
  public record Waiting(
      Workload workload,
      String clusterQueue,
      int position,
      boolean isActive,
      ImmutableSortedMap<String, Long> requests,
      ImmutableList<String> reasons) {
    /** {@return a workload that is kept out of the queue, with the reason} */
    public static Waiting delayed(Workload workload, String clusterQueue, String reason) {
      return new Waiting(
          workload, clusterQueue, 0, false, workload.totalRequests(), ImmutableList.of(reason));
    }
  }

  /**
   * A workload with quota.
   *
   * @param workload the workload
   * @param clusterQueue the ClusterQueue whose quota it holds
   * @param state its state
   * @param since when its quota was reserved
   * @param quota its usage
   */
  public record Running(
      Workload workload,
      String clusterQueue,
      State state,
      Instant since,
      ImmutableList<HeldQuota> quota) {}

  /** The state of a workload with quota. */
  public enum State {
    /** It waits for admission checks, or for the placement of its pods. */
    RESERVING("Quota reserved"),
    /** It is admitted. */
    ADMITTED("Admitted"),
    /** It was evicted and has not stopped yet. */
    STOPPING("Stopping");

    private final String text;

    State(String text) {
      this.text = text;
    }

    /** {@return the state for humans} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** {@return a view of an engine, with up to {@link #DEFAULT_LIMIT} workloads of each list} */
  public static MonitorView of(EngineView view, Instant time) {
    return of(view, time, DEFAULT_LIMIT);
  }

  /**
   * {@return a view of an engine}
   *
   * @param view the engine
   * @param time the moment of the view
   * @param limit the maximum number of workloads of each list
   */
  public static MonitorView of(EngineView view, Instant time, int limit) {
    // Explanations are of the same moment as the rest, even if the engine changes meanwhile.
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

  /** {@return this view with delayed workloads after the pending ones} */
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

  /** {@return this view with these warnings} */
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
        holding.isStopping() ? State.STOPPING : admitted,
        holding.admission().quotaReservedTime(),
        holding.held());
  }
}
