package io.kueue4j.core.internal.compiled;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PodSet;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The properties that decide scheduling: a decision about a workload holds for every workload of
 * equal shape.
 *
 * <p>Namespace, LocalQueue and creation time are not part of it. Rules: R-10.
 */
public final class Shape {
  /** The default name of a pod set, which most of them have. */
  private static final String NAMELESS = "main";

  private final long priority;
  private final List<PodSet> podSets;
  private final SortedSet<String> allowedFlavors;
  private final int hash;

  /** The compiled pod sets, set before the shape is shared. */
  private @Nullable CompiledPodSets compiled;

  /**
   * The shape of all workloads that are equal for scheduling, null if it is this one; set before
   * this shape is shared.
   */
  private @Nullable Shape equivalent;

  /**
   * Creates a shape; the counts of the pod sets are those after reclaim.
   *
   * @param allowedFlavors the only allowed flavors, empty for all
   */
  Shape(long priority, List<PodSet> podSets, SortedSet<String> allowedFlavors) {
    this.priority = priority;
    this.podSets = podSets;
    this.allowedFlavors = allowedFlavors;
    this.hash = Objects.hash(priority, podSets);
  }

  /**
   * {@return the pod sets that workloads of this shape share, compiled by {@code compiler} the
   * first time}
   */
  CompiledPodSets compiled(Function<? super List<PodSet>, CompiledPodSets> compiler) {
    if (compiled == null) {
      compiled = compiler.apply(podSets);
    }
    return compiled;
  }

  /**
   * Ignores the names of pod sets from now on.
   *
   * @param interner finds the shape that stands for all equal ones
   */
  void ignoreNames(UnaryOperator<Shape> interner) {
    if (equivalent == null) {
      List<PodSet> renamed =
          podSets.stream().map(Shape::nameless).collect(ImmutableList.toImmutableList());
      equivalent = interner.apply(new Shape(priority, renamed, allowedFlavors));
    }
  }

  /** {@return the shape of all workloads that are equal for scheduling} */
  Shape equivalent() {
    return equivalent == null ? this : equivalent;
  }

  private static PodSet nameless(PodSet podSet) {
    return podSet.name().equals(NAMELESS)
        ? podSet
        : PodSet.builder().from(podSet).name(NAMELESS).build();
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
