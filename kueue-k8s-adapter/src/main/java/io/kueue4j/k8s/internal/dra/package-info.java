/**
 * Counts devices that pods claim (Dynamic Resource Allocation) as resources of quotas.
 *
 * <p>Start with {@link ResourceClaims}. ResourceSlices are read for devices that are counted by
 * counters; otherwise selectors (CEL) are not compared with them. Capacities are not counted.
 */
@CheckReturnValue
@Internal
@NullMarked
@ValueStyle
package io.kueue4j.k8s.internal.dra;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.Internal;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
