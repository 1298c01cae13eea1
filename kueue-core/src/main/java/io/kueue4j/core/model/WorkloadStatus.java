package io.kueue4j.core.model;

import io.kueue4j.core.internal.support.SingletonStyle;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
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

  /**
   * The phase of a workload. There is no phase for finished workloads because the engine forgets
   * them.
   *
   * <p>Rules: L-2.
   *
   * @since 0.1.0
   */
  public enum Phase {
    /** The workload waits. */
    PENDING("pending"),
    /** The workload holds quota and waits for admission checks or for the placement of its pods. */
    QUOTA_RESERVED("quotaReserved"),
    /** The workload may run. */
    ADMITTED("admitted");

    private final String text;

    Phase(String text) {
      this.text = text;
    }

    /** {@return the name in Kueue's metrics} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * How often a workload was evicted for one reason and cause.
   *
   * <p>Kueue: {@code Workload.status.schedulingStats.evictions[]}. Rules: L-9.
   *
   * @param reason the reason
   * @param cause the cause, absent if the reason has only one
   * @param count the number of evictions, at least 1
   * @since 0.1.0
   */
  public record EvictionCount(EvictionReason reason, Optional<EvictionCause> cause, int count) {}

  /**
   * The state of a preemption gate of a workload.
   *
   * <p>Kueue: {@code Workload.status.preemptionGates[]}. Rules: L-25.
   *
   * @param name the gate
   * @param isOpen whether the gate lets the workload preempt others
   * @param lastTransitionTime the time of the last change
   * @since 0.1.0
   */
  public record PreemptionGateState(String name, boolean isOpen, Instant lastTransitionTime) {}

  /**
   * The status of a variant: the attempt of a workload to be admitted on one flavor.
   *
   * <p>Kueue: the status of a variant, which is a workload of its own there. Rules: CA-2.
   *
   * @param flavor the flavor
   * @param active whether the flavor is tried; false while the workload runs on a flavor that it
   *     would not leave for this one
   * @param admission the admission under the name of the workload; absent if the variant holds no
   *     quota
   * @param status the conditions, checks and preemption gates of the variant
   * @since 0.1.0
   */
  public record VariantStatus(
      String flavor, boolean active, Optional<Admission> admission, WorkloadStatus status) {}

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
   * {@return the number of pods that have ended and need no quota any more, by pod set}
   *
   * <p>Kueue: {@code status.reclaimablePods}. Rules: M-30, L-24.
   */
  @Value.NaturalOrder
  public abstract SortedMap<String, Integer> reclaimablePods();

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
  public Phase phase() {
    if (isTrue(ConditionType.ADMITTED)) {
      return Phase.ADMITTED;
    }
    return isTrue(ConditionType.QUOTA_RESERVED) ? Phase.QUOTA_RESERVED : Phase.PENDING;
  }

  /**
   * Builds {@link WorkloadStatus}es; reusable, not thread-safe.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if reclaimable pods of a pod set
   * were added twice.
   */
  public static final class Builder extends ImmutableWorkloadStatus.Builder {
    Builder() {}
  }
}
