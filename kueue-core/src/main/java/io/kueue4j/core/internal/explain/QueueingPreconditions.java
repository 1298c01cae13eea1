package io.kueue4j.core.internal.explain;

import io.kueue4j.core.internal.cycle.Attempt;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.queue.RequeueReason;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the preconditions for queueing or trying a workload, before any quota is compared.
 *
 * <p>Rules: R-9, U-1, S-4, S-6, L-26.
 */
public final class QueueingPreconditions {
  private final EngineState state;

  public QueueingPreconditions(EngineState state) {
    this.state = state;
  }

  /** An obstacle and its class. */
  public record Obstacle(PendingCause cause, Reason reason) {}

  /** {@return why the workload is in no queue, empty if it may be in one} */
  public Optional<Obstacle> toQueueing(WorkloadRecord record) {
    ReasonCode code = state.pending().obstacle(record);
    if (code == null) {
      return Optional.empty();
    }
    Workload workload = record.workload();
    return switch (code) {
      case DEACTIVATED -> obstacle(PendingCause.DEACTIVATED, code, "the workload is not active");
      case STOPPING ->
        obstacle(
            PendingCause.PENDING_EVALUATION,
            code,
            "the workload was evicted and has not stopped yet");
      case ON_HOLD -> obstacle(PendingCause.ON_HOLD, code, "the workload is on hold");
      case ADMISSION_GATED ->
        obstacle(
            PendingCause.ADMISSION_GATED,
            code,
            "held back by the admission gates " + workload.admissionGates());
      case LOCAL_QUEUE_NOT_FOUND ->
        obstacle(
            PendingCause.MISCONFIGURED,
            code,
            "LocalQueue " + workload.queueName() + " does not exist in namespace "
                + workload.namespace());
      case LOCAL_QUEUE_STOPPED ->
        obstacle(
            PendingCause.SUSPENDED, code, "LocalQueue " + record.localQueueKey() + " is stopped");
      case CLUSTER_QUEUE_NOT_FOUND ->
        obstacle(
            PendingCause.MISCONFIGURED,
            code,
            "ClusterQueue " + clusterQueue(record) + ", which LocalQueue " + record.localQueueKey()
                + " leads to, does not exist");
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

  /** {@return the failed attempt of a head that cannot be tried, null if it can} */
  @Nullable
  public Attempt toNomination(Head head) {
    return obstacle(head)
        .map(found -> Attempt.inadmissible(
            found.reason().code() == ReasonCode.NAMESPACE_MISMATCH
                ? RequeueReason.NAMESPACE_MISMATCH
                : RequeueReason.GENERIC,
            found.cause(),
            found.reason()))
        .orElse(null);
  }

  private Optional<Obstacle> obstacle(Head head) {
    ClusterQueue queue = head.queue().spec();
    Workload workload = head.compiled().source();
    if (!queue.admissionChecks().isEmpty()) {
      Optional<Obstacle> check = failedCheck(workload.id());
      if (check.isPresent()) {
        return check;
      }
    }
    if (!head.queue().quota().isActive()) {
      return obstacle(
          PendingCause.SUSPENDED,
          ReasonCode.CLUSTER_QUEUE_INACTIVE,
          state.configuration().inactivity(queue).orElse("inactive"));
    }
    if (!state.configuration().mayUse(queue, workload.namespace())) {
      return outsider(queue, workload.namespace());
    }
    if (workload.admissibilityProblems().isEmpty()) {
      return Optional.empty();
    }
    return obstacle(
        PendingCause.MISCONFIGURED,
        ReasonCode.INADMISSIBLE_PODS,
        workload.admissibilityProblems().get(0));
  }

  private Optional<Obstacle> outsider(ClusterQueue queue, String namespace) {
    if (!state.configuration().hasNamespace(namespace)) {
      return obstacle(
          PendingCause.MISCONFIGURED,
          ReasonCode.NAMESPACE_NOT_FOUND,
          "namespace " + namespace + " does not exist");
    }
    return obstacle(
        PendingCause.MISCONFIGURED,
        ReasonCode.NAMESPACE_MISMATCH,
        "the namespaceSelector of ClusterQueue " + queue.name() + " "
            + (queue.namespaceSelector().isPresent()
                ? "does not match"
                : "is not set and matches no namespace, so not")
            + " namespace " + namespace);
  }

  /** {@return the failed admission check that prevents a workload from being tried, if any} */
  private Optional<Obstacle> failedCheck(WorkloadId id) {
    WorkloadRecord record = state.record(id);
    return record == null
        ? Optional.empty()
        : record.lifecycle().checks().byName().stream()
            .filter(
                check -> check.state() == CheckState.RETRY || check.state() == CheckState.REJECTED)
            .findFirst()
            .flatMap(check -> obstacle(
                PendingCause.PENDING_EVALUATION,
                ReasonCode.CHECK_NOT_READY,
                "admission check " + check.name() + " is in state " + check.state()));
  }

  private static Optional<Obstacle> obstacle(PendingCause cause, ReasonCode code, String detail) {
    return Optional.of(new Obstacle(cause, Reason.of(code, detail)));
  }
}
