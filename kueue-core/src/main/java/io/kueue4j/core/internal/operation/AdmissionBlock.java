package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.LifecycleRegistry;
import io.kueue4j.core.internal.state.LifecycleRegistry.BlockedAdmission;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import java.time.Instant;
import java.util.Optional;

/**
 * Serializes admission: the next workload waits until the pods of all previously admitted workloads
 * are ready.
 *
 * <p>Kueue's scheduler blocks in the middle of a cycle. Here the cycle ends before the blocked
 * admission, and the following cycles only check whether that admission can be made now. The
 * remaining heads of the cycle stay active, as if they had not been tried.
 *
 * <p>Rules: L-22, L-23.
 */
final class AdmissionBlock {
  private static final Reason NOT_READY = Reason.of(
      ReasonCode.PODS_NOT_READY, "waiting for all admitted workloads to be in PodsReady condition");

  private final EngineState state;
  private final LifecycleRegistry books;
  private final boolean blocks;

  AdmissionBlock(EngineState state) {
    this.state = state;
    this.books = state.books();
    this.blocks =
        state.podsReadyPolicy().filter(PodsReadyPolicy::blockAdmission).isPresent();
  }

  /** {@return how many workloads may be admitted before their pods are ready} */
  int admissible() {
    if (!blocks) {
      return Integer.MAX_VALUE;
    }
    return books.isAnyNotReady() ? 0 : 1;
  }

  /** {@return whether a workload that fits must not be admitted individually, out of turn} */
  boolean keepsBack(WorkloadRecord record) {
    return admissible() == 0
        || books
            .blocked()
            .filter(blocked -> !blocked.workload().hasContentOf(record.compiled()))
            .isPresent();
  }

  /** {@return the attempt of a workload that waits for the pods of others to be ready} */
  Attempt attempt() {
    return Attempt.inadmissible(
        RequeueReason.GENERIC, PendingCause.WAITING_FOR_PODS_READY, NOT_READY);
  }

  /** Ends the cycle before {@code head} is admitted; the next cycle begins with that admission. */
  void stopBefore(Head head, Admission admission) {
    books.setBlocked(new BlockedAdmission(head.compiled(), admission));
  }

  /** {@return whether an admission waits for pods that are not ready yet} */
  boolean isWaiting() {
    return books.blocked().isPresent() && books.isAnyNotReady();
  }

  /**
   * {@return the admission before which the last cycle ended and which can be made now; absent if
   * there is none, or if the workload has changed or left since}
   */
  Optional<Admission> takeDue(Instant now) {
    Optional<BlockedAdmission> blocked = books.blocked();
    if (blocked.isEmpty()) {
      return Optional.empty();
    }
    books.setBlocked(null);
    return blocked
        .filter(this::isStillWanted)
        .map(due ->
            Admission.builder().from(due.admission()).quotaReservedTime(now).build());
  }

  private boolean isStillWanted(BlockedAdmission due) {
    WorkloadRecord record = state.record(due.workload().source().id());
    if (record == null || !record.compiled().hasContentOf(due.workload())) {
      return false;
    }
    return record.isPending()
        && record.requireQueue().quota().isActive()
        && record.requireQueue().name().equals(due.admission().clusterQueue());
  }
}
