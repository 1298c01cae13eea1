package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableSetMultimap;
import java.util.OptionalLong;

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
    ImmutableSetMultimap.Builder<String, Integer> avoid = ImmutableSetMultimap.builder();
    avoid.putAll(request.avoid());
    placement.hosts().forEach(host -> avoid.put(placement.pool().id(), host));
    return request.withAvoid(avoid.build());
  }
}
