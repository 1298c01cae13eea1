package io.kueue4j.core.internal.explain;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the preconditions for queueing or trying a workload, before any quota is compared.
 *
 * <p>Rules: R-9, U-1, S-4, S-6, L-26.
 *
 * @param state the state of the engine
 */
public record QueueingPreconditions(EngineState state) {
  /** {@return why the workload is in no queue, empty if it may be in one} */
  public Optional<AdmissionResult.Pending> toQueueing(WorkloadRecord record) {
    ReasonCode code = state.pending().obstacle(record);
    return code == null
        ? Optional.empty()
        : Optional.of(new AdmissionResult.Pending(
            record.id(), cause(code), ImmutableList.of(Reason.of(code, words(code, record)))));
  }

  private String words(ReasonCode code, WorkloadRecord record) {
    Workload workload = record.workload();
    String localQueue = "LocalQueue " + record.localQueueKey();
    return switch (code) {
      case DEACTIVATED -> "the workload is not active";
      case STOPPING -> "the workload was evicted and has not stopped yet";
      case ON_HOLD -> "the workload is on hold";
      case ADMISSION_GATED -> "held back by the admission gates " + workload.admissionGates();
      case LOCAL_QUEUE_NOT_FOUND ->
        "LocalQueue " + workload.queueName() + " does not exist in namespace "
            + workload.namespace();
      case LOCAL_QUEUE_STOPPED -> localQueue + " is stopped";
      case CLUSTER_QUEUE_NOT_FOUND ->
        "ClusterQueue " + clusterQueue(record) + ", which " + localQueue
            + " leads to, does not exist";
      default -> throw new IllegalStateException("there are no words for " + code);
    };
  }

  private String clusterQueue(WorkloadRecord record) {
    return state
        .configuration()
        .localQueue(record.localQueueKey())
        .orElseThrow()
        .clusterQueue();
  }

  /** {@return the class of an obstacle to queueing or trying} */
  private static PendingCause cause(ReasonCode obstacle) {
    return switch (obstacle) {
      case DEACTIVATED -> PendingCause.DEACTIVATED;
      case STOPPING, CHECK_NOT_READY -> PendingCause.PENDING_EVALUATION;
      case ON_HOLD -> PendingCause.ON_HOLD;
      case ADMISSION_GATED -> PendingCause.ADMISSION_GATED;
      case LOCAL_QUEUE_STOPPED, CLUSTER_QUEUE_INACTIVE -> PendingCause.SUSPENDED;
      case LOCAL_QUEUE_NOT_FOUND,
          CLUSTER_QUEUE_NOT_FOUND,
          NAMESPACE_NOT_FOUND,
          NAMESPACE_MISMATCH,
          INADMISSIBLE_PODS -> PendingCause.MISCONFIGURED;
      default -> throw new IllegalStateException("there is no cause for " + obstacle);
    };
  }

  /** {@return the failed attempt of a head that cannot be tried, null if it can} */
  @Nullable
  public Attempt toNomination(Head head) {
    return obstacle(head)
        .map(reason -> Attempt.inadmissible(
            reason.code() == ReasonCode.NAMESPACE_MISMATCH
                ? RequeueReason.NAMESPACE_MISMATCH
                : RequeueReason.GENERIC,
            cause(reason.code()),
            reason))
        .orElse(null);
  }

  private Optional<Reason> obstacle(Head head) {
    ClusterQueue queue = head.queue().spec();
    Workload workload = head.compiled().source();
    if (!queue.admissionChecks().isEmpty()) {
      Optional<Reason> check = failedCheck(workload.id());
      if (check.isPresent()) {
        return check;
      }
    }
    if (!head.queue().quota().isActive()) {
      return obstacle(
          ReasonCode.CLUSTER_QUEUE_INACTIVE,
          state.configuration().inactivity(queue).orElse("inactive"));
    }
    if (!state.configuration().mayUse(queue, workload.namespace())) {
      return outsider(queue, workload.namespace());
    }
    List<String> problems = workload.admissibilityProblems();
    return problems.isEmpty()
        ? Optional.empty()
        : obstacle(ReasonCode.INADMISSIBLE_PODS, problems.get(0));
  }

  private Optional<Reason> outsider(ClusterQueue queue, String namespace) {
    return state.configuration().hasNamespace(namespace)
        ? obstacle(
            ReasonCode.NAMESPACE_MISMATCH,
            "the namespaceSelector of ClusterQueue " + queue.name() + " "
                + (queue.namespaceSelector().isPresent()
                    ? "does not match"
                    : "is not set and matches no namespace, so not")
                + " namespace " + namespace)
        : obstacle(ReasonCode.NAMESPACE_NOT_FOUND, "namespace " + namespace + " does not exist");
  }

  /** {@return the failed admission check that prevents a workload from being tried, if any} */
  private Optional<Reason> failedCheck(WorkloadId id) {
    WorkloadRecord record = state.record(id);
    return record == null
        ? Optional.empty()
        : record.lifecycle().checks().byName().stream()
            .filter(
                check -> check.state() == CheckState.RETRY || check.state() == CheckState.REJECTED)
            .findFirst()
            .flatMap(check -> obstacle(
                ReasonCode.CHECK_NOT_READY,
                "admission check " + check.name() + " is in state " + check.state()));
  }

  private static Optional<Reason> obstacle(ReasonCode code, String detail) {
    return Optional.of(Reason.of(code, detail));
  }
}
