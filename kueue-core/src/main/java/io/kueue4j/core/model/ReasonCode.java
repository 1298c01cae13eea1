package io.kueue4j.core.model;

/** The kinds of {@link Reason}; stable, for dashboards and tests. */
public enum ReasonCode {
  /** It is queued and has not been tried since something changed. */
  NOT_TRIED_YET,
  /** A workload of the same shape did not fit; the reasons are that one's. */
  SAME_SHAPE_DID_NOT_FIT,
  /** The LocalQueue does not exist. */
  LOCAL_QUEUE_NOT_FOUND,
  /** The LocalQueue is stopped. */
  LOCAL_QUEUE_STOPPED,
  /** The ClusterQueue does not exist. */
  CLUSTER_QUEUE_NOT_FOUND,
  /** The ClusterQueue is stopped or names what does not exist. */
  CLUSTER_QUEUE_INACTIVE,
  /** The namespace does not exist. */
  NAMESPACE_NOT_FOUND,
  /** The namespace selector of the ClusterQueue does not match. */
  NAMESPACE_MISMATCH,
  /** The workload is not active. */
  DEACTIVATED,
  /** The workload carries an admission gate. */
  ADMISSION_GATED,
  /** Others would have to be preempted, and a preemption gate keeps the workload from that. */
  PREEMPTION_GATED,
  /** The workload moves to a better flavor when it has stopped on the present one. */
  WAITING_FOR_MIGRATION,
  /** The workload may be admitted on other flavors only. */
  FLAVOR_NOT_ALLOWED,
  /** The workload is to be tried later. */
  BACKOFF,
  /** The workload is kept from being queued for the time being. */
  ON_HOLD,
  /** The workload was told to stop and has not yet. */
  STOPPING,
  /** An admission check is not passed. */
  CHECK_NOT_READY,
  /** The pods are still to be placed. */
  PLACEMENT_PENDING,
  /** Pods of workloads admitted before are not ready. */
  PODS_NOT_READY,
  /** The pods could not be created as they are. */
  INADMISSIBLE_PODS,
  /** No resource group of the ClusterQueue covers the resource. */
  RESOURCE_NOT_COVERED,
  /** The ClusterQueue offers no flavor at all. */
  NO_FLAVORS,
  /** The ResourceFlavor does not exist. */
  FLAVOR_NOT_FOUND,
  /** The flavor has a taint that the pods do not tolerate. */
  UNTOLERATED_TAINT,
  /** The pods select other nodes than the flavor's. */
  NODE_AFFINITY_MISMATCH,
  /** The node affinity of the pods cannot be read. */
  INVALID_NODE_AFFINITY,
  /** The pods that the workload takes over run on another flavor. */
  FLAVOR_OF_REPLACED_SLICE,
  /** More is asked than the queue could get if nothing ran. */
  EXCEEDS_MAXIMUM,
  /** More is asked than is unused. */
  INSUFFICIENT_QUOTA,
  /** More is asked than is unused, and no workload may be preempted for it. */
  NO_PREEMPTION_CANDIDATES,
  /** The flavor has no topology, which the pods ask for. */
  FLAVOR_WITHOUT_TOPOLOGY,
  /** The flavor has a topology, and the pods are not to be placed. */
  FLAVOR_WITH_TOPOLOGY,
  /** The topology of the flavor has no level of that name. */
  TOPOLOGY_LEVEL_NOT_FOUND,
  /** The nodes have no place for the pods. */
  TOPOLOGY_DOES_NOT_FIT,
  /** The flavor has no TPU pools, which the pods ask for slices of. */
  FLAVOR_WITHOUT_TPU_POOLS,
  /** The flavor's TPU chips are given as slices, and the pods ask for none. */
  FLAVOR_WITH_TPU_POOLS,
  /** The flavor's TPU pools have no slices of that shape, or other hosts than the pods need. */
  SLICE_NOT_OFFERED,
  /** The TPU pools have no room for the slices, be there quota or not. */
  SLICES_DO_NOT_FIT,
  /** A host of a slice that the workload runs on is down. */
  SLICE_UNUSABLE,
  /** Another workload took hosts of the slices in the same cycle. */
  SLICES_TAKEN_IN_CYCLE,
  /** Another workload took the nodes in the same cycle. */
  NODES_TAKEN_IN_CYCLE,
  /** Another workload took the quota in the same cycle. */
  TAKEN_IN_CYCLE,
  /** The workloads to preempt were preempted for others in the same cycle. */
  VICTIMS_TAKEN_IN_CYCLE,
  /** It fits when workloads that are told to stop have stopped. */
  WAITING_FOR_PREEMPTED_WORKLOADS,
  /** Another slice of the same elastic job goes on instead. */
  OBSOLETE_SLICE,
  /** The workload breaks a rule of its own. */
  INVALID
}
