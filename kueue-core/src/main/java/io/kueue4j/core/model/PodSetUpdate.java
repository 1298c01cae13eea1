package io.kueue4j.core.model;

import java.util.List;
import java.util.SortedMap;
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
    return new Builder();
  }

  /** {@return the pod set} */
  public abstract String name();

  /** {@return the labels to add, by key} */
  @Value.NaturalOrder
  public abstract SortedMap<String, String> labels();

  /** {@return the annotations to add, by key} */
  @Value.NaturalOrder
  public abstract SortedMap<String, String> annotations();

  /** {@return the node labels to add to the node selector, by key} */
  @Value.NaturalOrder
  public abstract SortedMap<String, String> nodeSelector();

  /** {@return the tolerations to add} */
  public abstract List<Toleration> tolerations();

  /**
   * Builds {@link PodSetUpdate}s; reusable, not thread-safe.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if a label, an annotation or a key
   * of the node selector was added twice.
   */
  public static final class Builder extends ImmutablePodSetUpdate.Builder {
    Builder() {}
  }
}
