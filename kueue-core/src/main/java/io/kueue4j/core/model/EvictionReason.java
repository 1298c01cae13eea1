package io.kueue4j.core.model;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import java.util.Arrays;
import java.util.Optional;

/**
 * Why a workload was evicted. The reason decides when the workload may be tried again.
 *
 * <p>Kueue: reason of the condition {@code Evicted}. Rules: L-9, L-11.
 *
 * @since 0.1.0
 */
public enum EvictionReason {
  /** Another workload preempted it; may be tried again at once. */
  PREEMPTED("Preempted"),
  /** Nodes have failed and there is no other place for their pods; may be tried again at once. */
  NODE_FAILURES("NodeFailures"),
  /** Its pods were not ready in time; may be tried again after a delay that grows each time. */
  PODS_READY_TIMEOUT("PodsReadyTimeout"),
  /**
   * An admission check ended in {@link CheckState#RETRY}; may be tried again after the delay of the
   * check.
   */
  ADMISSION_CHECK("AdmissionCheck"),
  /** Its ClusterQueue is drained; may be tried again when the queue is started. */
  CLUSTER_QUEUE_STOPPED("ClusterQueueStopped"),
  /** Its LocalQueue is drained; may be tried again when the queue is started. */
  LOCAL_QUEUE_STOPPED("LocalQueueStopped"),
  /** It was deactivated; may be tried again when it is active. */
  DEACTIVATED("Deactivated"),
  /**
   * It moves to a better flavor; may be tried again when the component that moves it requeues it.
   */
  FLAVOR_MIGRATION("FlavorMigration"),
  /** It was evicted on the manager cluster; not tried again in this cluster. */
  EVICTED_ON_MANAGER_CLUSTER("EvictedOnManagerCluster");

  private static final ImmutableMap<String, EvictionReason> BY_TEXT =
      Maps.uniqueIndex(Arrays.asList(values()), reason -> reason.text);

  private final String text;

  EvictionReason(String text) {
    this.text = text;
  }

  /**
   * {@return the reason that a condition states, {@link #DEACTIVATED} for every cause of a
   * deactivation; empty if it is unknown}
   *
   * @param conditionReason the reason of a condition {@code Evicted}, or of a condition
   *     {@code Requeued} that followed
   */
  public static Optional<EvictionReason> named(String conditionReason) {
    return conditionReason.startsWith(DEACTIVATED.text)
        ? Optional.of(DEACTIVATED)
        : Optional.ofNullable(BY_TEXT.get(conditionReason));
  }

  /** {@return whether a workload may be tried again as soon as its pods have stopped} */
  public boolean isRequeuedAtOnce() {
    return this == PREEMPTED || this == NODE_FAILURES;
  }

  /** {@return the reason as Kueue writes it, without a cause} */
  @Override
  public String toString() {
    return text;
  }

  /**
   * The underlying cause of an eviction whose {@link EvictionReason} can have several causes.
   *
   * <p>Kueue: underlying cause of an eviction. Rules: L-11, L-12, L-16.
   *
   * @since 0.1.0
   */
  public enum EvictionCause {
    /** Of a deactivation: an admission check rejected the workload. */
    ADMISSION_CHECK("AdmissionCheck"),
    /** Of a deactivation: the pods were not ready in time too often. */
    REQUEUING_LIMIT_EXCEEDED("RequeuingLimitExceeded"),
    /** Of a deactivation: the maximum execution time has passed. */
    MAXIMUM_EXECUTION_TIME_EXCEEDED("MaximumExecutionTimeExceeded"),
    /** Of a timeout: the pods were never ready. */
    WAIT_FOR_START("WaitForStart"),
    /** Of a timeout: the pods were ready and are not any more. */
    WAIT_FOR_RECOVERY("WaitForRecovery");

    private final String text;

    EvictionCause(String text) {
      this.text = text;
    }

    /** {@return the cause as Kueue writes it} */
    @Override
    public String toString() {
      return text;
    }
  }
}
