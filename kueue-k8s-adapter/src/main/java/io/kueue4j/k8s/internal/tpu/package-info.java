/**
 * TPU slices of GKE: the pools of chips on nodes, the slices that pods request, and the labels of
 * the nodes of a slice.
 *
 * <p>Start with {@link SliceRequests} and {@link FlavorPools}. Without this package TPU chips are
 * counted like any resource, as in Kueue.
 */
@CheckReturnValue
@Internal
@NullMarked
package io.kueue4j.k8s.internal.tpu;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
