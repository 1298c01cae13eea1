package io.kueue4j.core.internal.explain;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Explanation.VariantExplanation;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.LastAttempt;
import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.attempt.ReasonLog;
import io.kueue4j.core.internal.attempt.Refusal;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.lifecycle.Conditions;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.VariantStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains the state of workloads.
 *
 * <p>Rules: L-2, L-26.
 *
 * @param state the state of the engine
 * @param queues takes queue data from here
 */
public record Explainer(EngineState state, ExplainedQueues queues) {
  public Explainer(EngineState state) {
    this(state, new ExplainedQueues(false));
  }

  /** {@return why the attempt of {@code head} did not end in an admission} */
  public AdmissionResult.Pending pending(Head head, Attempt attempt) {
    return new AdmissionResult.Pending(
        VariantNames.submitted(head.id()), attempt.cause(), reasons(head.compiled(), attempt));
  }

  /**
   * {@return the result for a workload whose variants were tried individually: the cause of the
   * best one, and the reasons of all}
   */
  public static AdmissionResult.Pending together(
      WorkloadId id, List<AdmissionResult.Pending> byFlavor) {
    return new AdmissionResult.Pending(
        id,
        byFlavor.stream()
            .map(AdmissionResult.Pending::cause)
            .findFirst()
            .orElse(PendingCause.PENDING_EVALUATION),
        byFlavor.stream()
            .flatMap(pending -> pending.reasons().stream())
            .distinct()
            .collect(toImmutableList()));
  }

  /**
   * The state of a waiting workload.
   *
   * @param cause the class of reasons why it waits
   * @param reasons the reasons in detail, which are more expensive to compute
   * @param attemptTime the time of the attempt that found the reasons, null if they are of now
   */
  private record Standing(
      PendingCause cause,
      Supplier<List<Reason>> reasons,
      @Nullable Instant attemptTime) {}

  /** {@return why the waiting workload of {@code record} is pending, with the amounts of now} */
  public AdmissionResult.Pending pending(WorkloadRecord record) {
    Standing standing = standing(record);
    List<Reason> reasons = standing.reasons.get();
    Head head = record.head();
    return new AdmissionResult.Pending(
        record.id(),
        standing.cause,
        head == null
            ? reasons
            : new QuotaReasonEnricher(head.queue().quota()).updateAmounts(reasons));
  }

  /** {@return admitted or reserved for a workload that holds quota, pending for another one} */
  public AdmissionResult current(WorkloadRecord record) {
    Optional<WorkloadRecord> holder = state.variants().holder(record);
    Optional<Admission> admission = state.variants().admission(record);
    if (holder.isEmpty() || admission.isEmpty()) {
      return pending(record);
    }
    return holder.get().lifecycle().isAdmitted()
        ? new AdmissionResult.Admitted(admission.get())
        : new AdmissionResult.Reserved(admission.get(), missing(holder.get()));
  }

  /** {@return the cause of {@link #pending(WorkloadRecord)} alone} */
  PendingCause cause(WorkloadRecord record) {
    return standing(record).cause;
  }

  private Standing standing(WorkloadRecord record) {
    WorkloadId id = record.id();
    Head head = record.head();
    if (head == null) {
      return standingOutside(record);
    }
    if (!head.queue().quota().isActive()) {
      return new Standing(
          PendingCause.SUSPENDED,
          () -> ImmutableList.of(Reason.of(
              ReasonCode.CLUSTER_QUEUE_INACTIVE,
              state.configuration().inactivity(head.queue().spec()).orElse("inactive"))),
          null);
    }
    PendingQueue queue = head.queue().pending();
    boolean outdated = head.last().events() < queue.events();
    Attempt attempt = head.last().attempt();
    PendingQueue.Failure failure = queue.failureOfShape(head.pending());
    // An event that did not requeue it does not affect it.
    if (attempt != null && (!outdated || (failure == null && !queue.isActive(head.pending())))) {
      return new Standing(
          attempt.cause(), () -> reasons(head.compiled(), attempt), head.last().time());
    }
    if (failure != null) {
      LastAttempt last = failure.attempt();
      Attempt failed = Objects.requireNonNull(last.attempt());
      CompiledWorkload other = failure.workload().compiled();
      boolean isSelf = other.source().id().equals(id);
      return new Standing(
          failed.cause(),
          isSelf ? () -> reasons(other, failed) : () -> sameAs(other, failed),
          last.time());
    }
    return new Standing(
        PendingCause.PENDING_EVALUATION, () -> ImmutableList.of(notTried(head, record)), null);
  }

