package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One version of a workload in a {@link PendingQueue}. Immutable; two versions of a workload are
 * not equal.
 *
 * <p>Rules: U-3, U-20.
 */
public final class PendingWorkload {
  private final CompiledWorkload compiled;
  private final Object record;

  /** Copied from the workload, because every comparison begins with it. */
  private final long priority;

  private final long queueTimeMillis;

  /** Copied from the workload, because many workloads have equal times. */
  private final String uid;

  private final WorkloadId id;

  private final Instant backoffEnd;

  /**
   * Creates a pending workload.
   *
   * @param compiled the workload
   * @param record what the state that has queued it knows of it
   * @param queueTimeMillis the time that orders it, in milliseconds since the epoch
   * @param backoffEnd the time from which it may be tried, {@link Instant#MAX} for never (rule
   *     U-20)
   */
  public PendingWorkload(
      CompiledWorkload compiled, Object record, long queueTimeMillis, Instant backoffEnd) {
    this.compiled = compiled;
    this.record = record;
    this.id = compiled.source().id();
    this.priority = compiled.priority();
    this.uid = compiled.source().uid();
    this.queueTimeMillis = queueTimeMillis;
    this.backoffEnd = backoffEnd;
  }

  /** {@return the workload} */
  public CompiledWorkload compiled() {
    return compiled;
  }

  /** {@return what the state that has queued it knows of it; forks know of it on their own} */
  public Object record() {
    return record;
  }

  /** {@return its identity} */
  public WorkloadId id() {
    return id;
  }

  /** {@return the time that orders it, in milliseconds since the epoch} */
  public long queueTimeMillis() {
    return queueTimeMillis;
  }

  /** {@return whether it may be tried at {@code now}; rule U-20} */
  boolean isBackoffOver(Instant now) {
    return !now.isBefore(backoffEnd) && !backoffEnd.equals(Instant.MAX);
  }

  /** {@return less than 0 if the backoff of {@code a} ends before the backoff of {@code b}} */
  static int compareBackoff(PendingWorkload a, PendingWorkload b) {
    int byEnd = a.backoffEnd.compareTo(b.backoffEnd);
    return byEnd != 0 ? byEnd : compareAge(a, b);
  }

  /** {@return the time from which it may be tried, {@link Instant#MAX} for never} */
  public Instant backoffEnd() {
    return backoffEnd;
  }

  /** {@return less than 0 if {@code a} is served before {@code b}, stickiness aside; rule U-3} */
  public static int compareService(PendingWorkload a, PendingWorkload b) {
    if (a == b) { // most comparisons of equal ones
      return 0;
    }
    int byPriority = Long.compare(b.priority, a.priority);
    return byPriority != 0 ? byPriority : compareAge(a, b);
  }

  /**
   * {@return the order of service; copies of workloads stand where the originals do}
   *
   * @param first is served before all others of LocalQueues with the same usage, null for none
   * @param usages orders LocalQueues, 0 for those missing; null if their usage does not count
   * @param before an order that comes before priority and time
   */
  static Comparator<PendingWorkload> serviceOrder(
      @Nullable PendingWorkload first,
      @Nullable Map<String, Double> usages,
      Comparator<PendingWorkload> before) {
    Comparator<PendingWorkload> order = before.thenComparing(PendingWorkload::compareService);
    if (first != null) {
      WorkloadId id = first.id();
      order = Comparator.comparing((PendingWorkload workload) -> !workload.id().equals(id))
          .thenComparing(order);
    }
    return usages == null
        ? order
        : Comparator.comparingDouble((PendingWorkload workload) ->
                usages.getOrDefault(workload.compiled().localQueue(), 0.0))
            .thenComparing(order);
  }

  /**
   * {@return the result of {@link #compareService}, or of {@link #compareAge} if priority does not
   * count, but without the id as last criterion}
   */
  public static int compareWithoutId(PendingWorkload a, PendingWorkload b, boolean byPriority) {
    int result = byPriority ? Long.compare(b.priority, a.priority) : 0;
    return result != 0 ? result : Long.compare(a.queueTimeMillis, b.queueTimeMillis);
  }

  /** {@return less than 0 if {@code a} is older than {@code b}; the id breaks ties} */
  public static int compareAge(PendingWorkload a, PendingWorkload b) {
    int byTime = Long.compare(a.queueTimeMillis, b.queueTimeMillis);
    if (byTime != 0) {
      return byTime;
    }
    int byUid = a.uid.compareTo(b.uid);
    return byUid != 0 ? byUid : a.id.compareTo(b.id);
  }

  @Override
  public String toString() {
    return compiled.toString();
  }
}
