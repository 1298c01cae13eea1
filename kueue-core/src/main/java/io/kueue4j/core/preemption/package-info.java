/**
 * Whom to preempt so that a workload fits: candidates, their order, the search for a set that
 * suffices.
 *
 * <p>Searches change usage on trial only. Knows no pending workloads but the one that it searches
 * for.
 */
@Internal
@NullMarked
package io.kueue4j.core.preemption;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
