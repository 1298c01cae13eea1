package io.kueue4j.core.tpu;

/**
 * A slice goes from some hosts to others.
 *
 * @param slice the slice where it is
 * @param to where it goes
 * @param stopsFirst whether it must stop before it can start again, and before another move needs
 *     its hosts: it keeps some of its hosts, or takes part in an exchange; else both copies may run
 *     for a while
 */
public record SliceMove(TpuSlice slice, SlicePlacement to, boolean stopsFirst) {}
