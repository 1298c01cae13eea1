/**
 * Devices that pods claim (Dynamic Resource Allocation), as resources that quotas know.
 *
 * <p>Start with {@link io.kueue4j.k8s.dra.ResourceClaims}. Which devices there are is not looked
 * at: selectors (CEL) are not compared with ResourceSlices, and counters and capacities that
 * ResourceSlices publish are not counted.
 */
@NullMarked
@ValueStyle
package io.kueue4j.k8s.dra;

import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
