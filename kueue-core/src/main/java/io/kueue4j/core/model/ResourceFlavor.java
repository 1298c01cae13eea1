package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A variant of a resource, such as a kind of machine: the labels and taints of the nodes that
 * provide it.
 *
 * <p>Kueue: {@code ResourceFlavor.spec}. Rules: M-1, M-3, T-2.
 */
@Value.Immutable
public abstract non-sealed class ResourceFlavor implements ConfigObject {
  ResourceFlavor() {}

  /** {@return a new builder; {@code name} is required} */
  public static Builder builder() {
    return ImmutableResourceFlavor.builder();
  }

  /** {@return the flavor without labels or taints, open to every workload} */
  public static ResourceFlavor of(String name) {
    return builder().name(name).build();
  }

  /** {@return the name} */
  public abstract String name();

  /** {@return the labels of its nodes, added to the node selector of what is admitted on it} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> nodeLabels();

  /** {@return the taints of its nodes; a workload must tolerate those that exclude} */
  public abstract ImmutableList<Taint> nodeTaints();

  /** {@return tolerations that are given to every workload on this flavor} */
  public abstract ImmutableList<Toleration> tolerations();

  /** {@return the topology of its nodes, absent if placement does not matter} */
  public abstract Optional<String> topologyName();

  /**
   * {@return the pools of TPU chips that its nodes make up, absent if its chips are not given as
   * slices}
   */
  public abstract Optional<String> tpuPoolSet();

  @Override
  public String key() {
    return "ResourceFlavor " + name();
  }

  /** Builds {@link ResourceFlavor}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Adds a node label. */
    @CanIgnoreReturnValue
    public abstract Builder putNodeLabels(String key, String value);

    /** Adds node labels. */
    @CanIgnoreReturnValue
    public abstract Builder putAllNodeLabels(Map<String, ? extends String> labels);

    /** Adds taints of the nodes. */
    @CanIgnoreReturnValue
    public abstract Builder addNodeTaints(Taint... taints);

    /** Adds taints of the nodes. */
    @CanIgnoreReturnValue
    public abstract Builder addAllNodeTaints(Iterable<? extends Taint> taints);

    /** Adds tolerations given to every workload on the flavor. */
    @CanIgnoreReturnValue
    public abstract Builder addTolerations(Toleration... tolerations);

    /** Adds tolerations given to every workload on the flavor. */
    @CanIgnoreReturnValue
    public abstract Builder addAllTolerations(Iterable<? extends Toleration> tolerations);

    /** Sets the topology of the nodes. */
    @CanIgnoreReturnValue
    public abstract Builder topologyName(String topologyName);

    /** Sets the pools of TPU chips that the nodes make up; excludes a topology. */
    @CanIgnoreReturnValue
    public abstract Builder tpuPoolSet(String name);

    /** Adds what {@code flavor} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(ResourceFlavor flavor);

    /** {@return the flavor} */
    public abstract ResourceFlavor build();
  }
}
