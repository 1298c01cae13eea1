/**
 * Grids of simulations: configurations, policies, loads and histories, each combined with each.
 * {@link io.kueue4j.examples.sweep.GridFile} reads them.
 */
@NullMarked
package io.kueue4j.examples.sweep;

import org.jspecify.annotations.NullMarked;
