package io.kueue4j.core.model;

import java.util.Optional;

/**
 * How often a workload was evicted for one reason and cause.
 *
 * <p>Kueue: {@code Workload.status.schedulingStats.evictions[]}. Rules: L-9.
 *
 * @param reason the reason
 * @param cause the cause, absent if the reason has only one
 * @param count the number of evictions, at least 1
 * @since 0.1.0
 */
public record EvictionCount(EvictionReason reason, Optional<EvictionCause> cause, int count) {}
