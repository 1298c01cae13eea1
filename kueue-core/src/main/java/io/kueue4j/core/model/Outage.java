package io.kueue4j.core.model;

/**
 * Why a ClusterQueue is out of service whatever its specification says: it is being deleted, or its
 * configuration cannot be applied. Until the outage ends, the queue admits nothing; workloads that
 * hold its quota keep it.
 *
 * <p>Kueue: a queue that is terminating, or whose cohorts form a cycle. Rules: M-12.
 *
 * @param reason the reason as one word, such as {@code Terminating}
 * @param message the reason as a sentence
 * @since 0.1.0
 */
public record Outage(String reason, String message) {}
