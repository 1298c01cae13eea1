/**
 * Manifests played on an engine: what would be admitted, in which order, and what waits for what.
 *
 * <p>Start with {@link io.kueue4j.examples.simulation.Simulation}.
 */
@NullMarked
package io.kueue4j.examples.simulation;

import org.jspecify.annotations.NullMarked;
