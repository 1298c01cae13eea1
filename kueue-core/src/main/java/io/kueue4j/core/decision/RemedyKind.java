package io.kueue4j.core.decision;

/**
 * The kinds of {@link Remedy}, in the order of their cost: first those that need no action, then
 * actions of the workload's owner, then those that grant access, last those that cost capacity or
 * the progress of other workloads.
 *
 * @since 0.1.0
 */
public enum RemedyKind {
  /** No change: cycles admit it in its turn. */
  WAIT_FOR_TURN,
  /** The workloads that cycles preempt for it have stopped. */
  STOP_VICTIMS,
  /** Its backoff ends. */
  END_BACKOFF,
  /** It gets a higher priority than the workloads before it. */
  RAISE_PRIORITY,
  /** It is activated. */
  ACTIVATE,
  /** Its admission gates are removed. */
  REMOVE_ADMISSION_GATES,
  /** Invalid pod specifications are repaired. */
  REPAIR_PODS,
  /** Its pods tolerate the taints, or select the labels, of a flavor. */
  ADAPT_PODS,
  /** The stop policy of its LocalQueue is lifted. */
  OPEN_LOCAL_QUEUE,
  /** Its LocalQueue is created. */
  CREATE_LOCAL_QUEUE,
  /** The stop policy of its ClusterQueue is lifted. */
  OPEN_CLUSTER_QUEUE,
  /** ResourceFlavors that its ClusterQueue names are created. */
  CREATE_RESOURCE_FLAVORS,
  /** Admission checks that do not exist are removed from its ClusterQueue. */
  REMOVE_ADMISSION_CHECKS,
  /** Its namespace is created. */
  CREATE_NAMESPACE,
  /** Its namespace gets the labels that the ClusterQueue selects. */
  LABEL_NAMESPACE,
  /** Its ClusterQueue selects every namespace. */
  SELECT_EVERY_NAMESPACE,
  /** A borrowing limit on the path to the root of its cohorts is raised. */
  RAISE_BORROWING_LIMIT,
  /** A lending limit of another ClusterQueue or cohort, which keeps unlent quota, is raised. */
  RAISE_LENDING_LIMIT,
  /** Nominal quotas of its ClusterQueue are raised, all of them in one step. */
  RAISE_NOMINAL_QUOTA,
  /** Nominal quotas of a cohort above its ClusterQueue are raised, all of them in one step. */
  RAISE_COHORT_QUOTA,
  /** Its ClusterQueue gets quota for resources that it does not cover. */
  COVER_RESOURCES,
  /** Its ClusterQueue is created with the minimum quota that it needs. */
  CREATE_CLUSTER_QUEUE,
  /** Workloads that hold the quota it needs stop, although no policy allows it to preempt them. */
  STOP_HOLDERS
}
