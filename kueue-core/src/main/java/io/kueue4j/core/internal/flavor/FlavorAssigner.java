package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the flavors of a workload with the search of {@link FlavorSearch}. Changes nothing. */
public final class FlavorAssigner {
  private final FlavorTable flavors;
  private final WorkloadPlacer placer;
  private final AssignmentRules rules;
  private final PreemptionOracle oracle;
  private final @Nullable ReplacedSlice replaced;

  /**
   * Creates an assigner.
   *
   * @param flavors the flavors
   * @param placer decides which flavors are eligible for pods that are placed on nodes
   * @param rules the settings
   * @param oracle predicts the effect of preemption
   * @param replaced returns the elastic slice that a workload replaces, null if there is none
   */
  public FlavorAssigner(
      FlavorTable flavors,
      WorkloadPlacer placer,
      AssignmentRules rules,
      PreemptionOracle oracle,
      @Nullable ReplacedSlice replaced) {
    this.flavors = flavors;
    this.placer = placer;
    this.rules = rules;
    this.oracle = oracle;
    this.replaced = replaced;
  }

  /**
   * Chooses flavors.
   *
   * @param workload the workload
   * @param queue its queue
   * @param counts the number of pods of each pod set
   * @param progress where the last search ended, null to start at the first flavors
   * @param pinned the only flavors to choose from, null for no restriction
   * @return the assignment
   */
  public Assignment assign(
      CompiledWorkload workload,
      QueueQuota queue,
      int[] counts,
      @Nullable ScanProgress progress,
      @Nullable List<PodSetFlavors> pinned) {
    FlavorSearch search =
        new FlavorSearch(flavors, placer, rules, oracle, workload, queue, pinned, replaced);
    return new AssignmentWalk(rules, search, workload, queue, counts, progress, replaced).walk();
  }
}
