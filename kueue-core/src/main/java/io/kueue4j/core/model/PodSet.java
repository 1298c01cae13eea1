package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.tpu.SliceRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import org.immutables.value.Value;

/**
 * A group of identical pods of a workload.
 *
 * <p>Kueue: {@code Workload.spec.podSets[]}. Rules: M-25, M-26, T-16, TPU-F-5, TPU-F-22.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class PodSet {
  PodSet() {}

  /**
   * One weighted term of the preferred node affinity of a pod.
   *
   * <p>Kubernetes: {@code preferredDuringSchedulingIgnoredDuringExecution} of a node affinity.
   * Rules: T-61.
   *
   * @param weight the weight, from 1 to 100
   * @param preference the preferred nodes
   * @since 0.1.0
   */
  public record PreferredNodeTerm(int weight, NodeSelectorTerm preference) {
    /**
     * Creates the term.
     *
     * @throws IllegalArgumentException if the weight is not 1 to 100
     */
    public PreferredNodeTerm {
      checkArgument(
          weight >= 1 && weight <= 100,
          "the weight is %s, expected a number from 1 to 100",
          weight);
    }
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the name, unique in the workload; {@code main} by default} */
  @Value.Default
  public String name() {
    return "main";
  }

  /** {@return the number of pods, at least 0; 1 by default} */
  @Value.Default
  public int count() {
    return 1;
  }

  /**
   * {@return the minimum number of pods for partial admission, absent if the workload needs all
   * pods}
   */
  public abstract OptionalInt minCount();

  /**
   * {@return the requests of one pod, by resource: milli-units of cpu, whole units of everything
   * else}
   */
  @Value.NaturalOrder
  public abstract SortedMap<String, Long> requests();

  /**
   * {@return the amounts that one pod uses on a node, by resource; absent if they equal
   * {@link #requests}. They differ if quota is counted in other resources}
   */
  public abstract Optional<SortedMap<String, Long>> podRequests();

  /** {@return how close together the pods must be placed} */
  @Value.Default
  public TopologyRequest topologyRequest() {
    return TopologyRequest.none();
  }

  /**
   * {@return the TPU slices that the pods run on, one pod per host; absent if the pods use single
   * chips or none}
   */
  public abstract Optional<SliceRequest> sliceRequest();

  /** {@return the node selector of the pods} */
  @Value.NaturalOrder
  public abstract SortedMap<String, String> nodeSelector();

  /** {@return the tolerations of the pods} */
  public abstract List<Toleration> tolerations();

  /** {@return the alternatives of the required node affinity of the pods, empty for none} */
  public abstract List<NodeSelectorTerm> nodeAffinity();

  /**
   * {@return the preferred node affinity of the pods; used only for placement, and only if the
   * feature gate {@code TASRespectNodeAffinityPreferred} is on}
   */
  public abstract List<PreferredNodeTerm> preferredNodeAffinity();

  /**
   * {@return the name shared by pod sets that must get the same flavors, absent if the pod set is
   * in no group}
   */
  public abstract Optional<String> group();

  /**
   * {@return a text, in any form, for everything else that distinguishes pod sets for scheduling,
   * such as ports or spread constraints}
   *
   * <p>When a workload does not fit, workloads with equal pod sets are parked with it untried;
   * workloads that differ in this text are tried (rule R-10).
   */
  @Value.Default
  public String shape() {
    return "";
  }

  /** {@return this, with a copy of a map that could change} */
  @Value.Check
  PodSet copied() {
    return podRequests().filter(map -> !(map instanceof ImmutableSortedMap)).isEmpty()
        ? this
        : builder()
            .from(this)
            .podRequests(ImmutableSortedMap.copyOf(podRequests().get()))
            .build();
  }

  /**
   * Builds {@link PodSet}s; reusable, not thread-safe. Amounts are milli-units of {@code cpu},
   * whole units of every other resource.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if the request for a resource, or a
   * key of the node selector, was added twice.
   */
  public static final class Builder extends ImmutablePodSet.Builder {
    Builder() {}

    /**
     * Sets the request of one pod for a resource, as an amount.
     *
     * @param resource the resource
     * @param amount milli-units of {@code cpu}, whole units of every other resource
     */
    @CanIgnoreReturnValue
    public Builder requestAmount(String resource, long amount) {
      return putRequests(resource, amount);
    }

    /**
     * Sets the request of one pod for a resource, in Kubernetes notation.
     *
     * @throws IllegalArgumentException if {@code quantity} is not a quantity
     */
    @CanIgnoreReturnValue
    public Builder request(String resource, String quantity) {
      return requestAmount(resource, Quantity.amount(resource, quantity));
    }
  }
}
