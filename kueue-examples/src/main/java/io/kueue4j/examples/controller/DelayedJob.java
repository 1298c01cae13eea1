package io.kueue4j.examples.controller;

import io.kueue4j.core.model.Workload;

/**
 * A job that the controller delays before it is queued; the engine does not show it among pending
 * workloads.
 *
 * @param workload its workload
 * @param clusterQueue its ClusterQueue, empty if there is none
 * @param reason the reason and the end of the delay
 */
public record DelayedJob(Workload workload, String clusterQueue, String reason) {}
