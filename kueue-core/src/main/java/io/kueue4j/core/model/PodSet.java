package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.tpu.SliceRequest;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * A number of equal pods of a workload.
 *
 * <p>Kueue: {@code Workload.spec.podSets[]}. Rules: M-25, M-26, T-16, TPU-F-5, TPU-F-22.
 */
@Value.Immutable
public abstract class PodSet {
  PodSet() {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return ImmutablePodSet.builder();
  }

  /** {@return the name, unique in the workload} */
  @Value.Default
  public String name() {
    return "main";
  }

  /** {@return the number of pods, at least 0} */
  @Value.Default
  public int count() {
    return 1;
  }

  /** {@return the number of pods that the workload can do with, absent if it needs all} */
  public abstract OptionalInt minCount();

  /**
   * {@return what one pod requests, by resource: milli-units of cpu, whole units of everything
   * else}
   */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, Long> requests();

  /**
   * {@return what one pod takes of a node, by resource, if that differs from {@link #requests},
   * because quota is counted in other resources}
   */
  public abstract Optional<ImmutableSortedMap<String, Long>> podRequests();

  /** {@return how close together its pods are to be} */
  @Value.Default
  public TopologyRequest topologyRequest() {
    return TopologyRequest.none();
  }

  /**
   * {@return the slices of TPU chips that its pods run on, one pod on each host; absent if its pods
   * take chips as they come, or none}
   */
  public abstract Optional<SliceRequest> sliceRequest();

  /** {@return the node labels that its pods select} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> nodeSelector();

  /** {@return the tolerations of its pods} */
  public abstract ImmutableList<Toleration> tolerations();

  /** {@return the required node affinity of its pods: alternatives, empty for none} */
  public abstract ImmutableList<NodeSelectorTerm> nodeAffinity();

  /**
   * {@return the preferred node affinity of its pods; it counts for placement only, and only if the
   * feature gate {@code TASRespectNodeAffinityPreferred} is on}
   */
  public abstract ImmutableList<PreferredNodeTerm> preferredNodeAffinity();

  /**
   * {@return the name shared by pod sets that must get the same flavors, absent if it stands alone}
   */
  public abstract Optional<String> group();

  /**
   * {@return whatever else makes two pod sets differ for scheduling, such as ports or spread
   * constraints, in any form}
   *
   * <p>Two pod sets that are equal but for this are tried one by one, two equal ones are given up
   * together (rule R-10).
   */
  @Value.Default
  public String shape() {
    return "";
  }

  /** Builds {@link PodSet}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets the number of pods. */
    @CanIgnoreReturnValue
    public abstract Builder count(int count);

    /** Sets the number of pods that the workload can do with. */
    @CanIgnoreReturnValue
    public abstract Builder minCount(int minCount);

    /** Sets or clears the number of pods that the workload can do with. */
    @CanIgnoreReturnValue
    public abstract Builder minCount(OptionalInt minCount);

    /**
     * Sets what one pod requests of a resource: milli-units of cpu, whole units of everything else.
     */
    @CanIgnoreReturnValue
    public abstract Builder putRequests(String resource, long amount);

    /** Sets what one pod requests, by resource. */
    @CanIgnoreReturnValue
    public abstract Builder putAllRequests(Map<String, ? extends Long> requests);

    /** Sets what one pod requests, by resource, instead of what was set so far. */
    @CanIgnoreReturnValue
    public abstract Builder requests(Map<String, ? extends Long> requests);

    /**
     * Sets what one pod requests of a resource, in Kubernetes notation.
     *
     * @throws IllegalArgumentException if {@code quantity} is not a quantity
     */
    @CanIgnoreReturnValue
    public Builder request(String resource, String quantity) {
      return putRequests(resource, Quantity.amount(resource, quantity));
    }

    /** Sets what one pod takes of a node, by resource, where it differs from the requests. */
    @CanIgnoreReturnValue
    public abstract Builder podRequests(ImmutableSortedMap<String, Long> requests);

    /** Sets how close together its pods are to be. */
    @CanIgnoreReturnValue
    public abstract Builder topologyRequest(TopologyRequest request);

    /** Sets the slices of TPU chips that its pods run on. */
    @CanIgnoreReturnValue
    public abstract Builder sliceRequest(SliceRequest request);

    /** Sets or clears the slices of TPU chips that its pods run on. */
    @CanIgnoreReturnValue
    public abstract Builder sliceRequest(Optional<? extends SliceRequest> request);

    /** Adds a selected node label. */
    @CanIgnoreReturnValue
    public abstract Builder putNodeSelector(String key, String value);

    /** Adds selected node labels. */
    @CanIgnoreReturnValue
    public abstract Builder putAllNodeSelector(Map<String, ? extends String> labels);

    /** Sets the selected node labels, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder nodeSelector(Map<String, ? extends String> labels);

    /** Adds tolerations. */
    @CanIgnoreReturnValue
    public abstract Builder addTolerations(Toleration... tolerations);

    /** Adds tolerations. */
    @CanIgnoreReturnValue
    public abstract Builder addAllTolerations(Iterable<? extends Toleration> tolerations);

    /** Adds alternatives of the required node affinity. */
    @CanIgnoreReturnValue
    public abstract Builder addAllNodeAffinity(Iterable<? extends NodeSelectorTerm> terms);

    /** Sets the required node affinity, instead of the alternatives added so far. */
    @CanIgnoreReturnValue
    public abstract Builder nodeAffinity(Iterable<? extends NodeSelectorTerm> terms);

    /** Adds nodes that its pods would rather run on. */
    @CanIgnoreReturnValue
    public abstract Builder addPreferredNodeAffinity(PreferredNodeTerm... terms);

    /** Adds nodes that its pods would rather run on. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPreferredNodeAffinity(
        Iterable<? extends PreferredNodeTerm> terms);

    /** Sets the group. */
    @CanIgnoreReturnValue
    public abstract Builder group(String group);

    /** Sets or clears the group. */
    @CanIgnoreReturnValue
    public abstract Builder group(Optional<String> group);

    /** Sets what else makes pod sets differ. */
    @CanIgnoreReturnValue
    public abstract Builder shape(String shape);

    /** Adds what {@code podSet} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(PodSet podSet);

    /** {@return the pod set} */
    public abstract PodSet build();
  }
}
