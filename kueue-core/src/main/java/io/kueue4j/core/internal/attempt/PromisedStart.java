package io.kueue4j.core.internal.attempt;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The start that a waiting workload is promised, with what it will hold from then on. Immutable.
 *
 * <p>Rules: PS-4.
 *
 * @param workload the workload
 * @param admission the admission that is expected
 * @param assignment how the workload will fit, null if it was promised before a restart
 * @param holder what the workload will hold
 * @param startMillis the start, in milliseconds since the epoch
 * @param borrows whether it will use more than the quota of its queue
 * @param isBounded whether the start rests on upper bounds of durations alone
 * @param isClaim whether workloads are preempted for it, so that it starts when they have stopped
 * @param cause why it may have to move, null if nothing is known
 */
public record PromisedStart(
    CompiledWorkload workload,
    Admission admission,
    @Nullable Assignment assignment,
    QuotaHolder holder,
    long startMillis,
    boolean borrows,
    boolean isBounded,
    boolean isClaim,
    @Nullable String cause) {
  /** {@return the identity of the workload} */
  public WorkloadId id() {
    return workload.source().id();
  }

  /** {@return the name of the ClusterQueue} */
  public String clusterQueue() {
    return admission.clusterQueue();
  }

  /** {@return the expected end, {@link Long#MAX_VALUE} if it is unknown} */
  public long endMillis() {
    return LongMath.saturatedAdd(startMillis, workload.expectedMillis());
  }

  /** {@return this promise with a reason why it may have to move} */
  public PromisedStart withCause(String reason) {
    return with(isClaim, reason);
  }

  /** {@return this promise for a workload that others are preempted for} */
  public PromisedStart asClaim() {
    return with(true, cause);
  }

  private PromisedStart with(boolean asClaim, @Nullable String reason) {
    return new PromisedStart(
        workload, admission, assignment, holder, startMillis, borrows, isBounded, asClaim, reason);
  }

  /** {@return it as a value of the API} */
  public Promise toPromise() {
    return Promise.builder()
        .workload(id())
        .clusterQueue(clusterQueue())
        .start(Instant.ofEpochMilli(startMillis))
        .expectedEnd(
            endMillis() == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(endMillis())))
        .podSetAssignments(ImmutableList.copyOf(admission.podSetAssignments()))
        .borrows(borrows)
        .restsOnLimits(isBounded)
        .build();
  }
}
