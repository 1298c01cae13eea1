package io.kueue4j.core.internal.topology;

import io.kueue4j.core.internal.compiled.PodRequest;
import org.jspecify.annotations.Nullable;

/**
 * The key of {@link FitCounts}: everything that the counts depend on.
 *
 * <p>Rules: T-24.
 *
 * @param pod one pod of the pod set
 * @param leader the leader pod, null if there is none
 * @param matches the leaves that the pods may use
 * @param leaderMatches the leaves that the leader may use
 * @param countsUsage whether the usage of admitted workloads counts
 * @param slices the layers of topology slices
 * @param scores how much the pods prefer each domain
 */
record FitKey(
    PodRequest pod,
    @Nullable PodRequest leader,
    LeafMatches matches,
    LeafMatches leaderMatches,
    boolean countsUsage,
    SliceLayers slices,
    NodeScores scores) {
  /** {@return this key with other leaves} */
  FitKey withMatches(LeafMatches newMatches) {
    return new FitKey(pod, leader, newMatches, newMatches, countsUsage, slices, scores);
  }
}
