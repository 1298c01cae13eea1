package io.kueue4j.core.compiled;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.PodSet;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What makes two workloads equal for scheduling: whatever is decided on one of them holds for the
 * other.
 *
 * <p>Namespace, LocalQueue and creation time are not part of it. Rules: R-10.
 */
public final class Shape {
  private final long priority;
  private final ImmutableList<PodSet> podSets;
  private final ImmutableSortedSet<String> allowedFlavors;
  private final int hash;

  /** What the pod sets are compiled to, set before the shape is shared. */
  private @Nullable CompiledPodSets compiled;

  /**
   * Creates the shape of pod sets whose counts are those after reclaim.
   *
   * @param allowedFlavors the only flavors that count, empty for all
   */
  Shape(long priority, ImmutableList<PodSet> podSets, ImmutableSortedSet<String> allowedFlavors) {
    this.priority = priority;
    this.podSets = podSets;
    this.allowedFlavors = allowedFlavors;
    this.hash = Objects.hash(priority, podSets);
  }

  /** {@return what workloads of this shape share, as {@code compiler} makes it the first time} */
  CompiledPodSets compiled(Function<? super ImmutableList<PodSet>, CompiledPodSets> compiler) {
    if (compiled == null) {
      compiled = compiler.apply(podSets);
    }
    return compiled;
  }

  /** Adds the ids that it refers to. */
  void addIds(IdsInUse inUse) {
    if (compiled != null) {
      compiled.addIds(inUse);
    }
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Shape that
            && hash == that.hash
            && priority == that.priority
            && podSets.equals(that.podSets)
            && allowedFlavors.equals(that.allowedFlavors));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
