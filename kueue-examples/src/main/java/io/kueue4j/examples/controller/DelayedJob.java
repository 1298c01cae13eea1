package io.kueue4j.examples.controller;

import io.kueue4j.core.model.Workload;

/**
 * A job that the controller keeps out of its queue for a while; the engine does not show it among
 * those that wait.
 *
 * @param workload what it will be queued as
 * @param clusterQueue the ClusterQueue that it is kept from, empty if there is none
 * @param reason why, and until when
 */
public record DelayedJob(Workload workload, String clusterQueue, String reason) {}
