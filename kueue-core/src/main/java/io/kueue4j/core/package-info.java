/**
 * The API: an {@link io.kueue4j.core.AdmissionEngine} holds queues, quotas and workloads, and
 * decides which workloads may start, on which flavors, and why others have to wait.
 *
 * <p>Start with {@link io.kueue4j.core.AdmissionEngine}. It returns
 * {@link io.kueue4j.core.decision.Decisions}; an {@link io.kueue4j.core.EngineView} shows its
 * state, and an {@link io.kueue4j.core.decision.Explanation} why a workload waits. The
 * configuration objects and workloads are in {@link io.kueue4j.core.model}.
 *
 * <p>Guarantees of an engine with its {@linkplain io.kueue4j.core.WorkloadLifecycle lifecycle
 * calls} and its views:
 *
 * <ul>
 *   <li><b>Deterministic.</b> The same settings, calls and clock readings give the same answers.
 *       The engine starts no thread, does no I/O and reads no clock but the one given to its
 *       builder.
 *   <li><b>Thread-safe.</b> Calls of several threads are executed one after another.
 *   <li><b>Atomic.</b> A call that throws leaves the engine unchanged. Exceptions of a listener
 *       occur after the call; see {@link io.kueue4j.core.AdmissionEngineBuilder#listener}. Methods
 *       that make several calls document it.
 *   <li><b>Immutable values.</b> Collections that the API returns cannot be changed; it copies
 *       collections that it is given.
 *   <li><b>The call that makes a decision returns it</b>, and a listener receives the same
 *       {@link io.kueue4j.core.decision.Decisions}.
 * </ul>
 *
 * <p>In all packages of the API, arguments must not be null unless they are marked
 * {@code @Nullable}: a null causes a {@link NullPointerException}, at the latest when it is used.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.core;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
