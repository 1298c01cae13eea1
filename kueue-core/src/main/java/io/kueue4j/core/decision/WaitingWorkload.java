package io.kueue4j.core.decision;

import io.kueue4j.core.model.Workload;

/**
 * A workload that waits in a ClusterQueue, and its position, at the moment of an
 * {@link io.kueue4j.core.EngineView}. Immutable.
 *
 * @param workload the workload
 * @param priority its priority, without its boost; that of its priority class if it has one
 * @param positionInClusterQueue the number of workloads of the ClusterQueue that are served before
 *     it, including those that wait for something to change
 * @param positionInLocalQueue the number of these that are of the same LocalQueue
 * @param isActive whether the coming cycles try it; if not, it waits for something to change
 * @since 0.1.0
 */
public record WaitingWorkload(
    Workload workload,
    int priority,
    int positionInClusterQueue,
    int positionInLocalQueue,
    boolean isActive) {}
