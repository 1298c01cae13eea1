package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Instant;
import org.immutables.value.Value;

/**
 * The decision to admit a workload: the flavors, nodes and slices that its pods get. The workload
 * holds the quota from {@link #quotaReservedTime()} until it finishes or its pods have stopped.
 *
 * <p>Kueue: {@code Workload.status.admission}. Rules: M-31, S-22.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Admission {
  Admission() {}

  /** {@return a new builder; workload, clusterQueue and quotaReservedTime are required} */
  public static Builder builder() {
    return ImmutableAdmission.builder();
  }

  /** {@return the workload} */
  public abstract WorkloadId workload();

  /** {@return the ClusterQueue whose quota the workload holds} */
  public abstract String clusterQueue();

  /** {@return the assignment of each pod set} */
  public abstract ImmutableList<PodSetAssignment> podSetAssignments();

  /** {@return when the quota was reserved} */
  public abstract Instant quotaReservedTime();

  /** Builds {@link Admission}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the workload. */
    @CanIgnoreReturnValue
    public abstract Builder workload(WorkloadId workload);

    /** Sets the ClusterQueue. */
    @CanIgnoreReturnValue
    public abstract Builder clusterQueue(String clusterQueue);

    /** Adds assignments. */
    @CanIgnoreReturnValue
    public abstract Builder addPodSetAssignments(PodSetAssignment... assignments);

    /** Adds assignments. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPodSetAssignments(
        Iterable<? extends PodSetAssignment> assignments);

    /** Sets when the quota was reserved. */
    @CanIgnoreReturnValue
    public abstract Builder quotaReservedTime(Instant time);

    /**
     * {@return the admission}
     *
     * @throws IllegalStateException if a required value is missing
     */
    public abstract Admission build();
  }
}
