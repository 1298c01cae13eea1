package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a workload stands and why.
 *
 * @param workload the workload
 * @param admission on what it was admitted, absent while it waits
 * @param cause the class of what keeps it waiting, absent when it is admitted
 * @param reasons what keeps it waiting: of its last attempt, or of the attempt at one of the same
 *     shape
 * @param isNextToTry whether the coming cycles try it; false if it waits for something to change
 * @param positionInClusterQueue how many workloads of its ClusterQueue stand before it, absent if
 *     it is in no queue
 * @param positionInLocalQueue how many workloads of its LocalQueue stand before it, absent if it is
 *     in no queue
 */
public record Explanation(
    WorkloadId workload,
    Optional<Admission> admission,
    Optional<PendingCause> cause,
    ImmutableList<Reason> reasons,
    boolean isNextToTry,
    OptionalInt positionInClusterQueue,
    OptionalInt positionInLocalQueue) {}
