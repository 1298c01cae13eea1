/**
 * Converts jobs of all kinds to workloads, reads their progress, and starts and stops them.
 *
 * <p>Start with {@link io.kueue4j.k8s.job.JobWorkloads} to convert a job to a workload, and with
 * {@link io.kueue4j.k8s.job.JobEditor} to apply an admission to the job.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.k8s.job;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
