package io.kueue4j.core.internal.compiled;

/**
 * The compiled pod sets of a workload; workloads of equal shape share them. Immutable.
 *
 * <p>Rules: F-3, F-4, A-2.
 */
final class CompiledPodSets {
  final CompiledPodSet[] podSets;

  /**
   * The pod sets by group, in order of first appearance; pod sets of a group get the same flavors.
   */
  final int[][] groups;

  final int[] fullCounts;
  final int shrinkablePods;

  CompiledPodSets(CompiledPodSet[] podSets, int[][] groups) {
    this.podSets = podSets;
    this.groups = groups;
    this.fullCounts = new int[podSets.length];
    int shrinkable = 0;
    for (int i = 0; i < podSets.length; i++) {
      fullCounts[i] = podSets[i].count();
      shrinkable += CompiledWorkload.shrinkable(podSets[i]);
    }
    this.shrinkablePods = shrinkable;
  }
}
