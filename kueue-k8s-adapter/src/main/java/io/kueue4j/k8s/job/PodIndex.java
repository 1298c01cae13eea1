package io.kueue4j.k8s.job;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The labels by which the pods of a pod set are counted through, so that neighbours among them can
 * be put next to each other.
 *
 * <p>Rules: T-16, T-89.
 *
 * @param podLabel the pod label that holds the index of a pod, from 0, in the pod set or in its
 *     part of it
 * @param subGroupLabel the pod label that holds the index, from 0, of the part that the pod belongs
 *     to; absent if the pod set has no parts
 * @param subGroupCount the number of parts, all equal
 */
public record PodIndex(String podLabel, Optional<String> subGroupLabel, OptionalInt subGroupCount) {
  /** {@return pods that are counted through as one} */
  public static PodIndex of(String podLabel) {
    return new PodIndex(podLabel, Optional.empty(), OptionalInt.empty());
  }

  /** {@return pods that are counted through in each of several equal parts} */
  public static PodIndex ofSubGroups(String podLabel, String subGroupLabel, int subGroupCount) {
    return new PodIndex(podLabel, Optional.of(subGroupLabel), OptionalInt.of(subGroupCount));
  }
}
