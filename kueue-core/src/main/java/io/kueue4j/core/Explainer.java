package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.Attempt;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.flavor.ReasonLog;
import io.kueue4j.core.lifecycle.Conditions;
import io.kueue4j.core.lifecycle.LifecycleState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.queue.PendingQueue;
import io.kueue4j.core.queue.PendingWorkload;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts into words where workloads stand.
 *
 * <p>Rules: L-2, L-26.
 */
final class Explainer {
  private final EngineState state;

  Explainer(EngineState state) {
    this.state = state;
  }

  /** {@return why the attempt at {@code candidate} did not end in an admission} */
  AdmissionResult.Pending pending(Candidate candidate, Attempt attempt) {
    return new AdmissionResult.Pending(
        candidate.compiled().source().id(), attempt.cause(), reasons(candidate, attempt));
  }

  /** {@return where the waiting workload of {@code record} stands} */
  AdmissionResult.Pending pending(WorkloadRecord record) {
    WorkloadId id = record.workload().id();
    Candidate candidate = record.candidate;
    if (candidate == null) {
      return new Obstacles(state)
          .toQueueing(record)
          .map(found ->
              new AdmissionResult.Pending(id, found.cause(), ImmutableList.of(found.reason())))
          .orElseThrow(() -> new IllegalStateException("workload " + id + " should be in a queue"));
    }
    if (!candidate.queue().quota().isActive()) {
      String why = state
          .configuration()
          .inactivity(candidate.queue().quota().compiled().source())
          .orElse("inactive");
      return new AdmissionResult.Pending(
          id,
          PendingCause.SUSPENDED,
          ImmutableList.of(Reason.of(ReasonCode.CLUSTER_QUEUE_INACTIVE, why)));
    }
    PendingQueue queue = candidate.queue().pending();
    boolean outdated = queue.isAttemptOutdated(candidate);
    Attempt attempt = candidate.lastAttempt();
    if (attempt != null && !outdated) {
      return pending(candidate, attempt);
    }
    PendingWorkload failed = queue.failedForShape(candidate);
    if (failed instanceof Candidate other && other.lastAttempt() != null) {
      return other.compiled().source().id().equals(id)
          ? pending(other, other.lastAttempt())
          : sameAs(id, other, other.lastAttempt());
    }
    // An event that did not bring it back was none of its concern.
    return attempt != null && !queue.isActive(candidate)
        ? pending(candidate, attempt)
        : new AdmissionResult.Pending(
            id, PendingCause.PENDING_EVALUATION, ImmutableList.of(notTried(candidate, record)));
  }

