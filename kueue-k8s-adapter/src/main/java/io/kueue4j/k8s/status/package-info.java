/**
 * What Kueue writes into the {@code status} of its objects, the events that it tells, and the view
 * of pending workloads: pure functions from what an engine knows to objects that a client stores.
 *
 * <p>API are {@link io.kueue4j.k8s.status.WorkloadStatusWriter},
 * {@link io.kueue4j.k8s.status.QueueStatusWriter}, {@link io.kueue4j.k8s.status.ObjectConditions},
 * {@link io.kueue4j.k8s.status.PendingWorkloads}, {@link io.kueue4j.k8s.status.WorkloadEvents},
 * {@link io.kueue4j.k8s.status.JobEvents}, {@link io.kueue4j.k8s.status.PrinterColumns} and what
 * they take and give.
 */
@NullMarked
package io.kueue4j.k8s.status;

import org.jspecify.annotations.NullMarked;
