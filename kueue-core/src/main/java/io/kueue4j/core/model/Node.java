package io.kueue4j.core.model;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Quantity;
import java.util.List;
import java.util.SortedMap;
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
    return new Builder();
  }

  /** {@return the name} */
  public abstract String name();

  /** {@return the labels} */
  @Value.NaturalOrder
  public abstract SortedMap<String, String> labels();

  /** {@return the taints} */
  public abstract List<Taint> taints();

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
  public abstract SortedMap<String, Long> allocatable();

  /**
   * {@return the amounts used by pods that the engine does not place, by resource: their requests,
   * and one of {@code pods} for each pod}
   */
  @Value.NaturalOrder
  public abstract SortedMap<String, Long> usedByOthers();

  @Override
  public String key() {
    return "Node " + name();
  }

  /**
   * Builds {@link Node}s; reusable, not thread-safe. Amounts are milli-units of {@code cpu}, whole
   * units of every other resource.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if a label or an amount of a
   * resource was added twice.
   */
  public static final class Builder extends ImmutableNode.Builder {
    Builder() {}

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

    /**
     * Sets the amount of a resource that pods can use, in Kubernetes notation.
     *
     * @throws IllegalArgumentException if {@code quantity} is not a quantity
     */
    @CanIgnoreReturnValue
    public Builder allocatable(String resource, String quantity) {
      return allocatableAmount(resource, Quantity.amount(resource, quantity));
    }

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
  }
}
