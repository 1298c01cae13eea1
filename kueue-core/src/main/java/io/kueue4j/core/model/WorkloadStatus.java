package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.support.SingletonStyle;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * What has happened to a workload so far, beside what it was admitted on: enough to go on from
 * there in another engine.
 *
 * <p>Kueue: {@code Workload.status}, without {@code admission}. Rules: L-1, L-2.
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

  /** {@return what is known to be true or false of it, one of each type at most} */
  public abstract ImmutableList<WorkloadCondition> conditions();

  /** {@return where its admission checks stand, by name} */
  public abstract ImmutableList<AdmissionCheckState> admissionChecks();

  /** {@return how often its pods were not ready in time} */
  @Value.Default
  public int requeueCount() {
    return 0;
  }

  /** {@return before when it is not to be tried again} */
  public abstract Optional<Instant> requeueAt();

  /** {@return how long it was admitted, in whole seconds, up to when it stopped last} */
  @Value.Default
  public Duration accumulatedPastExecutionTime() {
    return Duration.ZERO;
  }

  /**
   * {@return how often it was told to stop, by reason and cause, in the order of the first time}
   */
  public abstract ImmutableList<EvictionCount> evictions();

  /** {@return where its preemption gates stand, those that were opened or closed again, by name} */
  public abstract ImmutableList<PreemptionGateState> preemptionGates();

  /**
   * {@return the nodes of it that have failed and for whose pods another place is searched}
   *
   * <p>Kueue: {@code status.unhealthyNodes}. Rules: T-80.
   */
  public abstract ImmutableList<String> unhealthyNodes();

  /**
   * {@return its attempts on each flavor, in the order of its ClusterQueue; empty unless that lets
   * it try all flavors at a time}
   */
  public abstract ImmutableList<VariantStatus> variants();

  /** {@return the condition of that type, absent if it is neither true nor false yet} */
  public Optional<WorkloadCondition> condition(ConditionType type) {
    return conditions().stream().filter(condition -> condition.type() == type).findFirst();
  }

  /** {@return whether that is known to be true} */
  public boolean isTrue(ConditionType type) {
    return condition(type).filter(WorkloadCondition::isTrue).isPresent();
  }

  /** {@return where that admission check stands, absent if it is not asked for} */
  public Optional<AdmissionCheckState> admissionCheck(String name) {
    return admissionChecks().stream().filter(check -> check.name().equals(name)).findFirst();
  }

  /** {@return how far it has come} */
  @Value.Lazy
  public WorkloadPhase phase() {
    if (isTrue(ConditionType.ADMITTED)) {
      return WorkloadPhase.ADMITTED;
    }
    return isTrue(ConditionType.QUOTA_RESERVED)
        ? WorkloadPhase.QUOTA_RESERVED
        : WorkloadPhase.PENDING;
  }

  /** Builds {@link WorkloadStatus}es; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Adds conditions. */
    @CanIgnoreReturnValue
    public abstract Builder addConditions(WorkloadCondition... conditions);

    /** Adds conditions. */
    @CanIgnoreReturnValue
    public abstract Builder addAllConditions(Iterable<? extends WorkloadCondition> conditions);

    /** Sets the conditions, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder conditions(Iterable<? extends WorkloadCondition> conditions);

    /** Adds where admission checks stand. */
    @CanIgnoreReturnValue
    public abstract Builder addAdmissionChecks(AdmissionCheckState... checks);

    /** Adds where admission checks stand. */
    @CanIgnoreReturnValue
    public abstract Builder addAllAdmissionChecks(Iterable<? extends AdmissionCheckState> checks);

    /** Sets how often its pods were not ready in time. */
    @CanIgnoreReturnValue
    public abstract Builder requeueCount(int count);

    /** Sets before when it is not to be tried again. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAt(Instant time);

    /** Sets or clears before when it is not to be tried again. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAt(Optional<? extends Instant> time);

    /** Sets how long it was admitted. */
    @CanIgnoreReturnValue
    public abstract Builder accumulatedPastExecutionTime(Duration time);

    /** Adds how often it was told to stop. */
    @CanIgnoreReturnValue
    public abstract Builder addAllEvictions(Iterable<? extends EvictionCount> evictions);

    /** Adds where preemption gates stand. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPreemptionGates(Iterable<? extends PreemptionGateState> gates);

    /** Adds nodes that have failed. */
    @CanIgnoreReturnValue
    public abstract Builder addUnhealthyNodes(String... names);

    /** Adds nodes that have failed. */
    @CanIgnoreReturnValue
    public abstract Builder addAllUnhealthyNodes(Iterable<String> names);

    /** Adds attempts on flavors. */
    @CanIgnoreReturnValue
    public abstract Builder addAllVariants(Iterable<? extends VariantStatus> variants);

    /** Adds what {@code status} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(WorkloadStatus status);

    /** {@return the status} */
    public abstract WorkloadStatus build();
  }
}
