package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;

/**
 * A workload that holds quota of a ClusterQueue, and how much.
 *
 * @param workload the workload
 * @param admission what it was admitted with
 * @param isAdmitted whether it may run; if not, admission checks are not passed or pods are to be
 *     placed
 * @param isToldToStop whether it was told to stop, and has not been reported as stopped
 * @param held what it is charged: what it was admitted with, less what pods have given back that
 *     are reclaimable or were scaled away; an amount may be 0
 */
public record HoldingWorkload(
    Workload workload,
    Admission admission,
    boolean isAdmitted,
    boolean isToldToStop,
    ImmutableList<PreemptionVictim.HeldQuota> held) {}
