package io.kueue4j.k8s.metrics;

/**
 * A workload that has finished and whose object is still there, which an engine does not know any
 * more.
 *
 * @param namespace its namespace
 * @param localQueue the LocalQueue that it names
 */
public record FinishedWorkload(String namespace, String localQueue) {}
