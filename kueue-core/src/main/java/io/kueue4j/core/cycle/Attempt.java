package io.kueue4j.core.cycle;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.ReasonLog;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.queue.RequeueReason;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt to admit a workload ended.
 *
 * @param assignment the flavors nominated, null if the workload could not be looked at
 * @param requeueReason why it goes back to its queue, null if it is admitted
 * @param cause the class of what keeps it waiting
 * @param log figures of what did not fit, null if there are none
 * @param obstacles why it could not be looked at
 */
public record Attempt(
    @Nullable Assignment assignment,
    @Nullable RequeueReason requeueReason,
    PendingCause cause,
    @Nullable ReasonLog log,
    ImmutableList<Reason> obstacles) {

  static Attempt admitted(Assignment assignment) {
    return new Attempt(assignment, null, PendingCause.PENDING_EVALUATION, null, ImmutableList.of());
  }

  static Attempt failed(
      Assignment assignment, RequeueReason reason, PendingCause cause, ReasonLog log) {
    return new Attempt(assignment, reason, cause, log, ImmutableList.of());
  }

  /** {@return the attempt at a workload that cannot be looked at because of {@code obstacle}} */
  public static Attempt inadmissible(RequeueReason reason, PendingCause cause, Reason obstacle) {
    return new Attempt(null, reason, cause, null, ImmutableList.of(obstacle));
  }

  /** {@return whether the workload is admitted} */
  public boolean isAdmitted() {
    return requeueReason == null;
  }
}
