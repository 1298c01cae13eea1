/**
 * The operations of an engine, such as submitting, trying, running a cycle, applying configuration
 * and restoring. Each has three parts, which the code names:
 *
 * <ol>
 *   <li><b>Validate.</b> Checks the arguments against the state. Throws what the API documents, or
 *       returns that the call is rejected. Nothing has changed yet.
 *   <li><b>Decide.</b> Computes what is to happen, with every search and all user code that takes
 *       part in decisions, as a value: a plan, an admission, a list of victims.
 *   <li><b>Commit.</b> Changes the state as decided, and settles what follows: variants, elastic
 *       slices, requeue events. Reports no errors: it neither validates nor throws.
 * </ol>
 *
 * <p>Before it decides, an operation brings the state up to date, which no caller can observe:
 * requeue events that were recorded are delivered, and usage is sampled. A cycle and a tick also
 * act on what is due by the clock, and a cycle makes due promised workloads active. An operation
 * that is a sequence, such as a cycle that first replaces failed nodes, decides and commits one
 * step after the other.
 *
 * <p>Should an operation fail after all, by an error in user code or in the engine, the journal of
 * the state restores what was before it; see {@link io.kueue4j.core.internal.versioned.Journal}.
 *
 * <p>For the calls of {@link io.kueue4j.core.AdmissionEngine}, start with
 * {@link WorkloadOperations} (submit, try, update, finish), {@link Cycles} (run a cycle, try a
 * workload) or {@link ConfigurationChange} (apply, remove); for the calls of
 * {@link io.kueue4j.core.WorkloadLifecycle}, with {@link WorkloadOperations}, {@link SecondPasses}
 * (a node has failed) or {@link Restorations}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
