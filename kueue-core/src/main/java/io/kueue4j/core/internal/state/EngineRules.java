package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.decision.Settings.FillerOrder;
import io.kueue4j.core.internal.cycle.CycleRules;
import io.kueue4j.core.internal.flavor.AssignmentRules;
import io.kueue4j.core.internal.preemption.PreemptionRules;
import io.kueue4j.core.internal.queue.QueueRules;
import io.kueue4j.core.internal.topology.PlacementRules;
import java.util.List;

/** The parts of the {@link Settings} that each part of the engine needs. */
public final class EngineRules {
  private static final List<FairSharingStrategy> BOTH_STRATEGIES = ImmutableList.of(
      FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
      FairSharingStrategy.LESS_THAN_INITIAL_SHARE);

  private final Settings settings;

  public EngineRules(Settings settings) {
    this.settings = settings;
  }

  public AssignmentRules assignment() {
    return new AssignmentRules(
        settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY),
        settings.quotaCheckStrategy() == Settings.QuotaCheckStrategy.IGNORE_UNDECLARED,
        settings.fairSharing().isPresent(),
        settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING),
        settings.includes(KueueFix.ROOM_FOR_EMPTY_POD_SETS));
  }

  public PreemptionRules preemption() {
    List<FairSharingStrategy> strategies = settings
        .fairSharing()
        .map(given -> given.isEmpty() ? BOTH_STRATEGIES : given)
        .orElse(ImmutableList.of());
    return new PreemptionRules(
        strategies,
        settings.isEnabled(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL),
        settings.includes(KueueFix.PODS_IN_SEARCHES_FOR_VICTIMS),
        settings.strictFairSharing(),
        settings.strictBorrowing());
  }

  PlacementRules placement() {
    return new PlacementRules(
        settings.isEnabled(FeatureGate.TAS_PROFILE_MIXED),
        settings.isEnabled(FeatureGate.TAS_BALANCED_PLACEMENT),
        settings.isEnabled(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED),
        settings.isEnabled(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS),
        settings.includes(KueueFix.SHARED_HOSTS_WITHIN_CYCLE),
        settings.isEnabled(FeatureGate.TAS_LEADER_POD_SET_FEASIBILITY),
        settings.isEnabled(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS),
        settings.includes(KueueFix.REPLACED_SLICES_ONCE),
        settings.isEnabled(FeatureGate.TAS_PARTIAL_SLICES),
        settings.strictTopology());
  }

  /** {@return whether pods of elastic workloads stay on their nodes when scaled} */
  public boolean slicesKeepPlaces() {
    return settings.isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
        && settings.isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS);
  }

  QueueRules queue() {
    return new QueueRules(
        settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING),
        settings.includes(KueueFix.FORGOTTEN_PREEMPTORS),
        settings.backfill().isPresent(),
        settings.backfill().filter(EngineRules::fillsShortestFirst).isPresent());
  }

  private static boolean fillsShortestFirst(Backfill backfill) {
    return backfill.fillerOrder() == FillerOrder.SHORTEST_FIRST;
  }

  public CycleRules cycle() {
    return new CycleRules(
        settings.isEnabled(FeatureGate.PARTIAL_ADMISSION),
        settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS),
        settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING),
        settings.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT),
        settings.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS),
        settings.isEnabled(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP),
        settings.isEnabled(FeatureGate.TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE),
        settings.fairSharing().isPresent(),
        settings.isEnabled(FeatureGate.FAIR_SHARING_PRIORITIZE_NON_BORROWING),
        settings.strictQuota());
  }
}
