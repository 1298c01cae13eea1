package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;

/**
 * A workload that holds quota of a ClusterQueue, and how much, at the moment of an
 * {@link io.kueue4j.core.EngineView}. Immutable.
 *
 * @param workload the workload
 * @param admission what it was admitted with
 * @param isAdmitted whether it may run; if not, it waits for admission checks or for a place for
 *     its pods
 * @param isStopping whether it was evicted and {@link io.kueue4j.core.AdmissionEngine#podsStopped}
 *     has not been called since
 * @param held what it is charged: what it was admitted with, less what reclaimable pods or scaling
 *     down have given back; an amount may be 0
 * @since 0.1.0
 */
public record HoldingWorkload(
    Workload workload,
    Admission admission,
    boolean isAdmitted,
    boolean isStopping,
    ImmutableList<PreemptionVictim.HeldQuota> held) {}
