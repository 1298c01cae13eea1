/**
 * Counts devices that pods claim (Dynamic Resource Allocation) as resources of quotas.
 *
 * <p>Start with {@link io.kueue4j.k8s.dra.ResourceClaims}. The devices that exist are not read:
 * selectors (CEL) are not compared with ResourceSlices, and counters and capacities published by
 * ResourceSlices are not counted.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.k8s.dra;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
