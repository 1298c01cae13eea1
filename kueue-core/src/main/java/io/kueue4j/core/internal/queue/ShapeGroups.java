package io.kueue4j.core.internal.queue;

import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.SetMultimap;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All groups of pending workloads of one ClusterQueue, and the shapes that are known not to fit.
 *
 * <p>If past usage orders LocalQueues, a group belongs to one LocalQueue.
 *
 * <p>Rules: U-15.
 */
final class ShapeGroups {
  private final @Nullable LocalQueueUsage usage;
  private final SetMultimap<String, ShapeGroup> ofLocalQueue =
      MultimapBuilder.hashKeys().linkedHashSetValues().build();
  private final Map<Shape, ShapeFamily> families = new HashMap<>();
  private final List<ShapeFamily> knownNotToFit = new ArrayList<>();

  /**
   * Creates an empty set of groups.
   *
   * @param usage the past usage that orders LocalQueues, null if usage does not count
   */
  ShapeGroups(@Nullable LocalQueueUsage usage) {
    this.usage = usage;
  }

  /** Adds copies of other groups with counterparts of their workloads. */
  void fillFrom(ShapeGroups other, UnaryOperator<PendingWorkload> counterpart) {
    other.families.forEach((shape, family) -> families.put(shape, family.copy(counterpart)));
    other.ofLocalQueue.forEach(
        (localQueue, group) -> ofLocalQueue.put(localQueue, counterpart(group)));
    other.knownNotToFit.forEach(family -> knownNotToFit.add(counterpart(family)));
  }

  ShapeGroup counterpart(ShapeGroup group) {
    return counterpart(group.family).group(group.key);
  }

  private ShapeFamily counterpart(ShapeFamily family) {
    ShapeFamily copy = families.get(family.shape);
    if (copy == null) {
      throw new IllegalStateException("a shape has not been copied");
    }
    return copy;
  }

  /** {@return the group of a workload, which must be in one} */
  static ShapeGroup of(PendingWorkload workload) {
    ShapeGroup group = workload.group;
    if (group == null) {
      throw new IllegalStateException("workload " + workload + " is in no queue");
    }
    return group;
  }

  /**
   * Adds a workload to its group.
   *
   * @return the group
   */
  ShapeGroup join(PendingWorkload workload) {
    CompiledWorkload compiled = workload.compiled();
    ShapeFamily family = families.computeIfAbsent(compiled.shape(), ShapeFamily::new);
    String key = usage == null ? compiled.source().namespace() : compiled.localQueue();
    ShapeGroup group = family.find(key);
    if (group == null) {
      group = new ShapeGroup(family, compiled.source().namespace(), key);
      family.add(group);
      if (usage != null) {
        group.usage = usage.of(key);
        ofLocalQueue.put(key, group);
      }
    }
    group.members++;
    workload.group = group;
    return group;
  }

  /** Adds a workload again to the group that it has left. */
  void rejoin(PendingWorkload workload, ShapeGroup group) {
    if (group.members == 0) {
      families.put(group.family.shape, group.family);
      group.family.add(group);
      if (usage != null) {
        ofLocalQueue.put(group.key, group);
      }
    }
    group.members++;
    workload.group = group;
  }

  /** Removes a workload that is neither active nor parked any more from its group. */
  void leave(PendingWorkload workload) {
    ShapeGroup group = of(workload);
    workload.group = null;
    group.members--;
    if (group.members == 0) {
      group.family.remove(group);
      if (usage != null) {
        ofLocalQueue.remove(group.key, group);
      }
      dropIfUnneeded(group.family);
    }
  }

  private void dropIfUnneeded(ShapeFamily family) {
    if (family.isEmpty() && family.knownNotToFit == null) {
      families.remove(family.shape);
    }
  }

  // ----- usage

  /** {@return the groups of a LocalQueue, if usage counts} */
  Set<ShapeGroup> ofLocalQueue(String localQueue) {
    return ofLocalQueue.get(localQueue);
  }

  /** {@return the usage that orders the groups, by LocalQueue, if usage counts} */
  Map<String, Double> usages() {
    Map<String, Double> usages = new HashMap<>();
    ofLocalQueue.forEach((localQueue, group) -> usages.put(localQueue, group.usage));
    return usages;
  }

  // ----- shapes that do not fit

  /** {@return whether any shape is known not to fit} */
  boolean hasFailures() {
    return !knownNotToFit.isEmpty();
  }

  /**
   * Records that {@code workload} has shown that its shape does not fit.
   *
   * @return the inverse
   */
  Runnable noteFailure(ShapeFamily family, PendingWorkload workload) {
    PendingWorkload before = family.knownNotToFit;
    if (before == null) {
      knownNotToFit.add(family);
    }
    family.knownNotToFit = workload;
    return () -> {
      family.knownNotToFit = before;
      if (before == null) {
        knownNotToFit.remove(family);
      }
    };
  }

  /**
   * Forgets all shapes known not to fit, after an event.
   *
   * @param inverses takes the inverse of this before anything changes
   */
  void forgetFailures(List<Runnable> inverses) {
    Map<ShapeFamily, PendingWorkload> before = new LinkedHashMap<>();
    for (ShapeFamily family : knownNotToFit) {
      PendingWorkload failed = family.knownNotToFit;
      if (failed != null) {
        before.put(family, failed);
      }
    }
    inverses.add(() -> {
      knownNotToFit.clear();
      before.forEach((family, failed) -> {
        families.put(family.shape, family);
        family.knownNotToFit = failed;
        knownNotToFit.add(family);
      });
    });
    for (ShapeFamily family : knownNotToFit) {
      family.knownNotToFit = null;
      dropIfUnneeded(family);
    }
    knownNotToFit.clear();
  }
}
