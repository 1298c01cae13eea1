/**
 * The API: an {@link io.kueue4j.core.AdmissionEngine} holds queues, quotas and workloads, and
 * decides which workloads may start, on which flavors, and why others have to wait.
 *
 * <p>Start with {@link io.kueue4j.core.AdmissionEngine}. It returns
 * {@link io.kueue4j.core.decision.Decisions}; an {@link io.kueue4j.core.EngineView} shows its
 * state, and an {@link io.kueue4j.core.decision.Explanation} why a workload waits. The
 * configuration objects and workloads are in {@link io.kueue4j.core.model}.
 *
 * <p>In all packages of the API, arguments must not be null unless they are marked
 * {@code @Nullable}: a null causes a {@link NullPointerException}, at the latest when it is used.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.core;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
