package io.kueue4j.k8s.job;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The labels with the index of each pod of a pod set, used to place pods with neighbouring indexes
 * close together.
 *
 * <p>Rules: T-16, T-89.
 *
 * @param podLabel the pod label with the index of a pod, from 0, in the pod set or in its subgroup
 * @param subGroupLabel the pod label with the index, from 0, of the subgroup of the pod; empty if
 *     the pod set has no subgroups
 * @param subGroupCount the number of subgroups, all equal
 * @since 0.1.0
 */
public record PodIndex(String podLabel, Optional<String> subGroupLabel, OptionalInt subGroupCount) {
  /** {@return an index over the whole pod set} */
  public static PodIndex of(String podLabel) {
    return new PodIndex(podLabel, Optional.empty(), OptionalInt.empty());
  }

  /** {@return an index within each of several equal subgroups} */
  public static PodIndex ofSubGroups(String podLabel, String subGroupLabel, int subGroupCount) {
    return new PodIndex(podLabel, Optional.of(subGroupLabel), OptionalInt.of(subGroupCount));
  }
}
