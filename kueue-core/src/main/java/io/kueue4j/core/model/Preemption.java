package io.kueue4j.core.model;

import io.kueue4j.core.internal.support.SingletonStyle;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * Which workloads the workloads of a ClusterQueue may preempt; none by default.
 *
 * <pre>{@code
 * Preemption.builder()
 *     .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
 *     .reclaimWithinCohort(Policy.ANY)
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

  /**
   * Which workloads may be preempted, compared with the preemptor.
   *
   * @since 0.1.0
   */
  public enum Policy {
    /** None. */
    NEVER("Never"),
    /** Those of lower priority. */
    LOWER_PRIORITY("LowerPriority"),
    /** Those of lower priority, and newer ones of equal priority. */
    LOWER_OR_NEWER_EQUAL_PRIORITY("LowerOrNewerEqualPriority"),
    /** All. */
    ANY("Any");

    private final String text;

    Policy(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

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
  public Policy withinClusterQueue() {
    return Policy.NEVER;
  }

  /** {@return which workloads of other queues that borrow may be preempted} */
  @Value.Default
  public Policy reclaimWithinCohort() {
    return Policy.NEVER;
  }

  /**
   * {@return which workloads of other queues may be preempted while this queue borrows itself:
   * never or lower priority}
   */
  @Value.Default
  public Policy borrowWithinCohort() {
    return Policy.NEVER;
  }

  /**
   * {@return the highest priority of workloads that {@link #borrowWithinCohort} lets be preempted;
   * absent if its policy alone counts}
   */
  public abstract OptionalInt maxPriorityThreshold();

  /** Builds {@link Preemption}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutablePreemption.Builder {
    Builder() {}
  }
}