  /** {@return what a workload waits for that holds quota and may not run} */
  static ImmutableList<Reason> missing(WorkloadRecord record) {
    LifecycleState lifecycle = record.lifecycle();
    if (lifecycle.isAdmitted()) {
      return ImmutableList.of();
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
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return what has happened to a workload up to {@code now}, with why it waits if it does} */
  WorkloadStatus status(WorkloadRecord record, Instant now) {
    LifecycleState lifecycle = record.lifecycle().at(now);
    WorkloadStatus status = lifecycle.toStatus();
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

  private static Reason notTried(Candidate candidate, WorkloadRecord record) {
    if (candidate.queue().pending().isActive(candidate)) {
      return Reason.of(
          ReasonCode.NOT_TRIED_YET,
          "queued in ClusterQueue " + candidate.queue().name()
              + (candidate.lastAttempt() == null
                  ? ""
                  : ", and something has changed since it was tried"));
    }
    String until = candidate.backoffEnd().equals(Instant.MAX)
        ? record
            .lifecycle()
            .awaitedReason()
            .map(reason -> " as long as this holds: " + reason)
            .orElse("")
        : " before " + candidate.backoffEnd();
    return Reason.of(ReasonCode.BACKOFF, "not to be tried again" + until);
  }

  private AdmissionResult.Pending sameAs(WorkloadId id, Candidate failed, Attempt attempt) {
    Reason same = Reason.of(
        ReasonCode.SAME_SHAPE_DID_NOT_FIT,
        "workload " + failed + ", which is equal for scheduling, did not fit");
    ImmutableList<Reason> reasons = Stream.concat(
            Stream.of(same), reasons(failed, attempt).stream())
        .collect(ImmutableList.toImmutableList());
    return new AdmissionResult.Pending(id, attempt.cause(), reasons);
  }

  private ImmutableList<Reason> reasons(Candidate candidate, Attempt attempt) {
    ReasonLog log = attempt.log();
    return log == null ? attempt.obstacles() : log.toReasons(candidate.compiled(), state.catalog());
  }

  /** {@return where the workload {@code id} stands; {@code changes} finds what would help it} */
  Explanation explain(WorkloadId id, Instant now, ChangeSearch changes) {
    WorkloadRecord record = Admissions.known(state, id);
    Explanation.Builder explanation = Explanation.builder()
        .workload(id)
        .admission(record.admission())
        .isToldToStop(record.isToldToStop())
        .preempted(record.preempted())
        .preemptedBy(record.preemptedBy())
        .status(status(record, now))
        .changeSearch(changes);
    if (record.admission().isPresent()) {
      return explanation
          .addAllReasons(missing(record))
          .addAllReasons(HeldSlices.unusable(state, record.admission().get()))
          .build();
    }
    AdmissionResult.Pending pending = pending(record);
    explanation.cause(pending.cause());
    Candidate candidate = record.candidate;
    if (candidate == null) {
      return explanation.addAllReasons(pending.reasons()).build();
    }
    QueueState queue = candidate.queue();
    Figures figures = new Figures(queue.quota());
    SliceRepairs repairs = new SliceRepairs(state, record.workload());
    lastTried(candidate)
        .ifPresent(tried -> explanation.addAllLastAttemptReasons(repairs.addTo(
            figures.addTo(reasons(tried, Objects.requireNonNull(tried.lastAttempt()))))));
    return explanation
        .addAllReasons(repairs.addTo(figures.addTo(pending.reasons())))
        .isActive(queue.quota().isActive() && queue.pending().isActive(candidate))
        .isNextToTry(
            queue.quota().isActive() && candidate.equals(queue.pending().head()))
        .positionInClusterQueue(position(candidate, false))
        .positionInLocalQueue(position(candidate, true))
        .build();
  }

  /** {@return the version of the workload that was tried last, which may be an earlier one} */
  private static Optional<Candidate> lastTried(Candidate candidate) {
    if (candidate.lastAttempt() != null) {
      return Optional.of(candidate);
    }
    return candidate.queue().pending().failedForShape(candidate) instanceof Candidate earlier
            && earlier.lastAttempt() != null
            && earlier
                .compiled()
                .source()
                .id()
                .equals(candidate.compiled().source().id())
        ? Optional.of(earlier)
        : Optional.empty();
  }

  private static int position(Candidate candidate, boolean inLocalQueue) {
    Comparator<PendingWorkload> order = candidate.queue().pending().serviceOrder();
    String localQueue = candidate.compiled().localQueue();
    return (int) inQueueOf(candidate)
        .filter(other -> !inLocalQueue || other.compiled().localQueue().equals(localQueue))
        .filter(other -> order.compare(other, candidate) < 0)
        .count();
  }

  /** {@return the highest priority among those that stand before a workload in its ClusterQueue} */
  static Optional<Long> highestPriorityBefore(EngineState state, WorkloadId id) {
    Candidate candidate = Admissions.known(state, id).candidate;
    if (candidate == null) {
      return Optional.empty();
    }
    Comparator<PendingWorkload> order = candidate.queue().pending().serviceOrder();
    return inQueueOf(candidate)
        .filter(other -> order.compare(other, candidate) < 0)
        .map(other -> other.compiled().priority())
        .max(Comparator.naturalOrder());
  }

  private static Stream<PendingWorkload> inQueueOf(Candidate candidate) {
    PendingQueue queue = candidate.queue().pending();
    return Stream.concat(queue.active().stream(), queue.parked().stream());
  }
}
