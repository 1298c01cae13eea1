package io.kueue4j.core.testkit.reference.placement;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A domain of a topology: its capacity, and the pods assigned to it.
 *
 * <p>Rules: the notation at the start of the chapter: P, PL, S, SL, L and A.
 */
final class Domain {
  /** The values of its level and those above. */
  final List<String> path;

  final List<Domain> children = new ArrayList<>();

  /** Its nodes, null above the last level. */
  @Nullable
  Leaf leaf;

  /** P. */
  long pods;

  /** PL. */
  long podsWithLeader;

  /** S. */
  long slices;

  /** SL. */
  long slicesWithLeader;

  /** L. */
  boolean hostsLeader;

  /** A. */
  long score;

  long takenPods;
  boolean takesLeader;

  Domain(List<String> path) {
    this.path = path;
  }

  /** {@return a copy of this domain and of everything below it} */
  Domain copy() {
    Domain copy = new Domain(path);
    children.forEach(child -> copy.children.add(child.copy()));
    copy.leaf = leaf;
    copy.pods = pods;
    copy.podsWithLeader = podsWithLeader;
    copy.slices = slices;
    copy.slicesWithLeader = slicesWithLeader;
    copy.hostsLeader = hostsLeader;
    copy.score = score;
    return copy;
  }

  /** {@return the index of its level} */
  int level() {
    return path.size() - 1;
  }

  /** {@return the number of slices or pods that fit, with or without a leader} */
  long capacity(boolean inSlices, boolean withLeader) {
    if (inSlices) {
      return withLeader ? slicesWithLeader : slices;
    }
    return withLeader ? podsWithLeader : pods;
  }

  /** {@return the number of slices or pods that a leader displaces} */
  long leaderPenalty(boolean inSlices) {
    return capacity(inSlices, false) - capacity(inSlices, true);
  }

  @Override
  public String toString() {
    return path + " P=" + pods + " S=" + slices;
  }
}
