/**
 * The operations of an engine, such as submitting, trying, running a cycle, applying configuration
 * and restoring. Each checks its arguments, decides, and changes the state.
 *
 * <p>For the calls of {@link io.kueue4j.core.AdmissionEngine}, start with
 * {@link WorkloadOperations} (submit, try, update, finish), {@link Cycles} (run a cycle, try a
 * workload), {@link ConfigurationChange} (apply, remove), {@link NodeFailures} (a node has failed)
 * or {@link Restorations}; for those of {@link io.kueue4j.core.WorkloadLifecycle}, with
 * {@link LifecycleOperations}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
