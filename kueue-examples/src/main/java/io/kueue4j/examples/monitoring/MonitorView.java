package io.kueue4j.examples.monitoring;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import com.google.common.collect.Sets;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.CohortView.SubtreeUsage;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The content of the page: queues, cohorts, and running and pending jobs, at one moment. Immutable.
 *
 * @param time the moment
 * @param queues the ClusterQueues, by name
 * @param cohorts the cohorts, by name
 * @param waiting the pending jobs, by queue in the order of service; then those in no queue
 * @param running the jobs with quota, by queue, oldest first
 * @param warnings warnings for the operator, shown first
 * @param problems the problems of configuration objects, by object
 */
public record MonitorView(
    Instant time,
    ImmutableList<Queue> queues,
    ImmutableList<Cohort> cohorts,
    ImmutableList<Waiting> waiting,
    ImmutableList<Running> running,
    ImmutableList<String> warnings,
    ImmutableSortedMap<String, String> problems) {

  /**
   * A ClusterQueue.
   *
   * @param name the name
   * @param cohort the cohort that it belongs to
   * @param strategy the queueing strategy
   * @param inactivity why it is inactive, empty if it is active
   * @param waitingCount the number of pending workloads
   * @param inadmissibleCount the number of those that wait for a change; all if it is inactive
   * @param runningCount the number of workloads with quota
   * @param quotas quota and usage
   */
  public record Queue(
      String name,
      Optional<String> cohort,
      String strategy,
      Optional<String> inactivity,
      int waitingCount,
      int inadmissibleCount,
      int runningCount,
      ImmutableList<QuotaLine> quotas) {}

  /**
   * A cohort.
   *
   * @param name the name
   * @param parent its parent
   * @param clusterQueues the names of all ClusterQueues below it
   * @param quotas quota and usage
   */
  public record Cohort(
      String name,
      Optional<String> parent,
      List<String> clusterQueues,
      ImmutableList<CohortQuota> quotas) {}

  /**
   * The quota of one resource in one flavor of a cohort.
   *
   * @param usage quota and usage of all below it
   * @param borrowed the amount that ClusterQueues below it use beyond their quotas
   */
  public record CohortQuota(SubtreeUsage usage, long borrowed) {}

  /**
   * A pending job.
   *
   * @param job the job
   * @param workload its workload in the engine, empty if there is none
   * @param localQueue the LocalQueue that it names
   * @param clusterQueue the ClusterQueue that it waits in, empty if it waits in none
   * @param position the number of workloads ahead of it, empty if it is in no queue
   * @param state its state
   * @param priority its priority
   * @param since when it was created
   * @param requests the requests of all its pods, by resource
   * @param promise the start that it is promised, empty if it is promised none
   * @param explanation the explanation of the engine
   * @param messages why it is pending, where the engine cannot explain it
   */
  public record Waiting(
      JobName job,
      Optional<WorkloadId> workload,
      String localQueue,
      String clusterQueue,
      OptionalInt position,
      WaitState state,
      int priority,
      Optional<Instant> since,
      SortedMap<String, Long> requests,
      Optional<Promise> promise,
      Optional<Explanation> explanation,
      List<String> messages) {
    /** The reasons whose messages name no other job. */
    private static final ImmutableSet<ReasonCode> IMPERSONAL = Sets.immutableEnumSet(
        ReasonCode.NOT_TRIED_YET,
        ReasonCode.LOCAL_QUEUE_NOT_FOUND,
        ReasonCode.LOCAL_QUEUE_STOPPED,
        ReasonCode.CLUSTER_QUEUE_NOT_FOUND,
        ReasonCode.CLUSTER_QUEUE_INACTIVE,
        ReasonCode.NAMESPACE_NOT_FOUND,
        ReasonCode.NAMESPACE_MISMATCH,
        ReasonCode.DEACTIVATED,
        ReasonCode.BACKOFF,
        ReasonCode.ON_HOLD,
        ReasonCode.INADMISSIBLE_PODS,
        ReasonCode.RESOURCE_NOT_COVERED,
        ReasonCode.NO_FLAVORS,
        ReasonCode.FLAVOR_NOT_FOUND,
        ReasonCode.UNTOLERATED_TAINT,
        ReasonCode.NODE_AFFINITY_MISMATCH,
        ReasonCode.EXCEEDS_MAXIMUM,
        ReasonCode.INSUFFICIENT_QUOTA,
        ReasonCode.NO_PREEMPTION_CANDIDATES);

    /** {@return a job that the engine does not queue, with the reasons} */
    public static Waiting outside(
        JobName job, String localQueue, WaitState state, List<String> messages) {
      return new Waiting(
          job,
          Optional.empty(),
          localQueue,
          "",
          OptionalInt.empty(),
          state,
          0,
          Optional.empty(),
          ImmutableSortedMap.of(),
          Optional.empty(),
          Optional.empty(),
          messages);
    }

    /** {@return a job that the engine does not queue, with what is known of its workload} */
    public static Waiting outside(
        JobName job,
        Workload workload,
        String clusterQueue,
        WaitState state,
        List<String> messages) {
      return new Waiting(
          job,
          Optional.of(workload.id()),
          workload.queueName(),
          clusterQueue,
          OptionalInt.empty(),
          state,
          workload.priority(),
          workload.creationTime(),
          workload.totalRequests(),
          Optional.empty(),
          Optional.empty(),
          messages);
    }

    /** {@return the reasons of the engine, without those that only refer to another workload} */
    public List<Reason> reasons() {
      List<Reason> all = explanation.map(Explanation::reasons).orElse(ImmutableList.of());
      return all.size() == 1
          ? all
          : all.stream()
              .filter(reason -> reason.code() != ReasonCode.SAME_SHAPE_DID_NOT_FIT)
              .collect(toImmutableList());
    }

    /** {@return this job with reasons that name no other job} */
    private Waiting alone() {
      if (explanation.isEmpty()) {
        return this;
      }
      List<String> own = reasons().stream()
          .map(reason ->
              IMPERSONAL.contains(reason.code()) ? reason.message() : "waits for other workloads")
          .distinct()
          .collect(toImmutableList());
      return new Waiting(
          job,
          workload,
          localQueue,
          clusterQueue,
          position,
          state,
          priority,
          since,
          requests,
          promise,
          Optional.empty(),
          ImmutableList.<String>builder().addAll(own).addAll(messages).build());
    }

    /** {@return why it is pending, in sentences} */
    public ImmutableList<String> texts() {
      return Stream.concat(reasons().stream().map(Reason::message), messages.stream())
          .collect(toImmutableList());
    }
  }

  /** The state of a pending job. */
  public enum WaitState {
    /** The next cycles try it. */
    PENDING("Pending"),
    /** It waits for a change. */
    INADMISSIBLE("Inadmissible"),
    /** A controller delays it before it is queued. */
    DELAYED("Delayed"),
    /** It is in no queue. */
    NOT_QUEUED("Not queued"),
    /** It breaks rules, and waits for its owner. */
    REJECTED("Rejected");

    private final String text;

    WaitState(String text) {
      this.text = text;
    }

    /** {@return the state for humans} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * A job with quota.
   *
   * @param job the job
   * @param workload its workload in the engine
   * @param localQueue its LocalQueue
   * @param clusterQueue the ClusterQueue whose quota it holds
   * @param state its state
   * @param priority its priority
   * @param since when its quota was reserved
   * @param quota its usage
   */
  public record Running(
      JobName job,
      WorkloadId workload,
      String localQueue,
      String clusterQueue,
      State state,
      int priority,
      Instant since,
      List<HeldQuota> quota) {}

  /** The state of a job with quota. */
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

  /** {@return a view of an engine that calls jobs by the names of their workloads} */
  public static MonitorView of(EngineView view, Instant time) {
    return of(view, time, JobName::of);
  }

  /**
   * {@return a view of an engine}
   *
   * @param view the engine
   * @param time the moment of the view
   * @param names the names of the jobs of workloads
   */
  public static MonitorView of(
      EngineView view, Instant time, Function<? super Workload, JobName> names) {
    return new EngineReading(view, time, names).read();
  }

  /** {@return this view with jobs that the engine does not queue, after the pending ones} */
  public MonitorView withOthers(Iterable<Waiting> others) {
    return new MonitorView(
        time,
        queues,
        cohorts,
        ImmutableList.copyOf(Iterables.concat(waiting, others)),
        running,
        warnings,
        problems);
  }

  /** {@return this view with these warnings} */
  public MonitorView withWarnings(Iterable<String> newWarnings) {
    return new MonitorView(
        time, queues, cohorts, waiting, running, ImmutableList.copyOf(newWarnings), problems);
  }

  /** {@return this view with these problems of configuration objects} */
  public MonitorView withProblems(ImmutableSortedMap<String, String> newProblems) {
    return new MonitorView(time, queues, cohorts, waiting, running, warnings, newProblems);
  }

  /**
   * {@return what a user sees who may see the jobs of some namespaces only: these jobs, and the
   * ClusterQueues that they are in}
   *
   * <p>Explanations are reduced to reasons that name no other job. Cohorts, warnings and problems
   * are omitted.
   */
  public MonitorView visibleIn(Predicate<String> namespaces) {
    Map<String, Boolean> known = new HashMap<>();
    Predicate<JobName> isVisible = job -> known.computeIfAbsent(job.namespace(), namespaces::test);
    ImmutableList<Waiting> ownWaiting = waiting.stream()
        .filter(job -> isVisible.test(job.job()))
        .map(Waiting::alone)
        .collect(toImmutableList());
    ImmutableList<Running> ownRunning =
        running.stream().filter(job -> isVisible.test(job.job())).collect(toImmutableList());
    Set<String> used = new HashSet<>();
    ownWaiting.forEach(job -> used.add(job.clusterQueue()));
    ownRunning.forEach(job -> used.add(job.clusterQueue()));
    return new MonitorView(
        time,
        queues.stream().filter(queue -> used.contains(queue.name())).collect(toImmutableList()),
        ImmutableList.of(),
        ownWaiting,
        ownRunning,
        ImmutableList.of(),
        ImmutableSortedMap.of());
  }

  /** {@return this view at another moment, since which nothing has changed} */
  public MonitorView at(Instant newTime) {
    return new MonitorView(newTime, queues, cohorts, waiting, running, warnings, problems);
  }
}
