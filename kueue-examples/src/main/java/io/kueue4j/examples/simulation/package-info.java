/**
 * Plays manifests on an engine: which jobs would be admitted, in which order, and why others wait.
 *
 * <p>Start with {@link io.kueue4j.examples.simulation.ManifestPlayer}.
 */
@NullMarked
package io.kueue4j.examples.simulation;

import org.jspecify.annotations.NullMarked;
