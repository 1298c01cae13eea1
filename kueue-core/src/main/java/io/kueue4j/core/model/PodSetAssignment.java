package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * What one pod set of an admitted workload gets: flavors, the charged quota, and the placement of
 * its pods.
 *
 * <p>Kueue: {@code Workload.status.admission.podSetAssignments[]}. Rules: M-31, F-34.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class PodSetAssignment {
  PodSetAssignment() {}

  /** {@return a new builder; name and count are required} */
  public static Builder builder() {
    return ImmutablePodSetAssignment.builder();
  }

  /** {@return the name of the pod set} */
  public abstract String name();

  /** {@return the number of pods admitted} */
  public abstract int count();

  /** {@return the flavor of each resource} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> flavors();

  /**
   * {@return the amount charged for all pods together, by resource: milli-units of cpu, whole units
   * of everything else}
   */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, Long> resourceUsage();

  /**
   * {@return where the pods are placed, absent if placement does not matter or is not decided yet}
   */
  public abstract Optional<TopologyAssignment> topologyAssignment();

  /** {@return the TPU slices that the pods run on, in the order of their numbers} */
  public abstract ImmutableList<SliceAssignment> slices();

  /**
   * {@return the state of a placement that is decided after quota reservation; absent for pods that
   * are placed together with it, or not at all}
   */
  public abstract Optional<DelayedTopologyRequest> delayedTopologyRequest();

  /**
   * The state of a placement that is decided only after quota reservation, because an admission
   * check influences it.
   *
   * <p>Kueue: {@code podSetAssignments[].delayedTopologyRequest}. Rules: T-76, T-77.
   */
  public enum DelayedTopologyRequest {
    /** The pods are not placed yet. */
    PENDING("Pending"),
    /** The pods are placed. */
    READY("Ready");

    private final String text;

    DelayedTopologyRequest(String text) {
      this.text = text;
    }

    /** {@return the name in Kueue's status} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** Builds {@link PodSetAssignment}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the pod set. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets the number of pods. */
    @CanIgnoreReturnValue
    public abstract Builder count(int count);

    /** Sets the flavor of a resource. */
    @CanIgnoreReturnValue
    public abstract Builder putFlavors(String resource, String flavor);

    /** Sets the flavors, by resource. */
    @CanIgnoreReturnValue
    public abstract Builder putAllFlavors(Map<String, ? extends String> flavors);

    /** Adds an entry to the map of the generated builder, for {@link #resourceUsageAmount}. */
    @CanIgnoreReturnValue
    abstract Builder putResourceUsage(String resource, long amount);

    /**
     * Sets what is charged for a resource, for all pods together, as an amount.
     *
     * @param resource the resource
     * @param amount milli-units of {@code cpu}, whole units of every other resource
     */
    @CanIgnoreReturnValue
    public Builder resourceUsageAmount(String resource, long amount) {
      return putResourceUsage(resource, amount);
    }

    /** Sets what is charged, by resource; amounts as in {@link #resourceUsageAmount}. */
    @CanIgnoreReturnValue
    public abstract Builder putAllResourceUsage(Map<String, ? extends Long> usage);

    /** Sets where the pods are placed. */
    @CanIgnoreReturnValue
    public abstract Builder topologyAssignment(TopologyAssignment assignment);

    /** Sets or clears where the pods are placed. */
    @CanIgnoreReturnValue
    public abstract Builder topologyAssignment(Optional<? extends TopologyAssignment> assignment);

    /** Adds TPU slices that the pods run on. */
    @CanIgnoreReturnValue
    public abstract Builder addSlices(SliceAssignment... slices);

    /** Adds TPU slices that the pods run on. */
    @CanIgnoreReturnValue
    public abstract Builder addAllSlices(Iterable<? extends SliceAssignment> slices);

    /** Sets the state of a placement that is decided after quota reservation. */
    @CanIgnoreReturnValue
    public abstract Builder delayedTopologyRequest(DelayedTopologyRequest state);

    /** Copies every value that is set in {@code assignment}; the others stay as they are. */
    @CanIgnoreReturnValue
    public abstract Builder from(PodSetAssignment assignment);

    /**
     * {@return the assignment}
     *
     * @throws IllegalStateException if the name or the count is missing
     * @throws IllegalArgumentException if the flavor or the usage of a resource was added twice
     */
    public abstract PodSetAssignment build();
  }
}
