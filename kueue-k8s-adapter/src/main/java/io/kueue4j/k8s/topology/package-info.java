/**
 * Nodes and pods as placement needs them: what nodes there are and what others take of them, and
 * which pod of an admitted workload goes where.
 *
 * <p>Start with {@link io.kueue4j.k8s.topology.NodeTracker} and
 * {@link io.kueue4j.k8s.topology.PodPlacer}.
 */
@NullMarked
@ValueStyle
package io.kueue4j.k8s.topology;

import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
