package io.kueue4j.core.internal.compiled;

import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * A compiled workload.
 *
 * <p>Rules: M-22, F-9, PS-3.
 */
public final class CompiledWorkload {
  private final Workload source;

  /** The number of pods that need no quota any more, by pod set. */
  private final SortedMap<String, Integer> reclaimablePods;

  private final long priority;
  private final CompiledPodSets podSets;
  private final Shape shape;
  private final String localQueue;

  /** The only flavors allowed, empty for all. */
  private final Set<String> allowedFlavors;

  CompiledWorkload(
      Workload source,
      SortedMap<String, Integer> reclaimablePods,
      long priority,
      CompiledPodSets podSets,
      Shape shape,
      String localQueue,
      Set<String> allowedFlavors) {
    this.source = source;
    this.reclaimablePods = reclaimablePods;
    this.priority = priority;
    this.podSets = podSets;
    this.shape = shape;
    this.localQueue = localQueue;
    this.allowedFlavors = allowedFlavors;
  }

  /** {@return the workload that this was compiled from} */
  public Workload source() {
    return source;
  }

  /** {@return the number of pods that need no quota any more, by pod set} */
  public SortedMap<String, Integer> reclaimablePods() {
    return reclaimablePods;
  }

  /** {@return whether {@code other} is compiled from the same content} */
  public boolean hasContentOf(CompiledWorkload other) {
    return source.equals(other.source) && reclaimablePods.equals(other.reclaimablePods);
  }

  /** {@return the namespace and name of its LocalQueue, a slash between} */
  public String localQueue() {
    return localQueue;
  }

  /** {@return the effective priority} */
  public long priority() {
    return priority;
  }

  /** {@return the number of pod sets} */
  public int size() {
    return podSets.podSets.length;
  }

  /** {@return the {@code i}-th pod set} */
  public CompiledPodSet podSet(int i) {
    return podSets.podSets[i];
  }

  /** {@return the pod set with that name} */
  public CompiledPodSet podSetNamed(String name) {
    return podSet(indexOf(name));
  }

  /** {@return the number of the pod set with that name} */
  public int indexOf(String name) {
    for (int i = 0; i < size(); i++) {
      if (podSet(i).source().name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("workload " + this + " has no pod set " + name);
  }

  /**
   * {@return the pod sets by group, in order of first appearance; pod sets of a group get the same
   * flavors}
   */
  public int[][] groups() {
    return podSets.groups;
  }

  /** {@return the number of pods that need quota, by pod set} */
  public int[] fullCounts() {
    return podSets.fullCounts;
  }

  /** {@return by how many pods the workload can shrink} */
  public int shrinkablePods() {
    return podSets.shrinkablePods;
  }

  /** {@return by how many pods {@code podSet} can shrink} */
  public static int shrinkable(CompiledPodSet podSet) {
    int count = podSet.source().count();
    return count - podSet.source().minCount().orElse(count);
  }

  /** {@return whether the workload may be admitted on this flavor} */
  public boolean allows(String flavor) {
    return allowedFlavors.isEmpty() || allowedFlavors.contains(flavor);
  }

  /**
   * {@return how long it is expected to run, in milliseconds; at most its maximum execution time,
   * {@link Long#MAX_VALUE} if nothing is known}
   */
  public long expectedMillis() {
    long limit = millis(source.maximumExecutionTime());
    return Math.max(1, Math.min(limit, millis(source.expectedDuration())));
  }

  private static long millis(Optional<Duration> duration) {
    return duration.isEmpty() ? Long.MAX_VALUE : TimeMath.saturatedMillis(duration.get());
  }

  /** {@return whether the expected duration is its maximum execution time, an upper bound} */
  public boolean isExpectedAtMost() {
    return source.maximumExecutionTime().isPresent()
        && source.expectedDuration().isEmpty();
  }

  /** {@return the shape, which is equal for workloads that are equal for scheduling} */
  public Shape shape() {
    return shape.equivalent();
  }

  /** {@return the identity} */
  @Override
  public String toString() {
    return source.id().toString();
  }
}
