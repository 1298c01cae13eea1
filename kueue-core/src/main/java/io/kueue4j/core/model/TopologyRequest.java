package io.kueue4j.core.model;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.internal.support.SingletonStyle;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.immutables.value.Value;

/**
 * How close together the pods of a pod set must be placed.
 *
 * <p>Kueue: {@code Workload.spec.podSets[].topologyRequest}. Rules: T-16, T-17, T-18, T-67.
 *
 * @since 0.1.0
 */
@Value.Immutable
@SingletonStyle
public abstract class TopologyRequest {
  TopologyRequest() {}

  /**
   * A topology slice: a number of pods that are placed together in one domain.
   *
   * @param topology the level, a key of node labels, whose domains no slice may leave
   * @param size the number of pods in a slice
   */
  public record SliceConstraint(String topology, int size) {}

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the request that does not ask for placement} */
  public static TopologyRequest none() {
    return ImmutableTopologyRequest.of();
  }

  /** {@return the request to place all pods in one domain of {@code level}} */
  public static TopologyRequest required(String level) {
    return builder().required(level).build();
  }

  /** {@return the request to place all pods in one domain of {@code level} if they fit in one} */
  public static TopologyRequest preferred(String level) {
    return builder().preferred(level).build();
  }

  /** {@return the request to place pods on nodes with enough room, anywhere} */
  public static TopologyRequest anywhere() {
    return builder().unconstrained(true).build();
  }

  /** {@return the level, a key of node labels, of which all pods must be in one domain} */
  public abstract Optional<String> required();

  /** {@return the level, a key of node labels, of which all pods should be in one domain} */
  public abstract Optional<String> preferred();

  /** {@return whether pods may be anywhere; absent if not specified} */
  public abstract Optional<Boolean> unconstrained();

  /** {@return the level of which each topology slice must be in one domain} */
  public abstract Optional<String> sliceTopology();

  /** {@return the number of pods in a topology slice} */
  public abstract OptionalInt sliceSize();

  /**
   * {@return nested topology slices, coarsest first; if there are any, {@link #sliceTopology} and
   * {@link #sliceSize} are ignored}
   */
  public abstract List<SliceConstraint> sliceConstraints();

  /** {@return the pod label that holds the index of a pod in the pod set} */
  public abstract Optional<String> podIndexLabel();

  /** {@return the pod label that holds the index of the pod's job among identical jobs} */
  public abstract Optional<String> subGroupIndexLabel();

  /** {@return the number of identical jobs that the pod set consists of} */
  public abstract OptionalInt subGroupCount();

  /**
   * {@return whether it asks for placement by itself, even if the request is invalid; rule T-18}
   */
  public boolean isExplicit() {
    return required().isPresent()
        || preferred().isPresent()
        || unconstrained().isPresent()
        || isSliced();
  }

  /** {@return whether it asks for topology slices, even if the request is invalid} */
  public boolean isSliced() {
    return sliceTopology().isPresent()
        || sliceSize().isPresent()
        || !sliceConstraints().isEmpty();
  }

  /** {@return all levels that the request names} */
  public Set<String> levels() {
    ImmutableSet.Builder<String> levels = ImmutableSet.builder();
    required().ifPresent(levels::add);
    preferred().ifPresent(levels::add);
    if (sliceConstraints().isEmpty()) {
      sliceTopology().ifPresent(levels::add);
    }
    sliceConstraints().forEach(slice -> levels.add(slice.topology()));
    return levels.build();
  }

  /** Builds {@link TopologyRequest}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableTopologyRequest.Builder {
    Builder() {}
  }
}
