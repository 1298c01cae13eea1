package io.kueue4j.core.compiled;

import io.kueue4j.core.model.Workload;

/**
 * A workload as the engine works on it.
 *
 * <p>Rules: M-22, F-3, F-4, A-2.
 */
public final class CompiledWorkload {
  private final Workload source;
  private final long priority;
  private final CompiledPodSet[] podSets;
  private final int[][] groups;
  private final int[] fullCounts;
  private final int shrinkablePods;
  private final Shape shape;

  CompiledWorkload(
      Workload source, long priority, CompiledPodSet[] podSets, int[][] groups, Shape shape) {
    this.source = source;
    this.priority = priority;
    this.podSets = podSets;
    this.groups = groups;
    this.shape = shape;
    this.fullCounts = new int[podSets.length];
    int shrinkable = 0;
    for (int i = 0; i < podSets.length; i++) {
      fullCounts[i] = podSets[i].count();
      shrinkable += shrinkable(podSets[i]);
    }
    this.shrinkablePods = shrinkable;
  }

  /** {@return the workload that this was compiled from} */
  public Workload source() {
    return source;
  }

  /** {@return the namespace and name of its LocalQueue, a slash between} */
  public String localQueue() {
    return source.namespace() + "/" + source.queueName();
  }

  /** {@return the effective priority} */
  public long priority() {
    return priority;
  }

  /** {@return the number of pod sets} */
  public int size() {
    return podSets.length;
  }

  /** {@return the {@code i}-th pod set} */
  public CompiledPodSet podSet(int i) {
    return podSets[i];
  }

  /**
   * {@return the pod sets that get their flavors together, group by group in order of first
   * appearance}
   */
  public int[][] groups() {
    return groups;
  }

  /** {@return the counts of all pods that need quota, by pod set} */
  public int[] fullCounts() {
    return fullCounts;
  }

  /** {@return by how many pods the workload can shrink} */
  public int shrinkablePods() {
    return shrinkablePods;
  }

  /** {@return by how many pods {@code podSet} can shrink} */
  public static int shrinkable(CompiledPodSet podSet) {
    int count = podSet.source().count();
    return count - podSet.source().minCount().orElse(count);
  }

  /** {@return what makes it equal to others for scheduling} */
  public Shape shape() {
    return shape;
  }

  /** {@return the identity} */
  @Override
  public String toString() {
    return source.id().toString();
  }
}
