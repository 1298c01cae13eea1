/**
 * The rules of quota, queues, cycles, flavors, preemption and placement, written down a second time
 * in the slowest and plainest way: maps keyed by names, everything counted anew for every decision,
 * a snapshot that is a deep copy. It shares no code with the engine's decisions, so what both agree
 * on is unlikely to be wrong in both.
 *
 * <p>Start with {@link io.kueue4j.core.testkit.reference.ReferenceEngine}.
 */
@NullMarked
package io.kueue4j.core.testkit.reference;

import org.jspecify.annotations.NullMarked;
