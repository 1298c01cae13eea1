package io.kueue4j.examples.tpu;

import io.kueue4j.core.tpu.SliceRequest;

/**
 * A request with a name.
 *
 * @param name the name of its slices; several are numbered
 * @param request the request
 * @param movable whether its slices may be moved later
 */
public record NamedRequest(String name, SliceRequest request, boolean movable) {
  /** {@return the id of one of its slices} */
  String sliceId(int number) {
    return request.count() == 1 ? name : name + "-" + number;
  }
}
