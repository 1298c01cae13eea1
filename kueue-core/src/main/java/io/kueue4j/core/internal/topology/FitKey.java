package io.kueue4j.core.internal.topology;

import io.kueue4j.core.internal.compiled.PodRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key of {@link FitCounts}: everything that the counts depend on. Looked up for every
 * placement, so its hash is precomputed.
 *
 * <p>Rules: T-24.
 */
final class FitKey {
  private final PodRequest pod;
  private final @Nullable PodRequest leader;
  private final LeafMatches matches;
  private final LeafMatches leaderMatches;
  private final boolean countsUsage;
  private final SliceLayers slices;
  private final int hash;

  /**
   * Creates a key.
   *
   * @param pod one pod of the pod set
   * @param leader the leader pod, null if there is none
   * @param matches the leaves that the pods may use
   * @param leaderMatches the leaves that the leader may use
   * @param countsUsage whether the usage of admitted workloads counts
   * @param slices the layers of topology slices
   */
  FitKey(
      PodRequest pod,
      @Nullable PodRequest leader,
      LeafMatches matches,
      LeafMatches leaderMatches,
      boolean countsUsage,
      SliceLayers slices) {
    this.pod = pod;
    this.leader = leader;
    this.matches = matches;
    this.leaderMatches = leaderMatches;
    this.countsUsage = countsUsage;
    this.slices = slices;
    this.hash = Objects.hash(pod, leader, matches, leaderMatches, countsUsage, slices);
  }

  PodRequest pod() {
    return pod;
  }

  @Nullable
  PodRequest leader() {
    return leader;
  }

  LeafMatches matches() {
    return matches;
  }

  LeafMatches leaderMatches() {
    return leaderMatches;
  }

  boolean countsUsage() {
    return countsUsage;
  }

  SliceLayers slices() {
    return slices;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof FitKey that
            && hash == that.hash
            && countsUsage == that.countsUsage
            && pod.equals(that.pod)
            && Objects.equals(leader, that.leader)
            && matches.equals(that.matches)
            && leaderMatches.equals(that.leaderMatches)
            && slices.equals(that.slices));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** {@return this key with other leaves} */
  FitKey withMatches(LeafMatches newMatches) {
    return new FitKey(pod, leader, newMatches, newMatches, countsUsage, slices);
  }
}
