/** Puts into words where workloads stand, and finds what keeps them from being queued. */
@Internal
@NullMarked
package io.kueue4j.core.internal.explain;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
