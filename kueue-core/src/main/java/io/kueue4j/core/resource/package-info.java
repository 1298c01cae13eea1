/**
 * Resource names and their units, saturating 64-bit amounts, and exact Kubernetes quantities.
 *
 * <p>Start with {@link io.kueue4j.core.resource.Quantity} to go from text to amounts and back.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.core.resource;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
