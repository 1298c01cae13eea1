package io.kueue4j.k8s.metrics;

/**
 * A workload that has finished, so that the engine no longer contains it, and whose object still
 * exists.
 *
 * @param namespace its namespace
 * @param localQueue the LocalQueue that it names
 * @since 0.1.0
 */
public record FinishedWorkload(String namespace, String localQueue) {}
