package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Quantity;
import java.util.Map;
import org.immutables.value.Value;

/**
 * A node that pods can be placed on.
 *
 * <p>Kubernetes: {@code Node}. Rules: T-5, T-6, T-7, T-8.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract non-sealed class Node implements ConfigObject {
  Node() {}

  /** {@return a new builder; {@code name} is required} */
  public static Builder builder() {
    return ImmutableNode.builder();
  }

  /** {@return the name} */
  public abstract String name();

  /** {@return the labels} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> labels();

  /** {@return the taints} */
  public abstract ImmutableList<Taint> taints();

  /** {@return whether the node is ready; the engine places no pods on a node that is not} */
  @Value.Default
  public boolean ready() {
    return true;
  }

  /** {@return whether the node is cordoned; the engine places no pods on a cordoned node} */
  @Value.Default
  public boolean unschedulable() {
    return false;
  }

  /**
   * {@return the amounts that pods can use, by resource: milli-units of cpu, whole units of
   * everything else. Each pod uses one of {@code pods}, so a node without {@code pods} fits none}
   */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, Long> allocatable();

  /**
   * {@return the amounts used by pods that the engine does not place, by resource: their requests,
   * and one of {@code pods} for each pod}
   */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, Long> usedByOthers();

  @Override
  public String key() {
    return "Node " + name();
  }

  /** Builds {@link Node}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Adds a label. */
    @CanIgnoreReturnValue
    public abstract Builder putLabels(String key, String value);

    /** Adds labels. */
    @CanIgnoreReturnValue
    public abstract Builder putAllLabels(Map<String, ? extends String> labels);

    /** Adds taints. */
    @CanIgnoreReturnValue
    public abstract Builder addTaints(Taint... taints);

    /** Adds taints. */
    @CanIgnoreReturnValue
    public abstract Builder addAllTaints(Iterable<? extends Taint> taints);

    /** Sets whether the node is ready. */
    @CanIgnoreReturnValue
    public abstract Builder ready(boolean ready);

    /** Sets whether the node is cordoned. */
    @CanIgnoreReturnValue
    public abstract Builder unschedulable(boolean unschedulable);

    /** Adds an entry to the map of the generated builder, for {@link #allocatableAmount}. */
    @CanIgnoreReturnValue
    abstract Builder putAllocatable(String resource, long amount);

    /**
     * Sets how much of a resource pods can use, as an amount.
     *
     * @param resource the resource
     * @param amount milli-units of {@code cpu}, whole units of every other resource
     */
    @CanIgnoreReturnValue
    public Builder allocatableAmount(String resource, long amount) {
      return putAllocatable(resource, amount);
    }

    /** Sets how much pods can use, by resource; amounts as in {@link #allocatableAmount}. */
    @CanIgnoreReturnValue
    public abstract Builder putAllAllocatable(Map<String, ? extends Long> amounts);

    /**
     * Sets the amount of a resource that pods can use, in Kubernetes notation.
     *
     * @throws IllegalArgumentException if {@code quantity} is not a quantity
     */
    @CanIgnoreReturnValue
    public Builder allocatable(String resource, String quantity) {
      return allocatableAmount(resource, Quantity.amount(resource, quantity));
    }

    /** Adds an entry to the map of the generated builder, for {@link #usedByOthersAmount}. */
    @CanIgnoreReturnValue
    abstract Builder putUsedByOthers(String resource, long amount);

    /**
     * Sets how much of a resource is used by pods that the engine does not place, as an amount.
     *
     * @param resource the resource
     * @param amount milli-units of {@code cpu}, whole units of every other resource
     */
    @CanIgnoreReturnValue
    public Builder usedByOthersAmount(String resource, long amount) {
      return putUsedByOthers(resource, amount);
    }

    /**
     * Sets how much is used by pods that the engine does not place, by resource; amounts as in
     * {@link #usedByOthersAmount}.
     */
    @CanIgnoreReturnValue
    public abstract Builder putAllUsedByOthers(Map<String, ? extends Long> amounts);

    /** Copies every value that is set in {@code node}; the others stay as they are. */
    @CanIgnoreReturnValue
    public abstract Builder from(Node node);

    /**
     * {@return the node}
     *
     * @throws IllegalStateException if the name is missing
     * @throws IllegalArgumentException if a label or an amount of a resource was added twice
     */
    public abstract Node build();
  }
}
