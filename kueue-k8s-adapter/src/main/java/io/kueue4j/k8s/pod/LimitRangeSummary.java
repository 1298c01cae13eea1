package io.kueue4j.k8s.pod;

import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import java.util.ArrayList;
import java.util.List;

/**
 * The combined LimitRanges of one namespace: the lowest maximum, the highest minimum, the first
 * default.
 *
 * <p>Rules.
 */
record LimitRangeSummary(Limits container, Limits pod) {
  static final LimitRangeSummary NONE = new LimitRangeSummary(Limits.NONE, Limits.NONE);

  /** The limits for one type of object. */
  record Limits(
      ResourceList max, ResourceList min, ResourceList defaultLimit, ResourceList defaultRequest) {
    static final Limits NONE =
        new Limits(ResourceList.EMPTY, ResourceList.EMPTY, ResourceList.EMPTY, ResourceList.EMPTY);

    private Limits and(Limits next) {
      return new Limits(
          max.min(next.max),
          min.max(next.min),
          defaultLimit.orElse(next.defaultLimit),
          defaultRequest.orElse(next.defaultRequest));
    }
  }

  /**
   * {@return the combination of {@code ranges}, which are all ranges of {@code namespace}, in their
   * order}
   */
  static LimitRangeSummary of(String namespace, Iterable<LimitRange> ranges) {
    List<Limits> containers = new ArrayList<>();
    List<Limits> pods = new ArrayList<>();
    for (LimitRange range : ranges) {
      String name = range.getMetadata() == null ? "" : range.getMetadata().getName();
      FieldErrors errors = new FieldErrors("LimitRange " + namespace + "/" + name);
      List<LimitRangeItem> items =
          range.getSpec() == null ? List.of() : range.getSpec().getLimits();
      errors.forEach("spec.limits", items, (item, at) -> {
        if ("Container".equals(item.getType())) {
          containers.add(read(at, item, errors));
        } else if ("Pod".equals(item.getType())) {
          pods.add(read(at, item, errors));
        }
      });
      errors.throwIfAny();
    }
    return new LimitRangeSummary(
        containers.stream().reduce(Limits.NONE, Limits::and),
        pods.stream().reduce(Limits.NONE, Limits::and));
  }

  private static Limits read(String path, LimitRangeItem item, FieldErrors errors) {
    return new Limits(
        errors.quantities(path + ".max", item.getMax()),
        errors.quantities(path + ".min", item.getMin()),
        errors.quantities(path + ".default", item.getDefault()),
        errors.quantities(path + ".defaultRequest", item.getDefaultRequest()));
  }
}
