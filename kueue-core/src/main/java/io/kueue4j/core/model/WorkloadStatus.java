package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.internal.support.SingletonStyle;
import java.time.Duration;
import java.time.Instant;
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
    return ImmutableWorkloadStatus.builder();
  }

  /** {@return the status of a workload to which nothing has happened} */
  public static WorkloadStatus empty() {
    return ImmutableWorkloadStatus.of();
  }

  /** {@return the conditions, at most one of each type} */
  public abstract ImmutableList<WorkloadCondition> conditions();

  /** {@return the states of the admission checks, ordered by name} */
  public abstract ImmutableList<AdmissionCheckState> admissionChecks();

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
  public abstract ImmutableList<EvictionCount> evictions();

  /** {@return the states of the preemption gates that were ever opened, ordered by name} */
  public abstract ImmutableList<PreemptionGateState> preemptionGates();

  /**
   * {@return the failed nodes of the workload whose pods wait for another place}
   *
   * <p>Kueue: {@code status.unhealthyNodes}. Rules: T-80.
   */
  public abstract ImmutableList<String> unhealthyNodes();

  /**
   * {@return the status of each variant, in the order of the ClusterQueue's flavors; empty unless
   * the queue has a {@link ConcurrentAdmissionPolicy}}
   */
  public abstract ImmutableList<VariantStatus> variants();

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
  public abstract static class Builder {
    Builder() {}

    /** Adds conditions. */
    @CanIgnoreReturnValue
    public abstract Builder addConditions(WorkloadCondition... conditions);

    /** Adds conditions. */
    @CanIgnoreReturnValue
    public abstract Builder addAllConditions(Iterable<? extends WorkloadCondition> conditions);

    /** Replaces the conditions added so far. */
    @CanIgnoreReturnValue
    public abstract Builder conditions(Iterable<? extends WorkloadCondition> conditions);

    /** Adds states of admission checks. */
    @CanIgnoreReturnValue
    public abstract Builder addAdmissionChecks(AdmissionCheckState... checks);

    /** Adds states of admission checks. */
    @CanIgnoreReturnValue
    public abstract Builder addAllAdmissionChecks(Iterable<? extends AdmissionCheckState> checks);

    /** Sets how often the pods were not ready in time. */
    @CanIgnoreReturnValue
    public abstract Builder requeueCount(int count);

    /** Sets the time before which the workload is not tried again. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAt(Instant time);

    /** Sets or clears the time before which the workload is not tried again. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAt(Optional<? extends Instant> time);

    /** Sets the total time that the workload was admitted. */
    @CanIgnoreReturnValue
    public abstract Builder accumulatedPastExecutionTime(Duration time);

    /** Adds numbers of evictions. */
    @CanIgnoreReturnValue
    public abstract Builder addAllEvictions(Iterable<? extends EvictionCount> evictions);

    /** Adds states of preemption gates. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPreemptionGates(Iterable<? extends PreemptionGateState> gates);

    /** Adds failed nodes. */
    @CanIgnoreReturnValue
    public abstract Builder addUnhealthyNodes(String... names);

    /** Adds failed nodes. */
    @CanIgnoreReturnValue
    public abstract Builder addAllUnhealthyNodes(Iterable<String> names);

    /** Adds the status of variants. */
    @CanIgnoreReturnValue
    public abstract Builder addAllVariants(Iterable<? extends VariantStatus> variants);

    /** Copies every value that is set in {@code status}; the others stay as they are. */
    @CanIgnoreReturnValue
    public abstract Builder from(WorkloadStatus status);

    /** {@return the status} */
    public abstract WorkloadStatus build();
  }
}
