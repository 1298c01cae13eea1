package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.Attempt;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.flavor.ReasonLog;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingWorkload;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Puts into words where workloads stand. */
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
    Attempt attempt = candidate.lastAttempt();
    if (attempt != null) {
      return pending(candidate, attempt);
    }
    PendingWorkload failed = candidate.queue().pending().failedForShape(candidate);
    if (failed instanceof Candidate other && other.lastAttempt() != null) {
      return other.compiled().source().id().equals(id)
          ? pending(other, other.lastAttempt())
          : sameAs(id, other, other.lastAttempt());
    }
    return new AdmissionResult.Pending(
        id, PendingCause.PENDING_EVALUATION, ImmutableList.of(notTried(candidate)));
  }

  private static Reason notTried(Candidate candidate) {
    if (candidate.queue().pending().isActive(candidate)) {
      return Reason.of(
          ReasonCode.NOT_TRIED_YET,
          "queued in ClusterQueue " + candidate.queue().name());
    }
    String until =
        candidate.compiled().source().requeueAt().map(at -> " before " + at).orElse("");
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
    return log == null
        ? attempt.obstacles()
        : log.toReasons(
            candidate.compiled(), state.catalog(), state.configuration().flavors());
  }

  Explanation explain(WorkloadId id) {
    WorkloadRecord record = Admissions.known(state, id);
    if (record.admission().isPresent()) {
      return new Explanation(
          id,
          record.admission(),
          Optional.empty(),
          ImmutableList.of(),
          false,
          OptionalInt.empty(),
          OptionalInt.empty());
    }
    AdmissionResult.Pending pending = pending(record);
    Candidate candidate = record.candidate;
    return new Explanation(
        id,
        Optional.empty(),
        Optional.of(pending.cause()),
        pending.reasons(),
        candidate != null
            && candidate.queue().quota().isActive()
            && candidate.queue().pending().isActive(candidate),
        candidate == null ? OptionalInt.empty() : OptionalInt.of(position(candidate, false)),
        candidate == null ? OptionalInt.empty() : OptionalInt.of(position(candidate, true)));
  }

  private static int position(Candidate candidate, boolean inLocalQueue) {
    QueueState queue = candidate.queue();
    String localQueue = candidate.compiled().localQueue();
    Comparator<PendingWorkload> order = queue.pending().serviceOrder();
    return (int) Stream.concat(queue.pending().active().stream(), queue.pending().parked().stream())
        .filter(other -> !inLocalQueue || other.compiled().localQueue().equals(localQueue))
        .filter(other -> order.compare(other, candidate) < 0)
        .count();
  }
}
