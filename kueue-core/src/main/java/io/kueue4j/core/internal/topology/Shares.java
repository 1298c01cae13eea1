package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import java.util.Arrays;

/**
 * The shares of domains of one level: a number of pods each, and optionally the leader in one of
 * them.
 *
 * <p>Rules: T-45, T-47, T-50, T-51.
 */
final class Shares {
  private static final int NONE = -1;

  private int[] domains;
  private int[] pods;
  private int size;
  private int leader = NONE;

  /** Creates an empty list with capacity for {@code expected} shares. */
  Shares(int expected) {
    this.domains = new int[Math.max(4, expected)];
    this.pods = new int[domains.length];
  }

  int size() {
    return size;
  }

  /** {@return the domains of all shares} */
  int[] domains() {
    return Arrays.copyOf(domains, size);
  }

  /** {@return the domain of the {@code i}-th share} */
  int domain(int i) {
    return domains[i];
  }

  /** {@return the number of pods of the {@code i}-th share} */
  int pods(int i) {
    return pods[i];
  }

  /** {@return whether the {@code i}-th share has the leader} */
  boolean hasLeader(int i) {
    return i == leader;
  }

  /** {@return whether the {@code i}-th share is empty} */
  boolean isEmpty(int i) {
    return pods[i] == 0 && i != leader;
  }

  void add(int domain, int podCount, boolean withLeader) {
    if (size == domains.length) {
      domains = Arrays.copyOf(domains, 2 * size);
      pods = Arrays.copyOf(pods, 2 * size);
    }
    domains[size] = domain;
    pods[size] = podCount;
    if (withLeader) {
      leader = size;
    }
    size++;
  }

  /** {@return the placement, if the domains are leaves} */
  Placement.Fits toPlacement() {
    long[] sorted = new long[size];
    int used = 0;
    for (int i = 0; i < size; i++) {
      if (pods[i] > 0) {
        sorted[used] = ((long) domains[i] << Integer.SIZE) | pods[i];
        used++;
      }
    }
    Arrays.sort(sorted, 0, used);
    ImmutableList.Builder<LeafCount> leaves = ImmutableList.builderWithExpectedSize(used);
    for (int i = 0; i < used; i++) {
      leaves.add(new LeafCount((int) (sorted[i] >> Integer.SIZE), (int) sorted[i]));
    }
    return new Placement.Fits(leaves.build(), leader == NONE ? NONE : domains[leader]);
  }
}
