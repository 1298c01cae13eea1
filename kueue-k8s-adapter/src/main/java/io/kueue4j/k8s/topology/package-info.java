/**
 * Follows nodes and the usage of pods on them, assigns the pods of admitted workloads to domains,
 * and makes pools of the TPU chips of nodes.
 *
 * <p>Start with {@link io.kueue4j.k8s.topology.NodeTracker},
 * {@link io.kueue4j.k8s.topology.PodPlacer} and {@link io.kueue4j.k8s.topology.TpuNodePools}.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.k8s.topology;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
