/**
 * Supports TPU slices of GKE: derives pools of chips from nodes, reads the slices that pods
 * request, and lets pods select the slices that they were assigned.
 *
 * <p>Without this package TPU chips are counted like any resource, as in Kueue. To use slices,
 * apply {@link io.kueue4j.k8s.tpu.TpuNodePools} together with the configuration, and enable slices
 * in {@link io.kueue4j.k8s.job.JobWorkloads}.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.tpu;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
