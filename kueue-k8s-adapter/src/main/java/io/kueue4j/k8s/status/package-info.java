/**
 * Writes the {@code status} of Kueue's objects, their events, and the list of pending workloads, by
 * pure functions from the state of an engine to objects for a client.
 *
 * <p>The API consists of {@link io.kueue4j.k8s.status.WorkloadStatusWriter},
 * {@link io.kueue4j.k8s.status.QueueStatusWriter}, {@link io.kueue4j.k8s.status.ObjectConditions},
 * {@link io.kueue4j.k8s.status.PendingWorkloadsQuery},
 * {@link io.kueue4j.k8s.status.WorkloadEvents}, {@link io.kueue4j.k8s.status.KueueEvent},
 * {@link io.kueue4j.k8s.status.PrinterColumns} and the types in their signatures.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.status;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
