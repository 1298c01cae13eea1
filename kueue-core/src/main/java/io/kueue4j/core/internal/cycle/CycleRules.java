package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;

/**
 * The settings that a cycle depends on.
 *
 * @param partialAdmission whether workloads may be admitted at reduced counts
 * @param preservesScanProgress whether the resume index outlives one cycle and a skip (F-25, S-16)
 * @param knowsShapes whether workloads of another shape forget the resume index; unknown shapes
 *     match (F-25)
 * @param sortsByPriority whether priority orders the entries of a cycle (S-7, H-11)
 * @param prioritizesPreemptors whether workloads that wait for their victims go first and hold room
 *     (S-7, H-11, S-18)
 * @param recomputesOverlaps whether an entry whose victims were taken is nominated again (S-15)
 * @param recomputesPlaces whether an entry whose nodes were taken is nominated again (S-14)
 * @param fairSharing whether the shares of queues order the entries (S-9)
 * @param prefersNonBorrowing whether under fair sharing entries that do not borrow go first (H-11)
 * @param strictQuota whether workloads are admitted only into released quota, not into the quota of
 *     victims whose pods have not stopped yet
 */
public record CycleRules(
    boolean partialAdmission,
    boolean preservesScanProgress,
    boolean knowsShapes,
    boolean sortsByPriority,
    boolean prioritizesPreemptors,
    boolean recomputesOverlaps,
    boolean recomputesPlaces,
    boolean fairSharing,
    boolean prefersNonBorrowing,
    boolean strictQuota) {
  /** {@return these settings of an engine} */
  public static CycleRules of(Settings settings) {
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
