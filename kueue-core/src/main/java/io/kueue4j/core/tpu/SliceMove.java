package io.kueue4j.core.tpu;

/**
 * The move of a slice to other hosts.
 *
 * @param slice the slice at its present place
 * @param to the new place
 * @param stopsFirst whether the slice must stop before it starts at the new place and before
 *     another move needs its hosts, because old and new hosts overlap or because moves swap hosts;
 *     otherwise both copies may run for a while
 * @since 0.1.0
 */
public record SliceMove(TpuSlice slice, SlicePlacement to, boolean stopsFirst) {}
