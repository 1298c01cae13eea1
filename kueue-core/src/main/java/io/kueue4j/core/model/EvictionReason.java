package io.kueue4j.core.model;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.Arrays;
import java.util.Optional;

/**
 * Why a workload was told to stop, which decides when it may be tried again.
 *
 * <p>Kueue: reason of the condition {@code Evicted}. Rules: L-9, L-11.
 */
public enum EvictionReason {
  /** For another workload; may be tried again at once. */
  PREEMPTED("Preempted"),
  /**
   * Nodes have failed and there is no other place for the pods that were on them; may be tried
   * again at once.
   */
  NODE_FAILURES("NodeFailures"),
  /** Its pods were not ready in time; may be tried again after a delay that grows. */
  PODS_READY_TIMEOUT("PodsReadyTimeout"),
  /** An admission check wants it to try again; may be tried again after the delay of the check. */
  ADMISSION_CHECK("AdmissionCheck"),
  /** Its ClusterQueue is drained; may be tried again when that is started. */
  CLUSTER_QUEUE_STOPPED("ClusterQueueStopped"),
  /** Its LocalQueue is drained; may be tried again when that is started. */
  LOCAL_QUEUE_STOPPED("LocalQueueStopped"),
  /** It is not active any more; may be tried again when it is. */
  DEACTIVATED("Deactivated"),
  /** It is to run on a better flavor; may be tried again when whoever moves it says so. */
  FLAVOR_MIGRATION("FlavorMigration"),
  /** It was evicted in the cluster that it came from; not to be tried again here. */
  EVICTED_ON_MANAGER_CLUSTER("EvictedOnManagerCluster");

  private static final ImmutableMap<String, EvictionReason> BY_TEXT =
      Maps.uniqueIndex(Arrays.asList(values()), reason -> reason.text);

  private final String text;

  EvictionReason(String text) {
    this.text = text;
  }

  /**
   * {@return the reason that a condition states; {@link #DEACTIVATED} whatever the cause}
   *
   * @param conditionReason the reason of a condition {@code Evicted}, or of a condition
   *     {@code Requeued} that followed
   */
  public static Optional<EvictionReason> named(String conditionReason) {
    return conditionReason.startsWith(DEACTIVATED.text)
        ? Optional.of(DEACTIVATED)
        : Optional.ofNullable(BY_TEXT.get(conditionReason));
  }

  /** {@return whether a workload that has stopped may be tried again without further ado} */
  public boolean isRequeuedAtOnce() {
    return this == PREEMPTED || this == NODE_FAILURES;
  }

  /** {@return the reason as Kueue writes it, if the cause does not matter} */
  @Override
  public String toString() {
    return text;
  }
}
