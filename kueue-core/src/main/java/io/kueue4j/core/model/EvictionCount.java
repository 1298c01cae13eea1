package io.kueue4j.core.model;

import java.util.Optional;

/**
 * How often a workload was told to stop for one reason and cause.
 *
 * <p>Kueue: {@code Workload.status.schedulingStats.evictions[]}. Rules: L-9.
 *
 * @param reason the reason
 * @param cause the cause, absent if the reason says all
 * @param count how often, at least once
 */
public record EvictionCount(EvictionReason reason, Optional<EvictionCause> cause, int count) {}
