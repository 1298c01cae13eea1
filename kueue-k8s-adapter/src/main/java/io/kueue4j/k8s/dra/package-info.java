/**
 * Counts devices that pods claim (Dynamic Resource Allocation) as resources of quotas.
 *
 * <p>Start with {@link io.kueue4j.k8s.dra.ResourceClaims}. ResourceSlices are read for devices that
 * are counted by counters; otherwise selectors (CEL) are not compared with them. Capacities are not
 * counted.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.k8s.dra;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
