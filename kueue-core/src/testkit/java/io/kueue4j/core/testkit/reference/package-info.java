/**
 * A second implementation of the rules of quota, queues, cycles, flavors, preemption and placement
 * in the slowest and simplest way: maps keyed by names, everything computed from scratch for every
 * decision, deep copies of snapshots. It shares no code with the engine's decisions, so an error in
 * both is unlikely.
 *
 * <p>Start with {@link io.kueue4j.core.testkit.reference.ReferenceEngine}.
 */
@NullMarked
package io.kueue4j.core.testkit.reference;

import org.jspecify.annotations.NullMarked;
