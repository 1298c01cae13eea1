/** Explains the state of workloads, and finds what prevents them from being queued. */
@Internal
@NullMarked
package io.kueue4j.core.internal.explain;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
