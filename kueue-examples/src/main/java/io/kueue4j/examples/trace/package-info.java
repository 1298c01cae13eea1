/**
 * Plays traces: many workloads that arrive, run and finish on a virtual clock, to compare decisions
 * and measure their time.
 */
@NullMarked
package io.kueue4j.examples.trace;

import org.jspecify.annotations.NullMarked;
