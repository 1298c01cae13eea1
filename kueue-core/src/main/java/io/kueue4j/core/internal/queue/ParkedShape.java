package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.flavor.QuotaBound;

/**
 * A shape of which all workloads of a ClusterQueue are parked.
 *
 * @param first the workload of the shape that is served first
 * @param bound the bound on the quota that it needs
 */
public record ParkedShape(PendingWorkload first, QuotaBound bound) {}
