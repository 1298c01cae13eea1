package io.kueue4j.core.internal.lifecycle;

import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The deadlines of an admitted workload.
 *
 * <p>Rules: L-15, L-16, L-21.
 */
public final class Deadlines {
  private Deadlines() {}

  /**
   * A deadline.
   *
   * @param time the time at which it expires
   * @param cause the cause of the eviction when it expires
   */
  public record Deadline(Instant time, EvictionCause cause) {
    /** {@return whether the time can be represented; otherwise the deadline never expires} */
    boolean isEverReached() {
      return time.isBefore(Instant.MAX);
    }
  }

  /**
   * {@return the deadline that expires first; at equal times, the deadline of the execution time}
   */
  public static Optional<Deadline> next(
      Workload workload, LifecycleState state, Optional<PodsReadyPolicy> policy) {
    if (policy.isEmpty() && workload.maximumExecutionTime().isEmpty()) {
      return Optional.empty();
    }
    return Stream.concat(
            execution(workload, state).stream(),
            policy.flatMap(known -> podsReady(workload, state, known)).stream())
        .min((a, b) -> a.time.compareTo(b.time));
  }

  /** {@return the deadline of the maximum execution time, absent if there is none} */
  public static Optional<Deadline> execution(Workload workload, LifecycleState state) {
    if (!workload.active()) {
      return Optional.empty();
    }
    return workload
        .maximumExecutionTime()
        .flatMap(most -> state
            .conditions()
            .ifTrue(ConditionType.ADMITTED)
            .map(admitted -> new Deadline(
                TimeMath.saturatedAdd(
                    admitted.lastTransitionTime(),
                    TimeMath.saturatedSubtract(most, state.pastExecution())),
                EvictionCause.MAXIMUM_EXECUTION_TIME_EXCEEDED)))
        .filter(Deadline::isEverReached);
  }

  /** {@return the deadline for the pods to be ready, absent if they are ready or need not be} */
  public static Optional<Deadline> podsReady(
      Workload workload, LifecycleState state, PodsReadyPolicy policy) {
    if (!workload.active() || state.isEvicted()) {
      return Optional.empty();
    }
    Optional<WorkloadCondition> admitted = state.conditions().ifTrue(ConditionType.ADMITTED);
    Optional<WorkloadCondition> ready = state.conditions().get(ConditionType.PODS_READY);
    if (admitted.isEmpty() || ready.filter(WorkloadCondition::isTrue).isPresent()) {
      return Optional.empty();
    }
    boolean recovers = ready
        .filter(known -> known.reason().equals(LifecycleState.WAIT_FOR_RECOVERY))
        .isPresent();
    Duration timeout = recovers ? policy.recoveryTimeout() : policy.timeout();
    return (recovers ? ready : admitted)
        .filter(since -> !recovers || !timeout.isZero())
        .map(since -> new Deadline(
            TimeMath.saturatedAdd(since.lastTransitionTime(), timeout),
            recovers ? EvictionCause.WAIT_FOR_RECOVERY : EvictionCause.WAIT_FOR_START))
        .filter(Deadline::isEverReached);
  }
}
