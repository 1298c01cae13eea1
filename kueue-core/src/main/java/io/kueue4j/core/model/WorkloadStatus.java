package io.kueue4j.core.model;

import io.kueue4j.core.internal.support.SingletonStyle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * What has happened to a workload so far, except for its {@link Admission}. Another engine can
 * restore the workload from both.
 *
 * <p>Kueue: {@code Workload.status}, without {@code admission}. Rules: L-1, L-2.
 *
 * @since 0.1.0
 */
@Value.Immutable
@SingletonStyle
public abstract class WorkloadStatus {
  WorkloadStatus() {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the status of a workload to which nothing has happened} */
  public static WorkloadStatus empty() {
    return ImmutableWorkloadStatus.of();
  }

  /** {@return the conditions, at most one of each type} */
  public abstract List<WorkloadCondition> conditions();

  /** {@return the states of the admission checks, ordered by name} */
  public abstract List<AdmissionCheckState> admissionChecks();

  /** {@return how often the pods were not ready in time} */
  @Value.Default
  public int requeueCount() {
    return 0;
  }

  /** {@return the time before which the workload is not tried again} */
  public abstract Optional<Instant> requeueAt();

  /**
   * {@return the total time that the workload was admitted before it stopped last, in whole
   * seconds}
   */
  @Value.Default
  public Duration accumulatedPastExecutionTime() {
    return Duration.ZERO;
  }

  /**
   * {@return the number of evictions by reason and cause, in the order of the first eviction of
   * each}
   */
  public abstract List<EvictionCount> evictions();

  /** {@return the states of the preemption gates that were ever opened, ordered by name} */
  public abstract List<PreemptionGateState> preemptionGates();

  /**
   * {@return the failed nodes of the workload whose pods wait for another place}
   *
   * <p>Kueue: {@code status.unhealthyNodes}. Rules: T-80.
   */
  public abstract List<String> unhealthyNodes();

  /**
   * {@return the status of each variant, in the order of the ClusterQueue's flavors; empty unless
   * the queue has a {@link ConcurrentAdmissionPolicy}}
   */
  public abstract List<VariantStatus> variants();

  /** {@return the condition of this type, absent if it is neither true nor false yet} */
  public Optional<WorkloadCondition> condition(ConditionType type) {
    return conditions().stream().filter(condition -> condition.type() == type).findFirst();
  }

  /** {@return whether the condition of this type is true} */
  public boolean isTrue(ConditionType type) {
    return condition(type).filter(WorkloadCondition::isTrue).isPresent();
  }

  /** {@return the state of this admission check, absent if the check is not required} */
  public Optional<AdmissionCheckState> admissionCheck(String name) {
    return admissionChecks().stream().filter(check -> check.name().equals(name)).findFirst();
  }

  /** {@return the phase that follows from the conditions} */
  @Value.Lazy
  public WorkloadPhase phase() {
    if (isTrue(ConditionType.ADMITTED)) {
      return WorkloadPhase.ADMITTED;
    }
    return isTrue(ConditionType.QUOTA_RESERVED)
        ? WorkloadPhase.QUOTA_RESERVED
        : WorkloadPhase.PENDING;
  }

  /** Builds {@link WorkloadStatus}es; reusable, not thread-safe. */
  public static final class Builder extends ImmutableWorkloadStatus.Builder {
    Builder() {}
  }
}
