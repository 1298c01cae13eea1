package io.kueue4j.core.decision;

import io.kueue4j.core.model.Workload;

/**
 * A workload that waits in a ClusterQueue, and its position, as of an
 * {@link io.kueue4j.core.EngineView}. Immutable.
 *
 * @param workload the workload
 * @param priority its priority, without its boost; the value of its priority class if it has one
 * @param positionInClusterQueue the number of workloads of the ClusterQueue that are served before
 *     it, including those that wait for a change
 * @param positionInLocalQueue the number of these that belong to the same LocalQueue
 * @param isActive whether the next cycles try it; if not, it waits for a change
 * @since 0.1.0
 */
public record WaitingWorkload(
    Workload workload,
    int priority,
    int positionInClusterQueue,
    int positionInLocalQueue,
    boolean isActive) {}
