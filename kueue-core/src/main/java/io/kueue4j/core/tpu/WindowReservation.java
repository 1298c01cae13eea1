package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A place reserved for a slice until the slices in it have ended.
 *
 * <p>Rules: TPU-F-20.
 *
 * @param placement the place
 * @param freeAtMillis when the last slice in it is expected to end; absent if it is free now
 * @since 0.1.0
 */
public record WindowReservation(SlicePlacement placement, OptionalLong freeAtMillis) {
  /**
   * {@return a request that avoids the reserved place, unless it is expected to end before the
   * place is free}
   *
   * @param request the request
   * @param expectedEndMillis when the slices of the request are expected to end; absent for never
   */
  public SliceRequest restrict(SliceRequest request, OptionalLong expectedEndMillis) {
    if (freeAtMillis.isPresent()
        && expectedEndMillis.isPresent()
        && expectedEndMillis.getAsLong() <= freeAtMillis.getAsLong()) {
      return request;
    }
    Map<String, Set<Integer>> avoid = new HashMap<>(request.avoid());
    avoid.merge(
        placement.pool().id(),
        ImmutableSet.copyOf(placement.hosts()),
        (before, reserved) -> Sets.union(before, reserved));
    return request.withAvoid(avoid);
  }
}
