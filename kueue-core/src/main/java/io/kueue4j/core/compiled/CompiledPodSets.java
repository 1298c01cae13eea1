package io.kueue4j.core.compiled;

/**
 * The pod sets of a workload as decisions look at them; workloads of one shape share them. Never
 * changes.
 *
 * <p>Rules: F-3, F-4, A-2.
 */
final class CompiledPodSets {
  final CompiledPodSet[] podSets;

  /** The pod sets that get their flavors together, group by group in order of first appearance. */
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

  /** Adds the ids that it refers to. */
  void addIds(IdsInUse inUse) {
    for (CompiledPodSet podSet : podSets) {
      podSet.addIds(inUse);
    }
  }
}
