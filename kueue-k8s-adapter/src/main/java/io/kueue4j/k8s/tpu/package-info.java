/**
 * TPU slices as GKE has them: which pools of chips nodes make up, which slices pods ask for, and
 * how pods find the slices that they were given.
 *
 * <p>Without it TPU chips are numbers as in Kueue. Whoever wants slices applies
 * {@link io.kueue4j.k8s.tpu.TpuNodePools} beside the configuration, and lets
 * {@link io.kueue4j.k8s.job.JobWorkloads} ask for them.
 */
@NullMarked
package io.kueue4j.k8s.tpu;

import org.jspecify.annotations.NullMarked;
