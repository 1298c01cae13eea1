package io.kueue4j.core.decision;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Kueue's feature gates that affect decisions, with their defaults in each {@link KueueVersion}.
 * {@link Settings.Builder#putFeatureGates} turns one on or off.
 *
 * <p>Rules: T-91 and section 14 of the rule index.
 *
 * @since 0.1.0
 */
public enum FeatureGate {
  /** Workloads may be admitted with fewer pods, down to {@code minCount}. */
  PARTIAL_ADMISSION("PartialAdmission", KueueVersion.V0_19),
  /**
   * Applies the policies of {@code flavorFungibility}; if off, the first flavor that fits is
   * assigned.
   */
  FLAVOR_FUNGIBILITY("FlavorFungibility", KueueVersion.V0_19),
  /** A workload that fitted but lost its quota to an earlier one continues with the next flavor. */
  FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS(
      "FlavorFungibilityPreserveScanProgress", KueueVersion.V0_19),
  /** Priority orders the workloads of one cycle. */
  PRIORITY_SORTING_WITHIN_COHORT("PrioritySortingWithinCohort", KueueVersion.V0_19),
  /** Under fair sharing, a queue within its nominal quota preempts without comparing shares. */
  FAIR_SHARING_PREEMPT_WITHIN_NOMINAL("FairSharingPreemptWithinNominal", KueueVersion.V0_19),
  /** Under fair sharing, workloads whose subtree does not borrow go first. */
  FAIR_SHARING_PRIORITIZE_NON_BORROWING("FairSharingPrioritizeNonBorrowing", KueueVersion.V0_19),
  /** LocalQueues are ordered by their past usage, where settings and ClusterQueue enable it. */
  ADMISSION_FAIR_SHARING("AdmissionFairSharing", KueueVersion.V0_19),
  /** A workload that waits for its victims to stop goes first and has its quota kept free. */
  PRIORITIZE_PREEMPTOR_WORKLOADS("PrioritizePreemptorWorkloads"),
  /**
   * A workload whose victims were preempted for another in the same cycle is nominated again in it.
   */
  RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP(
      "RecomputeAssignmentUponPreemptionTargetsOverlap", KueueVersion.V0_19),
  /** When a workload does not fit, no other workload of its shape in its queue is tried. */
  SCHEDULING_EQUIVALENCE_HASHING("SchedulingEquivalenceHashing", KueueVersion.V0_19),
  /** Finished pods of a running workload release their quota. */
  RECLAIMABLE_PODS("ReclaimablePods", KueueVersion.V0_19),
  /** A workload's priority boost is added to its priority. */
  PRIORITY_BOOST("PriorityBoost"),
  /** Admission gates keep a workload out of the queue. */
  ADMISSION_GATED_BY("AdmissionGatedBy", KueueVersion.V0_19),
  /** Workloads try all flavors concurrently where their ClusterQueue enables it. */
  CONCURRENT_ADMISSION("ConcurrentAdmission"),
  /** Preemption gates of a workload prevent it from preempting. */
  MULTIKUEUE_ORCHESTRATED_PREEMPTION("MultiKueueOrchestratedPreemption", KueueVersion.V0_20),
  /** Flavors may have a topology. */
  TOPOLOGY_AWARE_SCHEDULING("TopologyAwareScheduling", KueueVersion.V0_19),
  /** Pods without topology constraints are placed in the domains with the least capacity. */
  TAS_PROFILE_MIXED("TASProfileMixed", KueueVersion.V0_19),
  /** A workload whose nodes were taken in the same cycle is nominated again in it. */
  TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE(
      "TASRecomputeAssignmentWithinSchedulingCycle", KueueVersion.V0_19),
  /** A node that belongs to several flavors is charged for all of them. */
  TAS_HANDLE_OVERLAPPING_FLAVORS("TASHandleOverlappingFlavors", KueueVersion.V0_19),
  /** Pods of a running workload whose node has failed are placed on another node. */
  TAS_FAILED_NODE_REPLACEMENT("TASFailedNodeReplacement", KueueVersion.V0_19),
  /** A workload is evicted if its pods on a failed node cannot be placed elsewhere. */
  TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST("TASFailedNodeReplacementFailFast", KueueVersion.V0_19),
  /** Workloads of single plain pods keep their places when a node fails. */
  SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS(
      "SkipReassignmentForPodOwnedWorkloads", KueueVersion.V0_19),
  /** {@code waitForPodsReady} has no effect. */
  DISABLE_WAIT_FOR_PODS_READY("DisableWaitForPodsReady"),
  /** Pods that prefer a level are spread evenly over as few of its domains as suffice. */
  TAS_BALANCED_PLACEMENT("TASBalancedPlacement"),
  /** Domains whose nodes match the preferred node affinity of the pods come first. */
  TAS_RESPECT_NODE_AFFINITY_PREFERRED("TASRespectNodeAffinityPreferred"),
  /**
   * Running elastic workloads may be scaled: down in place, up by an elastic slice that replaces
   * them.
   */
  ELASTIC_JOBS_VIA_WORKLOAD_SLICES("ElasticJobsViaWorkloadSlices", KueueVersion.V0_19),
  /**
   * Pods of a replaced elastic slice stay on their nodes; requires
   * {@code ElasticJobsViaWorkloadSlices}.
   */
  ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS("ElasticJobsViaWorkloadSlicesWithTAS"),
  /** The names of pod sets do not distinguish the shapes of workloads (U-15). */
  SCHEDULING_EQUIVALENCE_HASHING_IGNORE_POD_SET_NAME(
      "SchedulingEquivalenceHashingIgnorePodSetName", KueueVersion.V0_20),
  /** The usage of a LocalQueue counts from the reservation of quota on, not the admission (W-5). */
  ADMISSION_FAIR_SHARING_ANCHOR_AT_QUOTA_RESERVATION(
      "AdmissionFairSharingAnchorAtQuotaReservation", KueueVersion.V0_20),
  /** Pods that do not fill whole topology slices form a smaller last one. */
  TAS_PARTIAL_SLICES("TASPartialSlices", KueueVersion.V0_20),
  /** Pod sets of a group may ask for topology slices. */
  TAS_GROUPED_POD_SET_SLICING("TASGroupedPodSetSlicing", KueueVersion.V0_20),
  /** The place of a leader satisfies its own node selector, affinity and tolerations. */
  TAS_LEADER_POD_SET_FEASIBILITY("TASLeaderPodSetFeasibility", KueueVersion.V0_20),
  /** Capacity, taints and selectors are checked for each node, whatever the lowest level is. */
  TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS("TASNodeFeasibilityForAllLevels", KueueVersion.V0_20),
  /** Pod sets of a group of pods are ordered by what decides about their placement. */
  POD_GROUP_SCHEDULING_SHAPE_ORDERING("PodGroupSchedulingShapeOrdering", KueueVersion.V0_20),
  /** Pods of a group that succeeded count as ready. */
  POD_INTEGRATION_COUNT_SUCCEEDED_PODS_AS_READY(
      "PodIntegrationCountSucceededPodsAsReady", KueueVersion.V0_20),
  /** A Configuration may not call a resource {@code pods}. */
  RESERVED_RESOURCE_NAME_VALIDATION("ReservedResourceNameValidation", KueueVersion.V0_20);

  private final String text;
  private final @Nullable KueueVersion onSince;

  /** A gate that is off by default. */
  FeatureGate(String text) {
    this(text, null);
  }

  FeatureGate(String text, @Nullable KueueVersion onSince) {
    this.text = text;
    this.onSince = onSince;
  }

  /**
   * {@return the gate with that name in Kueue's configuration, if it changes decisions of this
   * engine}
   */
  public static Optional<FeatureGate> named(String name) {
    return Arrays.stream(values()).filter(gate -> gate.text.equals(name)).findFirst();
  }

  /** {@return whether it is on by default in {@code version}} */
  public boolean isEnabledByDefault(KueueVersion version) {
    return onSince != null && version.isAtLeast(onSince);
  }

  /** {@return the name in Kueue's configuration} */
  @Override
  public String toString() {
    return text;
  }
}
