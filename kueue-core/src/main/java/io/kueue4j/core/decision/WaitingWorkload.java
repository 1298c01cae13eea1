package io.kueue4j.core.decision;

import io.kueue4j.core.model.Workload;

/**
 * A workload that waits in a ClusterQueue, and its place there.
 *
 * @param workload the workload
 * @param priority its priority, that of its class if it has one; without the boost
 * @param positionInClusterQueue how many workloads of the ClusterQueue are served before it, those
 *     that wait for something to change among them
 * @param positionInLocalQueue how many of these are of the same LocalQueue
 * @param isActive whether the coming cycles try it; if not, it waits for something to change
 */
public record WaitingWorkload(
    Workload workload,
    int priority,
    int positionInClusterQueue,
    int positionInLocalQueue,
    boolean isActive) {}
