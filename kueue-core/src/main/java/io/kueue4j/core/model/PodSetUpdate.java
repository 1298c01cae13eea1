package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Map;
import org.immutables.value.Value;

/**
 * What an admission check adds to the pods of a pod set when they start. Its node selector and
 * tolerations also restrict the placement of pods that are placed after the check has passed.
 *
 * <p>Kueue: {@code Workload.status.admissionChecks[].podSetUpdates[]}. Rules: L-7, T-14, T-77.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class PodSetUpdate {
  PodSetUpdate() {}

  /** {@return a new builder; the name is required} */
  public static Builder builder() {
    return ImmutablePodSetUpdate.builder();
  }

  /** {@return the pod set} */
  public abstract String name();

  /** {@return the labels to add, by key} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> labels();

  /** {@return the annotations to add, by key} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> annotations();

  /** {@return the node labels to add to the node selector, by key} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, String> nodeSelector();

  /** {@return the tolerations to add} */
  public abstract ImmutableList<Toleration> tolerations();

  /** Builds {@link PodSetUpdate}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the pod set. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Adds a label. */
    @CanIgnoreReturnValue
    public abstract Builder putLabels(String key, String value);

    /** Adds labels. */
    @CanIgnoreReturnValue
    public abstract Builder putAllLabels(Map<String, ? extends String> labels);

    /** Adds an annotation. */
    @CanIgnoreReturnValue
    public abstract Builder putAnnotations(String key, String value);

    /** Adds annotations. */
    @CanIgnoreReturnValue
    public abstract Builder putAllAnnotations(Map<String, ? extends String> annotations);

    /** Adds a selected node label. */
    @CanIgnoreReturnValue
    public abstract Builder putNodeSelector(String key, String value);

    /** Adds selected node labels. */
    @CanIgnoreReturnValue
    public abstract Builder putAllNodeSelector(Map<String, ? extends String> labels);

    /** Adds tolerations. */
    @CanIgnoreReturnValue
    public abstract Builder addTolerations(Toleration... tolerations);

    /** Adds tolerations. */
    @CanIgnoreReturnValue
    public abstract Builder addAllTolerations(Iterable<? extends Toleration> tolerations);

    /**
     * {@return the update}
     *
     * @throws IllegalStateException if the name is missing
     * @throws IllegalArgumentException if a label, an annotation or a key of the node selector was
     *     added twice
     */
    public abstract PodSetUpdate build();
  }
}
