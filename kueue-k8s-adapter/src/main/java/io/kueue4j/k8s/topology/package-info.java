/**
 * Follows nodes and the usage of pods on them, and assigns the pods of admitted workloads to
 * domains.
 *
 * <p>Start with {@link io.kueue4j.k8s.topology.NodeTracker} and
 * {@link io.kueue4j.k8s.topology.PodPlacer}.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.k8s.topology;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
