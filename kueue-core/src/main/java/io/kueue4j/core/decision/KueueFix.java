package io.kueue4j.core.decision;

/**
 * A change of Kueue's that has no feature gate and changes decisions, or how jobs are counted. It
 * holds from a {@link KueueVersion} on.
 *
 * <p>Rules: section 14 of the rule index, and the rule that each fix names.
 *
 * @since 0.1.0
 */
public enum KueueFix {
  /**
   * A preemptor is forgotten when it returns to its queue for another reason than that it waits for
   * its victims or for a migration (U-10).
   */
  FORGOTTEN_PREEMPTORS(14863, KueueVersion.V0_19_7),
  /** The number of pods is part of what the victims of a workload make room for (P-2, X-2). */
  PODS_IN_SEARCHES_FOR_VICTIMS(16167, KueueVersion.V0_19_7),
  /** A check that is rejected while an evicted workload stops deactivates the workload (L-7). */
  REJECTIONS_WHILE_STOPPING(14309, KueueVersion.V0_19_7),
  /** A part of an unlimited quota may be lent, since amounts are exact (N-4). */
  EXACT_LARGE_AMOUNTS(15026, KueueVersion.V0_19_7),
  /** A node that changes wakes only the queues with a flavor that its labels match (U-17). */
  NODE_EVENTS_BY_FLAVOR(16152, KueueVersion.V0_19_7),
  /** A pod set whose pods have all finished frees its domains (L-24). */
  RECLAIMED_PODS_FREE_DOMAINS(15219, KueueVersion.V0_19_7),
  /** What a cycle takes and frees of a host counts at once in all flavors of the host (T-12). */
  SHARED_HOSTS_WITHIN_CYCLE(14366, KueueVersion.V0_19_7),
  /** The places of a replaced elastic slice count once (T-88). */
  REPLACED_SLICES_ONCE(15579, KueueVersion.V0_19_7),
  /** Pod sets without pods get a flavor whose quota could hold one pod of each (F-35). */
  ROOM_FOR_EMPTY_POD_SETS(15444, KueueVersion.V0_19_7),
  /** The minimum count of a pod set may be 0 (M-25). */
  MIN_COUNT_ZERO(14720, KueueVersion.V0_20),
  /** A resource group may have 32 flavors in a queue with concurrent admission (CA-1). */
  MORE_FLAVORS_OF_VARIANTS(15949, KueueVersion.V0_20),
  /** The gate of a variant opens only after every better variant was evaluated (CA-5). */
  GATES_AFTER_BETTER_VARIANTS(15553, KueueVersion.V0_19_7),
  /** The finished pods of a Job count against its pods, not against its parallelism. */
  RECLAIMABLE_PODS_OF_COUNT(16111, KueueVersion.V0_19_7),
  /** A limit is the default of a request before a LimitRange is. */
  LIMITS_BEFORE_LIMIT_RANGES(15023, KueueVersion.V0_20),
  /** Requests of a whole pod are at least the requests of its containers. */
  POD_REQUESTS_COVER_CONTAINERS(16047, KueueVersion.V0_19_7),
  /** A resource that is not counted can still be transformed or be a factor. */
  EXCLUDED_INPUTS_OF_TRANSFORMATIONS(16041, KueueVersion.V0_19_7),
  /** Requests of the same name as devices are kept, and sidecars add to devices (D-2). */
  DEVICES_BESIDE_REQUESTS(14154, KueueVersion.V0_19_7),
  /** A SparkApplication requests what Spark will request for its pods (J-14). */
  SPARK_REQUESTS(15833, KueueVersion.V0_19_7),
  /** The node selector of a SparkApplication adds to the ones of driver and executors (J-14). */
  SPARK_NODE_SELECTOR(15649, KueueVersion.V0_19_7),
  /**
   * The offset of pod indexes is a number of 0 or more, and no pod set of a group has one (T-90).
   */
  CHECKED_INDEX_OFFSETS(14485, KueueVersion.V0_20),
  /** A job cannot use a Workload that it names if their topology requests differ (J-27). */
  PREBUILT_TOPOLOGIES(14585, KueueVersion.V0_20),
  /** A failed submission of a SparkApplication that is tried again keeps its quota (J-14). */
  SPARK_RESUBMISSION(16364, KueueVersion.V0_20),
  /** With dynamic allocation, a SparkApplication is ready with its least executors (J-14). */
  SPARK_MINIMUM_EXECUTORS(14505, KueueVersion.V0_20);

  private final int pullRequest;
  private final KueueVersion since;

  KueueFix(int pullRequest, KueueVersion since) {
    this.pullRequest = pullRequest;
    this.since = since;
  }

  /** {@return the number of the pull request in {@code kubernetes-sigs/kueue}} */
  public int pullRequest() {
    return pullRequest;
  }

  /** {@return the first version that has the fix} */
  public KueueVersion since() {
    return since;
  }

  /** {@return whether {@code version} has the fix} */
  public boolean isIn(KueueVersion version) {
    return version.isAtLeast(since);
  }
}
