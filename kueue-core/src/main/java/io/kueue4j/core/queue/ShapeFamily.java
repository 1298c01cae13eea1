package io.kueue4j.core.queue;

import io.kueue4j.core.compiled.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one shape in one ClusterQueue, by namespace or LocalQueue, and whether that shape
 * is known not to fit.
 */
final class ShapeFamily {
  final Shape shape;
  final Map<String, ShapeGroup> groups = new LinkedHashMap<>(2);

  /** The workload that showed that the shape does not fit, null as long as nobody did. */
  @Nullable
  PendingWorkload knownNotToFit;

  ShapeFamily(Shape shape) {
    this.shape = shape;
  }

  /** {@return the same family with counterparts of its workloads} */
  ShapeFamily copy(UnaryOperator<PendingWorkload> counterpart) {
    ShapeFamily copy = new ShapeFamily(shape);
    groups.forEach((key, group) -> copy.groups.put(key, group.copy(copy, counterpart)));
    copy.knownNotToFit = knownNotToFit == null ? null : counterpart.apply(knownNotToFit);
    return copy;
  }

  /** {@return the group with a key that one has} */
  ShapeGroup group(String key) {
    ShapeGroup group = groups.get(key);
    if (group == null) {
      throw new IllegalArgumentException("there is no group of " + key);
    }
    return group;
  }
}
