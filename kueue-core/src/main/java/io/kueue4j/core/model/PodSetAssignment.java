package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * What one pod set was given.
 *
 * <p>Kueue: {@code Workload.status.admission.podSetAssignments[]}. Rules: M-31, F-34.
 */
@Value.Immutable
public abstract class PodSetAssignment {
  PodSetAssignment() {}

  /** {@return a new builder; name and count are required} */
  public static Builder builder() {
    return ImmutablePodSetAssignment.builder();
  }

  /** {@return the pod set} */
  public abstract String name();

  /** {@return the number of pods admitted} */
  public abstract int count();

  /** {@return the flavor of each resource} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> flavors();

  /** {@return the amount charged for all pods together, by resource} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, Long> resourceUsage();

  /** {@return where its pods go, absent if placement does not matter, or is not decided yet} */
  public abstract Optional<TopologyAssignment> topologyAssignment();

  /** {@return the slices of TPU chips that its pods run on, in the order of their numbers} */
  public abstract ImmutableList<SliceAssignment> slices();

  /**
   * {@return whether where its pods go is decided only after quota was reserved, and whether it has
   * been; absent for pods that are placed at once, or not at all}
   */
  public abstract Optional<DelayedTopologyRequest> delayedTopologyRequest();

  /**
   * Whether pods have been placed whose place is decided after their quota was reserved, because an
   * admission check has a say in it.
   *
   * <p>Kueue: {@code podSetAssignments[].delayedTopologyRequest}. Rules: T-76, T-77.
   */
  public enum DelayedTopologyRequest {
    /** Not yet. */
    PENDING("Pending"),
    /** They have. */
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

  /** Builds {@link PodSetAssignment}s; reusable, not safe for several threads. */
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

    /** Sets the amount charged for a resource. */
    @CanIgnoreReturnValue
    public abstract Builder putResourceUsage(String resource, long amount);

    /** Sets the amounts charged, by resource. */
    @CanIgnoreReturnValue
    public abstract Builder putAllResourceUsage(Map<String, ? extends Long> usage);

    /** Sets where its pods go. */
    @CanIgnoreReturnValue
    public abstract Builder topologyAssignment(TopologyAssignment assignment);

    /** Sets or clears where its pods go. */
    @CanIgnoreReturnValue
    public abstract Builder topologyAssignment(Optional<? extends TopologyAssignment> assignment);

    /** Adds slices of TPU chips that its pods run on. */
    @CanIgnoreReturnValue
    public abstract Builder addSlices(SliceAssignment... slices);

    /** Adds slices of TPU chips that its pods run on. */
    @CanIgnoreReturnValue
    public abstract Builder addAllSlices(Iterable<? extends SliceAssignment> slices);

    /** Sets whether pods have been placed whose place is decided later. */
    @CanIgnoreReturnValue
    public abstract Builder delayedTopologyRequest(DelayedTopologyRequest state);

    /** Adds what {@code assignment} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(PodSetAssignment assignment);

    /** {@return the assignment} */
    public abstract PodSetAssignment build();
  }
}
