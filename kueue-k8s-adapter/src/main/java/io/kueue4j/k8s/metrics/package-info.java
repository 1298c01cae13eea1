/**
 * Writes metrics with the names of Kueue's to any metrics library.
 *
 * <p>Start with {@link io.kueue4j.k8s.metrics.KueueMetrics}; it writes to a
 * {@link io.kueue4j.k8s.metrics.KueueMetrics.Sink}, which the caller provides.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.k8s.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
