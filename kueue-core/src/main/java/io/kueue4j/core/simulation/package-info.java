/**
 * A discrete-event simulation around the engine: what a cluster would have done with a history of
 * jobs, with Kueue's exact decisions, in virtual time.
 *
 * <p>Start with {@link io.kueue4j.core.simulation.Simulation}:
 *
 * <pre>{@code
 * Simulation simulation = Simulation.builder()
 *     .configuration(objects)
 *     .trace(jobs)
 *     .build();
 * SimulationResult base = simulation.run();
 * SimulationResult more = simulation.with(biggerQueue).run();
 * Comparison comparison = Comparison.of(base, more);
 * }</pre>
 *
 * <p>Every decision is made by an {@link io.kueue4j.core.AdmissionEngine}; the simulation itself
 * only reports events to it (submissions, ends, checks, failures of nodes) and advances its clock.
 * The same input gives the same result, and the same
 * {@link io.kueue4j.core.simulation.SimulationResult#digest()}, in every run and on every JVM.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.core.simulation;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
