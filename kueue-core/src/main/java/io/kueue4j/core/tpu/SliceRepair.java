package io.kueue4j.core.tpu;

import java.util.Optional;

/**
 * What would make room for a request that does not fit.
 *
 * <p>Rules: TPU-F-7, TPU-F-18, TPU-F-19.
 *
 * @param moves the fewest moves that make room; absent if no moves help
 * @param eviction the cheapest owners to evict; absent if no permitted eviction helps
 * @since 0.1.0
 */
public record SliceRepair(Optional<Defragmentation> moves, Optional<SliceEviction> eviction) {}
