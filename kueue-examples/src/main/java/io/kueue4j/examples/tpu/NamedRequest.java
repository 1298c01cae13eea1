package io.kueue4j.examples.tpu;

import io.kueue4j.core.tpu.SliceRequest;

/**
 * A request with a name.
 *
 * @param name what its slices are called; several get numbers behind it
 * @param request what is asked for
 * @param movable whether its slices may be moved later
 */
public record NamedRequest(String name, SliceRequest request, boolean movable) {
  /** {@return the id of one of its slices} */
  String sliceId(int number) {
    return request.count() == 1 ? name : name + "-" + number;
  }
}
