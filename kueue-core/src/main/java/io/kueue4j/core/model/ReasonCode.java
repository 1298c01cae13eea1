package io.kueue4j.core.model;

/**
 * The kinds of {@link Reason}; stable, for dashboards and tests.
 *
 * @since 0.1.0
 */
public enum ReasonCode {
  /** The workload is queued and has not been tried since something changed. */
  NOT_TRIED_YET,
  /** A workload of the same shape did not fit; its reasons are given. */
  SAME_SHAPE_DID_NOT_FIT,
  /** The LocalQueue does not exist. */
  LOCAL_QUEUE_NOT_FOUND,
  /** The LocalQueue is stopped. */
  LOCAL_QUEUE_STOPPED,
  /** The ClusterQueue does not exist. */
  CLUSTER_QUEUE_NOT_FOUND,
  /** The ClusterQueue is stopped or refers to an object that does not exist. */
  CLUSTER_QUEUE_INACTIVE,
  /** The namespace does not exist. */
  NAMESPACE_NOT_FOUND,
  /** The namespace selector of the ClusterQueue does not match. */
  NAMESPACE_MISMATCH,
  /** The workload is not active. */
  DEACTIVATED,
  /** The workload has an admission gate. */
  ADMISSION_GATED,
  /** The workload needs to preempt others, but a preemption gate is closed. */
  PREEMPTION_GATED,
  /** The workload moves to a better flavor when its pods have stopped on the present one. */
  WAITING_FOR_MIGRATION,
  /** The workload may only be admitted on other flavors. */
  FLAVOR_NOT_ALLOWED,
  /** The workload waits for the end of a backoff delay. */
  BACKOFF,
  /** The caller has put the workload on hold. */
  ON_HOLD,
  /** The workload was evicted and its pods have not stopped yet. */
  STOPPING,
  /** An admission check has not passed. */
  CHECK_NOT_READY,
  /** The pods are not placed yet. */
  PLACEMENT_PENDING,
  /** Pods of workloads that were admitted before are not ready. */
  PODS_NOT_READY,
  /** The pods could not be created as specified. */
  INADMISSIBLE_PODS,
  /** No resource group of the ClusterQueue covers the resource. */
  RESOURCE_NOT_COVERED,
  /** The ClusterQueue has no flavors. */
  NO_FLAVORS,
  /** The ResourceFlavor does not exist. */
  FLAVOR_NOT_FOUND,
  /** The flavor has a taint that the pods do not tolerate. */
  UNTOLERATED_TAINT,
  /** The node selector or affinity of the pods excludes the flavor's nodes. */
  NODE_AFFINITY_MISMATCH,
  /** The node affinity of the pods is invalid. */
  INVALID_NODE_AFFINITY,
  /** The elastic slice that the workload replaces runs on another flavor. */
  FLAVOR_OF_REPLACED_SLICE,
  /** The request exceeds what the queue could get if nothing ran. */
  EXCEEDS_MAXIMUM,
  /** The request exceeds the available quota. */
  INSUFFICIENT_QUOTA,
  /** The request exceeds the available quota, and no workload may be preempted for it. */
  NO_PREEMPTION_CANDIDATES,
  /** The workload would delay a start that another one was promised. */
  DELAYS_PROMISED_START,
  /** The workload would still run in a capacity window, which keeps what it needs. */
  RUNS_INTO_WINDOW,
  /**
   * It needs to preempt others; the limits of preemption or a strict setting do not allow it now.
   */
  PREEMPTION_LIMITED,
  /** The pods request a topology, and the flavor has none. */
  FLAVOR_WITHOUT_TOPOLOGY,
  /** The flavor has a topology, and the pods request none. */
  FLAVOR_WITH_TOPOLOGY,
  /** The topology of the flavor has no level of that name. */
  TOPOLOGY_LEVEL_NOT_FOUND,
  /** The nodes have no place for the pods. */
  TOPOLOGY_DOES_NOT_FIT,
  /** The pods request TPU slices, and the flavor has no TPU pools. */
  FLAVOR_WITHOUT_TPU_POOLS,
  /** The flavor has TPU pools, and the pods request chips but no TPU slices. */
  FLAVOR_WITH_TPU_POOLS,
  /**
   * The flavor's TPU pools do not offer slices of this shape, or their hosts have another number of
   * chips than the pods request.
   */
  SLICE_NOT_OFFERED,
  /** The TPU slices do not fit into the pools, regardless of quota. */
  SLICES_DO_NOT_FIT,
  /** A host of a TPU slice that the workload runs on is down. */
  SLICE_UNUSABLE,
  /** Another workload took hosts of the TPU slices in the same cycle. */
  SLICES_TAKEN_IN_CYCLE,
  /** Another workload took the nodes in the same cycle. */
  NODES_TAKEN_IN_CYCLE,
  /** Another workload took the quota in the same cycle. */
  TAKEN_IN_CYCLE,
  /** The victims were preempted by other workloads in the same cycle. */
  VICTIMS_TAKEN_IN_CYCLE,
  /** The workload fits as soon as the pods of preempted workloads have stopped. */
  WAITING_FOR_PREEMPTED_WORKLOADS,
  /** Another elastic slice of the same job continues instead. */
  OBSOLETE_SLICE,
  /** The workload is invalid. */
  INVALID
}
