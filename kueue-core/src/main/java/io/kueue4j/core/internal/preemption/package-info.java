/**
 * Preemption: candidates, their order, and the search for victims whose preemption makes a workload
 * fit.
 *
 * <p>Searches change usage only in trials. Knows no pending workloads except the preemptor.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
