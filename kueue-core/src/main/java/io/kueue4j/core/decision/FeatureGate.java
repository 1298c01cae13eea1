package io.kueue4j.core.decision;

import java.util.Arrays;
import java.util.Optional;

/**
 * Kueue's feature gates that affect decisions, with the defaults of Kueue.
 * {@link Settings.Builder#putFeatureGates} turns one on or off.
 *
 * <p>Rules: T-91 and section 14 of the rule index.
 *
 * @since 0.1.0
 */
public enum FeatureGate {
  /** Workloads may be admitted with fewer pods, down to {@code minCount}. */
  PARTIAL_ADMISSION("PartialAdmission", true),
  /**
   * Applies the policies of {@code flavorFungibility}; if off, the first flavor that fits is
   * assigned.
   */
  FLAVOR_FUNGIBILITY("FlavorFungibility", true),
  /** A workload that fitted but lost its quota to an earlier one continues with the next flavor. */
  FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS("FlavorFungibilityPreserveScanProgress", true),
  /** Priority orders the workloads of one cycle. */
  PRIORITY_SORTING_WITHIN_COHORT("PrioritySortingWithinCohort", true),
  /** Under fair sharing, a queue within its nominal quota preempts without comparing shares. */
  FAIR_SHARING_PREEMPT_WITHIN_NOMINAL("FairSharingPreemptWithinNominal", true),
  /** Under fair sharing, workloads whose subtree does not borrow go first. */
  FAIR_SHARING_PRIORITIZE_NON_BORROWING("FairSharingPrioritizeNonBorrowing", true),
  /** LocalQueues are ordered by their past usage, where settings and ClusterQueue enable it. */
  ADMISSION_FAIR_SHARING("AdmissionFairSharing", true),
  /** A workload that waits for its victims to stop goes first and has its quota kept free. */
  PRIORITIZE_PREEMPTOR_WORKLOADS("PrioritizePreemptorWorkloads", false),
  /**
   * A workload whose victims were preempted for another in the same cycle is nominated again in it.
   */
  RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP(
      "RecomputeAssignmentUponPreemptionTargetsOverlap", true),
  /** When a workload does not fit, those of the same shape in its queue are not tried either. */
  SCHEDULING_EQUIVALENCE_HASHING("SchedulingEquivalenceHashing", true),
  /** Finished pods of a running workload release their quota. */
  RECLAIMABLE_PODS("ReclaimablePods", true),
  /** A workload's priority boost is added to its priority. */
  PRIORITY_BOOST("PriorityBoost", false),
  /** Admission gates keep a workload out of the queue. */
  ADMISSION_GATED_BY("AdmissionGatedBy", true),
  /** Workloads try all flavors concurrently where their ClusterQueue enables it. */
  CONCURRENT_ADMISSION("ConcurrentAdmission", false),
  /** Preemption gates of a workload prevent it from preempting. */
  MULTIKUEUE_ORCHESTRATED_PREEMPTION("MultiKueueOrchestratedPreemption", false),
  /** Flavors may have a topology. */
  TOPOLOGY_AWARE_SCHEDULING("TopologyAwareScheduling", true),
  /** Pods without topology constraints are placed in the domains with the least capacity. */
  TAS_PROFILE_MIXED("TASProfileMixed", true),
  /** A workload whose nodes were taken in the same cycle is nominated again in it. */
  TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE(
      "TASRecomputeAssignmentWithinSchedulingCycle", true),
  /** A node that belongs to several flavors is charged for all of them. */
  TAS_HANDLE_OVERLAPPING_FLAVORS("TASHandleOverlappingFlavors", true),
  /** Pods of a running workload whose node has failed are placed on another node. */
  TAS_FAILED_NODE_REPLACEMENT("TASFailedNodeReplacement", true),
  /** A workload is evicted if its pods on a failed node cannot be placed elsewhere. */
  TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST("TASFailedNodeReplacementFailFast", true),
  /** Workloads of single plain pods keep their places when a node fails. */
  SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS("SkipReassignmentForPodOwnedWorkloads", true),
  /** {@code waitForPodsReady} has no effect. */
  DISABLE_WAIT_FOR_PODS_READY("DisableWaitForPodsReady", false),
  /** Pods that prefer a level are spread evenly over as few of its domains as suffice. */
  TAS_BALANCED_PLACEMENT("TASBalancedPlacement", false),
  /** Domains whose nodes match the preferred node affinity of the pods come first. */
  TAS_RESPECT_NODE_AFFINITY_PREFERRED("TASRespectNodeAffinityPreferred", false),
  /**
   * Running elastic workloads may be scaled: down in place, up by an elastic slice that replaces
   * them.
   */
  ELASTIC_JOBS_VIA_WORKLOAD_SLICES("ElasticJobsViaWorkloadSlices", true),
  /**
   * Pods of a replaced elastic slice stay on their nodes; requires
   * {@code ElasticJobsViaWorkloadSlices}.
   */
  ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS("ElasticJobsViaWorkloadSlicesWithTAS", false);

  private final String text;
  private final boolean enabledByDefault;

  FeatureGate(String text, boolean enabledByDefault) {
    this.text = text;
    this.enabledByDefault = enabledByDefault;
  }

  /**
   * {@return the gate with that name in Kueue's configuration, if it changes decisions of this
   * engine}
   */
  public static Optional<FeatureGate> named(String name) {
    return Arrays.stream(values()).filter(gate -> gate.text.equals(name)).findFirst();
  }

  /** {@return whether it is on by default} */
  public boolean isEnabledByDefault() {
    return enabledByDefault;
  }

  /** {@return the name in Kueue's configuration} */
  @Override
  public String toString() {
    return text;
  }
}
