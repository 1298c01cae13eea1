package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.compiled.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one shape in one ClusterQueue, by namespace or LocalQueue, and whether that shape
 * is known not to fit.
 */
final class ShapeFamily {
  final Shape shape;

  /**
   * The only group, if there is just one. Most families have one, and there may be many families.
   */
  private @Nullable ShapeGroup only;

  /** The groups by key, once there were several. */
  private @Nullable Map<String, ShapeGroup> several;

  /** The workload whose attempt showed that the shape does not fit, null if the shape may fit. */
  @Nullable
  PendingWorkload knownNotToFit;

  ShapeFamily(Shape shape) {
    this.shape = shape;
  }

  /** {@return a copy of the family with counterparts of its workloads} */
  ShapeFamily copy(UnaryOperator<PendingWorkload> counterpart) {
    ShapeFamily copy = new ShapeFamily(shape);
    forEach(group -> copy.add(group.copy(copy, counterpart)));
    copy.knownNotToFit = knownNotToFit == null ? null : counterpart.apply(knownNotToFit);
    return copy;
  }

  boolean isEmpty() {
    return several == null ? only == null : several.isEmpty();
  }

  void forEach(Consumer<ShapeGroup> action) {
    if (several != null) {
      several.values().forEach(action);
    } else if (only != null) {
      action.accept(only);
    }
  }

  /** {@return the group with a key, null if there is none} */
  @Nullable
  ShapeGroup find(String key) {
    if (several != null) {
      return several.get(key);
    }
    return only != null && only.key.equals(key) ? only : null;
  }

  /** {@return the group with a key, which must exist} */
  ShapeGroup group(String key) {
    ShapeGroup group = find(key);
    if (group == null) {
      throw new IllegalArgumentException("there is no group of " + key);
    }
    return group;
  }

  /** Adds a group with a new key. */
  void add(ShapeGroup group) {
    ShapeGroup first = only;
    if (several == null && first == null) {
      only = group;
      return;
    }
    Map<String, ShapeGroup> all = several;
    if (all == null) {
      all = new LinkedHashMap<>();
      several = all;
    }
    if (first != null) {
      all.put(first.key, first);
      only = null;
    }
    all.put(group.key, group);
  }

  void remove(ShapeGroup group) {
    if (several == null) {
      only = null;
    } else {
      several.remove(group.key);
    }
  }
}
