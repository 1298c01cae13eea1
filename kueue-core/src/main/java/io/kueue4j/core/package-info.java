/**
 * The API: an {@link io.kueue4j.core.AdmissionEngine} holds queues, quotas and workloads, and
 * decides which workload may start, on which flavors, and why another has to wait.
 *
 * <p>Begin with {@link io.kueue4j.core.AdmissionEngine}; what it decides are
 * {@link io.kueue4j.core.decision.Decisions}, what it holds shows an
 * {@link io.kueue4j.core.EngineView}, and {@link io.kueue4j.core.decision.Explanation} says why a
 * workload waits. The objects that it takes are in {@link io.kueue4j.core.model}.
 */
@NullMarked
package io.kueue4j.core;

import org.jspecify.annotations.NullMarked;
