package io.kueue4j.core.decision;

import io.kueue4j.core.model.TargetRecomputation;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * A workload that had whom to preempt in a cycle, and found that others of the same cycle need the
 * same.
 *
 * @param workload the workload
 * @param clusterQueue the ClusterQueue that it waits in
 * @param isSkipped whether it was passed over: its victims were preempted for others, or it does
 *     not fit any more beside them
 * @param recomputation what came of looking for other victims, absent if it did not have to
 */
public record PreemptionConflict(
    WorkloadId workload,
    String clusterQueue,
    boolean isSkipped,
    Optional<TargetRecomputation> recomputation) {}
