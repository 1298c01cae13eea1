package io.kueue4j.core.tpu;

import java.util.Optional;

/**
 * What would make room for a request that does not fit.
 *
 * <p>Rules: TPU-F-7, TPU-F-18, TPU-F-19.
 *
 * @param moves the fewest moves, which stop nobody for good; absent if no moves help
 * @param eviction the cheapest owners who would have to go; absent if nobody may go or it does not
 *     help
 */
public record SliceRepair(Optional<Defragmentation> moves, Optional<SliceEviction> eviction) {}