  /** {@return the state of a workload that is in no queue} */
  private Standing standingOutside(WorkloadRecord record) {
    Optional<AdmissionResult.Pending> obstacle =
        new QueueingPreconditions(state).toQueueing(record);
    if (obstacle.isPresent()) {
      return new Standing(obstacle.get().cause(), obstacle.get()::reasons, null);
    }
    WorkloadId id = record.id();
    if (!record.hasVariants()) {
      throw new IllegalStateException("workload " + id + " should be in a queue");
    }
    AdmissionResult.Pending pending =
        together(id, state.variants().of(record).stream().map(this::ofVariant).toList());
    return new Standing(pending.cause(), pending::reasons, null);
  }

  private AdmissionResult.Pending ofVariant(WorkloadRecord variant) {
    return variant.reservation() == null
        ? pending(variant)
        : new AdmissionResult.Pending(
            variant.id(), PendingCause.PENDING_EVALUATION, missing(variant));
  }

  /** {@return what a workload that holds quota but may not run waits for} */
  public static List<Reason> missing(WorkloadRecord record) {
    LifecycleState lifecycle = record.lifecycle();
    if (lifecycle.isAdmitted()) {
      return ImmutableList.of();
    }
    if (lifecycle.checks().isReady() && record.isVariant() && lifecycle.placement() == null) {
      return ImmutableList.of(Reason.of(
          ReasonCode.WAITING_FOR_MIGRATION,
          "takes over when the workload has stopped on the flavor that it runs on"));
    }
    if (lifecycle.checks().isReady()) {
      return ImmutableList.of(Reason.of(
          ReasonCode.PLACEMENT_PENDING, "its pods are to be placed now that all checks are ready"));
    }
    return lifecycle.checks().byName().stream()
        .filter(check -> check.state() != CheckState.READY)
        .map(check -> Reason.of(
            ReasonCode.CHECK_NOT_READY,
            "admission check " + check.name() + " is in state " + check.state()
                + (check.message().isEmpty() ? "" : ": " + check.message())))
        .collect(toImmutableList());
  }

  /** {@return the queues of a workload that may not run, and why it may not} */
  public Unadmitted unadmitted(WorkloadRecord record) {
    boolean holds = record.lifecycle().conditions().isTrue(ConditionType.QUOTA_RESERVED);
    return new Unadmitted(
        record.workload().namespace(),
        record.workload().queueName(),
        state.workloads().clusterQueueOf(record),
        record
            .lifecycle()
            .conditions()
            .get(ConditionType.ADMITTED)
            .map(WorkloadCondition::reason)
            .orElse("NoReservation"),
        holds ? Optional.empty() : Optional.of(cause(record)));
  }

  /** {@return the status of a workload as of {@code now}, including why it waits if it does} */
  public WorkloadStatus status(WorkloadRecord record, Instant now) {
    LifecycleState lifecycle = record.lifecycle().at(now);
    WorkloadStatus status = WorkloadStatus.builder()
        .from(lifecycle.toStatus())
        .reclaimablePods(record.compiled().reclaimablePods())
        .addAllUnhealthyNodes(state
            .variants()
            .holder(record)
            .flatMap(holder -> Optional.ofNullable(holder.failure()))
            .map(mark -> ImmutableList.of(mark.node()))
            .orElse(ImmutableList.of()))
        .addAllVariants(state.variants().of(record).stream()
            .map(variant -> new VariantStatus(
                VariantNames.flavor(variant.id()),
                variant.workload().active(),
                variant.admission().map(VariantNames::submitted),
                variant.lifecycle().at(now).toStatus()))
            .toList())
        .build();
    if (status.isTrue(ConditionType.QUOTA_RESERVED) || lifecycle.isOnHold()) {
      return status;
    }
    AdmissionResult.Pending pending = pending(record);
    Conditions conditions = lifecycle
        .conditions()
        .with(
            ConditionType.QUOTA_RESERVED,
            false,
            pending.cause().toString(),
            pending.reasons().stream().map(Reason::message).collect(Collectors.joining("; ")),
            record.submitted());
    return WorkloadStatus.builder()
        .from(status)
        .conditions(conditions.inOrder())
        .build();
  }

  private static Reason notTried(Head head, WorkloadRecord record) {
    if (head.queue().pending().isActive(head.pending())) {
      return Reason.of(
          ReasonCode.NOT_TRIED_YET,
          "queued in ClusterQueue " + head.queue().name()
              + (head.last().attempt() == null
                  ? ""
                  : ", and something has changed since it was tried"));
    }
    String until = head.pending().backoffEnd().equals(Instant.MAX)
        ? record
            .lifecycle()
            .notRequeued()
            .map(condition -> " as long as this holds: " + condition.reason())
            .orElse("")
        : " before " + head.pending().backoffEnd();
    return Reason.of(ReasonCode.BACKOFF, "not to be tried again" + until);
  }

