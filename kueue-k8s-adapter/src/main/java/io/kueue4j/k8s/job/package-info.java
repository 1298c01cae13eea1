/**
 * Jobs of all kinds: what a job asks for as a workload, how far it is, and how it is started and
 * stopped.
 *
 * <p>Start with {@link io.kueue4j.k8s.job.JobWorkloads} to go from a job to a workload, and with
 * {@link io.kueue4j.k8s.job.JobEditor} to bring an admission back into the job.
 */
@NullMarked
@ValueStyle
package io.kueue4j.k8s.job;

import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
