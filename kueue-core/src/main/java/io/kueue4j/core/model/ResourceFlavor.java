package io.kueue4j.core.model;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
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
    return new Builder();
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
  public abstract SortedMap<String, String> nodeLabels();

  /**
   * {@return the taints of the flavor's nodes; a workload must tolerate those whose effect
   * {@linkplain Taint.Effect#excludes() excludes} pods}
   */
  public abstract List<Taint> nodeTaints();

  /** {@return the tolerations added to the pods of every workload on this flavor} */
  public abstract List<Toleration> tolerations();

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

  /**
   * Builds {@link ResourceFlavor}s; reusable, not thread-safe.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if a node label was added twice.
   */
  public static final class Builder extends ImmutableResourceFlavor.Builder {
    Builder() {}
  }
}
