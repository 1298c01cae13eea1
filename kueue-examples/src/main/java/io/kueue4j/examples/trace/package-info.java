/**
 * Traces: many workloads that arrive, run and finish on a virtual clock, to see what is decided and
 * how long it takes.
 */
@NullMarked
package io.kueue4j.examples.trace;

import org.jspecify.annotations.NullMarked;
