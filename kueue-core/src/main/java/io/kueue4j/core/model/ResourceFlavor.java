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
 *
 * @since 0.1.0
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

  /**
   * {@return the labels of the flavor's nodes; they are added to the node selector of pods admitted
   * on the flavor}
   */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> nodeLabels();

  /**
   * {@return the taints of the flavor's nodes; a workload must tolerate those whose effect
   * {@linkplain TaintEffect#excludes() excludes} pods}
   */
  public abstract ImmutableList<Taint> nodeTaints();

  /** {@return the tolerations added to the pods of every workload on this flavor} */
  public abstract ImmutableList<Toleration> tolerations();

  /** {@return the topology of the flavor's nodes, absent if placement does not matter} */
  public abstract Optional<String> topologyName();

  /**
   * {@return the TPU pools that the flavor's nodes form, absent if the flavor offers no TPU slices}
   */
  public abstract Optional<String> tpuPoolSet();

  @Override
  public String key() {
    return "ResourceFlavor " + name();
  }

  /** Builds {@link ResourceFlavor}s; reusable, not thread-safe. */
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

    /** Adds tolerations for every workload on the flavor. */
    @CanIgnoreReturnValue
    public abstract Builder addTolerations(Toleration... tolerations);

    /** Adds tolerations for every workload on the flavor. */
    @CanIgnoreReturnValue
    public abstract Builder addAllTolerations(Iterable<? extends Toleration> tolerations);

    /** Sets the topology of the nodes. */
    @CanIgnoreReturnValue
    public abstract Builder topologyName(String topologyName);

    /** Sets the TPU pools that the nodes form; excludes a topology. */
    @CanIgnoreReturnValue
    public abstract Builder tpuPoolSet(String name);

    /** Copies every value that is set in {@code flavor}; the others stay as they are. */
    @CanIgnoreReturnValue
    public abstract Builder from(ResourceFlavor flavor);

    /**
     * {@return the flavor}
     *
     * @throws IllegalStateException if the name is missing
     * @throws IllegalArgumentException if a node label was added twice
     */
    public abstract ResourceFlavor build();
  }
}
