package io.kueue4j.core.decision;

import io.kueue4j.core.model.TargetRecomputation;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * An event of a cycle: a workload had found victims, and an earlier workload of the same cycle
 * preempted some of them or took the quota that they free. Immutable.
 *
 * @param workload the workload
 * @param clusterQueue the ClusterQueue that it waits in
 * @param isSkipped whether the cycle skipped it, because its victims were preempted for others or
 *     because it no longer fits beside them
 * @param recomputation the outcome of the search for other victims, absent if none was necessary
 * @since 0.1.0
 */
public record PreemptionConflict(
    WorkloadId workload,
    String clusterQueue,
    boolean isSkipped,
    Optional<TargetRecomputation> recomputation) {}
