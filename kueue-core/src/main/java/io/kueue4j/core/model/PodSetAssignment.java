package io.kueue4j.core.model;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
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
    return new Builder();
  }

  /** {@return the name of the pod set} */
  public abstract String name();

  /** {@return the number of pods admitted} */
  public abstract int count();

  /** {@return the flavor of each resource} */
  @Value.NaturalOrder
  public abstract SortedMap<String, String> flavors();

  /**
   * {@return the amount charged for all pods together, by resource: milli-units of cpu, whole units
   * of everything else}
   */
  @Value.NaturalOrder
  public abstract SortedMap<String, Long> resourceUsage();

  /**
   * {@return where the pods are placed, absent if placement does not matter or is not decided yet}
   */
  public abstract Optional<TopologyAssignment> topologyAssignment();

  /** {@return the TPU slices that the pods run on, in the order of their numbers} */
  public abstract List<SliceAssignment> slices();

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

  /**
   * Builds {@link PodSetAssignment}s; reusable, not thread-safe. Amounts are milli-units of
   * {@code cpu}, whole units of every other resource.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if the flavor or the usage of a
   * resource was added twice.
   */
  public static final class Builder extends ImmutablePodSetAssignment.Builder {
    Builder() {}

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
  }
}
