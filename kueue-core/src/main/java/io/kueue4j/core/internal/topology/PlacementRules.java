package io.kueue4j.core.internal.topology;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;

/**
 * The settings of placement.
 *
 * <p>Rules: T-12, T-13, T-23, T-29, T-53, T-61, T-88, T-93, A.20.
 *
 * @param mixedProfile whether unconstrained pods take the smallest domains first
 * @param balanced whether pods with a preferred level are spread evenly over as few domains as
 *     suffice
 * @param respectsPreferredAffinity whether the preferred node affinity of pods orders domains
 * @param overlappingFlavors whether a host that belongs to several flavors is charged for all
 * @param sharedAtOnce whether that holds for changes within a cycle, too
 * @param feasibleLeaders whether a leader satisfies its own conditions, not the conditions of the
 *     workers
 * @param countsEachNode whether nodes are counted one by one in topologies that do not end in hosts
 * @param countsReplacedSlicesOnce whether a replaced elastic slice is not counted while its pods
 *     are placed with the pods of the new one
 * @param partialSlices whether pods that do not fill a slice are placed as a smaller last one
 * @param strict whether known defects of Kueue are fixed
 */
public record PlacementRules(
    boolean mixedProfile,
    boolean balanced,
    boolean respectsPreferredAffinity,
    boolean overlappingFlavors,
    boolean sharedAtOnce,
    boolean feasibleLeaders,
    boolean countsEachNode,
    boolean countsReplacedSlicesOnce,
    boolean partialSlices,
    boolean strict) {
  /** {@return these settings of an engine} */
  public static PlacementRules of(Settings settings) {
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
}
