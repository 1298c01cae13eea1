package io.kueue4j.core.queue;

import io.kueue4j.core.compiled.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
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
}
