package io.kueue4j.core.decision;

import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * The removal of a workload from an engine, as an {@link EngineListener} receives it. Immutable.
 *
 * @param workload the workload in its last state
 * @param clusterQueue the ClusterQueue whose quota it held, otherwise the one of its LocalQueue;
 *     absent if there is none
 * @param status its last status
 * @param reason whether it finished, was deleted or was released
 * @param time the time of the call that removed it
 * @since 0.1.0
 */
public record WorkloadRemoved(
    Workload workload,
    Optional<String> clusterQueue,
    WorkloadStatus status,
    Reason reason,
    Instant time) {
  /**
   * Why a workload leaves an engine.
   *
   * @since 0.1.0
   */
  public enum Reason {
    /** It has finished, by {@link io.kueue4j.core.AdmissionEngine#finish}. */
    FINISHED,
    /**
     * It released its quota and does not run, by {@link io.kueue4j.core.AdmissionEngine#release}.
     */
    RELEASED,
    /** It was deleted, by {@link io.kueue4j.core.AdmissionEngine#delete}. */
    DELETED,
    /** It is an elastic slice that was replaced by another one; rules E-6, E-8. */
    SLICE_REPLACED,
    /** It is an elastic slice, and another one continues without it; rule E-8. */
    SLICE_OUT_OF_SYNC
  }
}
