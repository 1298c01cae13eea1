/**
 * Conformance vectors: recorded decisions of Kueue, played on the engine and compared.
 *
 * <p>Start with {@link io.kueue4j.examples.conformance.ScenarioFile} and
 * {@link io.kueue4j.examples.conformance.ScenarioPlayer}.
 */
@NullMarked
package io.kueue4j.examples.conformance;

import org.jspecify.annotations.NullMarked;
