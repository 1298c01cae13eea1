/**
 * Reads histories of jobs in several formats, and maps their jobs to queues for a
 * {@link io.kueue4j.core.simulation.Simulation}.
 */
@NullMarked
package io.kueue4j.examples.history;

import org.jspecify.annotations.NullMarked;
