package io.kueue4j.core.model;

import io.kueue4j.core.internal.support.SingletonStyle;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * Which workloads the workloads of a ClusterQueue may preempt; none by default.
 *
 * <pre>{@code
 * Preemption.builder()
 *     .withinClusterQueue(PreemptionPolicy.LOWER_PRIORITY)
 *     .reclaimWithinCohort(PreemptionPolicy.ANY)
 *     .build();
 * }</pre>
 *
 * <p>Kueue: {@code ClusterQueue.spec.preemption}. Rules: M-7, M-11, F-16.
 *
 * @since 0.1.0
 */
@Value.Immutable
@SingletonStyle
public abstract class Preemption {
  Preemption() {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the default: no preemption} */
  public static Preemption never() {
    return ImmutablePreemption.of();
  }

  /** {@return which workloads of the same queue may be preempted} */
  @Value.Default
  public PreemptionPolicy withinClusterQueue() {
    return PreemptionPolicy.NEVER;
  }

  /** {@return which workloads of other queues that borrow may be preempted} */
  @Value.Default
  public PreemptionPolicy reclaimWithinCohort() {
    return PreemptionPolicy.NEVER;
  }

  /**
   * {@return which workloads of other queues may be preempted while this queue borrows itself:
   * never or lower priority}
   */
  @Value.Default
  public PreemptionPolicy borrowWithinCohort() {
    return PreemptionPolicy.NEVER;
  }

  /** {@return with {@link #borrowWithinCohort}, only workloads up to this priority} */
  public abstract OptionalInt maxPriorityThreshold();

  /** Builds {@link Preemption}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutablePreemption.Builder {
    Builder() {}
  }
}
