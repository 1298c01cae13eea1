/**
 * The life of workloads with its effects on quotas and queues. {@link WorkloadTransitions} makes
 * the steps of one workload: reserve, admit, evict, stop, requeue, deactivate. The state of a
 * single workload is in {@code lifecycle}.
 *
 * <p>What concerns several workloads: {@link VariantSettlement} keeps the variants of a workload
 * that tries all flavors concurrently consistent, {@link VariantGuard} decides which of them may
 * preempt, and {@link ElasticSlices} knows what a new slice of an elastic job takes over, and which
 * of several continues.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.life;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
