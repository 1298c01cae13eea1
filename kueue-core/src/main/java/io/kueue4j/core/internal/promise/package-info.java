/**
 * Promised starts: what is known to end and to start in a tree of cohorts, and when a workload fits
 * in between.
 *
 * <p>Start with {@link PromiseTimeline}. Knows no queue of pending workloads; the engine's calls
 * decide whom a start is promised.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.promise;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
