package io.kueue4j.core.decision;

/**
 * The kinds of {@link Remedy}, in the order of their cost: first those that need no action, then
 * those of the owner of the workload, then those that give access, last those that cost capacity or
 * the work of others.
 *
 * @since 0.1.0
 */
public enum RemedyKind {
  /** Nothing has to change: cycles admit it when its turn has come. */
  WAIT_FOR_TURN,
  /** The workloads stop that the policies allow to preempt for it, as cycles tell them to. */
  STOP_VICTIMS,
  /** Its backoff ends. */
  END_BACKOFF,
  /** It gets a priority above those who stand before it. */
  RAISE_PRIORITY,
  /** It is activated. */
  ACTIVATE,
  /** Its admission gates are removed. */
  REMOVE_ADMISSION_GATES,
  /** What is wrong with its pods in themselves is repaired. */
  REPAIR_PODS,
  /** Its pods tolerate the taints, or do not select against the labels, of a flavor. */
  ADAPT_PODS,
  /** The stop policy of its LocalQueue is lifted. */
  OPEN_LOCAL_QUEUE,
  /** Its LocalQueue is created. */
  CREATE_LOCAL_QUEUE,
  /** The stop policy of its ClusterQueue is lifted. */
  OPEN_CLUSTER_QUEUE,
  /** ResourceFlavors that its ClusterQueue names are created. */
  CREATE_RESOURCE_FLAVORS,
  /** Admission checks that do not exist are taken from its ClusterQueue. */
  REMOVE_ADMISSION_CHECKS,
  /** Its namespace is created. */
  CREATE_NAMESPACE,
  /** Its namespace gets the labels that the ClusterQueue selects. */
  LABEL_NAMESPACE,
  /** Its ClusterQueue selects every namespace. */
  SELECT_EVERY_NAMESPACE,
  /** A borrowing limit on its way is raised. */
  RAISE_BORROWING_LIMIT,
  /**
   * A lending limit of another ClusterQueue or cohort, which has quota that it keeps, is raised.
   */
  RAISE_LENDING_LIMIT,
  /** Nominal quotas of its ClusterQueue are raised, all of them in one step. */
  RAISE_NOMINAL_QUOTA,
  /** Nominal quotas of a cohort above its ClusterQueue are raised, all of them in one step. */
  RAISE_COHORT_QUOTA,
  /** Its ClusterQueue gets quota for resources that it has none for. */
  COVER_RESOURCES,
  /** Its ClusterQueue is created, with just the quota that it needs. */
  CREATE_CLUSTER_QUEUE,
  /** Workloads stop that hold what it needs, though no policy makes them. */
  STOP_HOLDERS
}