  private List<Reason> sameAs(CompiledWorkload failed, Attempt attempt) {
    Reason same = Reason.of(
        ReasonCode.SAME_SHAPE_DID_NOT_FIT,
        "workload " + failed + ", which is equal for scheduling, did not fit");
    return Stream.concat(Stream.of(same), reasons(failed, attempt).stream())
        .collect(toImmutableList());
  }

  private List<Reason> reasons(CompiledWorkload workload, Attempt attempt) {
    ReasonLog log = attempt.log();
    if (log == null) {
      return attempt.obstacles();
    }
    Refusal refusal = attempt.refusal();
    Reason limited = refusal == null ? null : refusal.reason();
    return limited == null
        ? reasons(workload, log)
        : Stream.concat(Stream.of(limited), reasons(workload, log).stream())
            .collect(toImmutableList());
  }

  private static List<Reason> reasons(CompiledWorkload workload, ReasonLog log) {
    List<Reason> reasons = log.toReasons(workload);
    return VariantNames.isVariant(workload.source().id())
        ? reasons.stream()
            .filter(reason -> reason.code() != ReasonCode.FLAVOR_NOT_ALLOWED)
            .collect(toImmutableList())
        : reasons;
  }

  /** {@return the explanation of the workload {@code id}, without remedies} */
  public Explanation.Builder explain(WorkloadId id, Instant now) {
    WorkloadRecord record = state.require(id);
    Optional<WorkloadRecord> holder = state.variants().holder(record);
    Explanation.Builder explanation = Explanation.builder()
        .workload(id)
        .admission(holder.flatMap(WorkloadRecord::admission).map(VariantNames::submitted))
        .isStopping(record.isStopping())
        .preempted(record.preempted())
        .preemptedBy(record.preemptedBy())
        .status(status(record, now));
    for (WorkloadRecord variant : state.variants().of(record)) {
      explanation.addVariants(new VariantExplanation(
          VariantNames.flavor(variant.id()),
          variant.workload().active(),
          variant.lifecycle().isOpen(VariantNames.GATE),
          explain(variant.id(), now).build()));
    }
    Optional<Admission> admission = holder.flatMap(WorkloadRecord::admission);
    if (admission.isPresent()) {
      return explanation
          .addAllReasons(holder.map(Explainer::missing).orElse(ImmutableList.of()))
          .addAllReasons(new TpuSliceReasons(state).unusable(admission.get()));
    }
    Standing standing = standing(record);
    List<Reason> reasons = standing.reasons.get();
    explanation.cause(standing.cause).attemptTime(Optional.ofNullable(standing.attemptTime));
    Head head = record.head();
    if (head == null) {
      return explanation.addAllReasons(
          record.hasVariants()
              ? state
                  .pending()
                  .target(record)
                  .map(queue -> queues.figures(queue.quota()).update(reasons))
                  .orElse(reasons)
              : reasons);
    }
    QueueState queue = head.queue();
    QuotaReasonEnricher figures = queues.figures(queue.quota());
    Workload workload = record.workload();
    TpuSliceReasons slices = new TpuSliceReasons(state);
    LastAttempt last = lastTried(head);
    if (last.attempt() != null) {
      explanation
          .lastAttemptTime(Optional.ofNullable(last.time()))
          .addAllLastAttemptReasons(
              slices.withMoves(reasons(head.compiled(), last.attempt()), workload));
    }
    return explanation
        .addAllReasons(slices.withMoves(figures.update(reasons), workload))
        .promise(Optional.ofNullable(state.promises().of(head.id())).map(PromisedStart::toPromise))
        .isActive(queue.quota().isActive() && queue.pending().isActive(head.pending()))
        .isNextToTry(
            queue.quota().isActive() && head.pending().equals(queue.pending().head()))
        .positionInClusterQueue(queues.position(head, false))
        .positionInLocalQueue(queues.position(head, true));
  }

  /** {@return the last attempt of the workload, or of an earlier version of it} */
  private static LastAttempt lastTried(Head head) {
    PendingQueue.Failure failure = head.queue().pending().failureOfShape(head.pending());
    return head.last().attempt() == null
            && failure != null
            && failure.workload().id().equals(head.id())
        ? failure.attempt()
        : head.last();
  }

  /** {@return the highest priority among the workloads before a workload in its ClusterQueue} */
  public static Optional<Long> highestPriorityBefore(EngineState state, WorkloadId id) {
    Head head = state.require(id).head();
    if (head == null) {
      return Optional.empty();
    }
    Comparator<PendingWorkload> order = head.queue().pending().serviceOrder();
    return ExplainedQueues.inQueue(head.queue().pending())
        .filter(other -> order.compare(other, head.pending()) < 0)
        .map(other -> other.compiled().priority())
        .max(Comparator.naturalOrder());
  }
}
