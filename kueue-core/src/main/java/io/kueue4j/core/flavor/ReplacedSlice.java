package io.kueue4j.core.flavor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.resource.Amount;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the slice of an elastic job holds that a workload is to replace. Immutable.
 *
 * <p>Pod sets of both are the same if they have the same position and name. One that only the new
 * slice has is bound to no flavor, so it gets none.
 *
 * <p>Rules: E-4, E-5.
 */
public final class ReplacedSlice {
  private final QuotaHolder holder;
  private final ImmutableList<HeldPodSet> podSets;

  /**
   * What is held of one resource.
   *
   * @param pair from which flavor
   * @param amount how much, for all pods together
   */
  public record Held(int pair, long amount) {}

  /**
   * What one pod set holds.
   *
   * @param name its name
   * @param held by resource
   * @param places where its pods are, absent if placement does not matter
   */
  public record HeldPodSet(
      String name, ImmutableMap<Integer, Held> held, Optional<TopologyAssignment> places) {}

  /**
   * Creates the slice.
   *
   * @param holder what is charged for it
   * @param podSets what its pod sets hold, in the order of its workload
   */
  public ReplacedSlice(QuotaHolder holder, ImmutableList<HeldPodSet> podSets) {
    this.holder = holder;
    this.podSets = podSets;
  }

  /** {@return what is charged for it} */
  public QuotaHolder holder() {
    return holder;
  }

  /**
   * {@return the pair of which a pod set of {@code workload} holds a resource, negative if none}
   */
  int pair(CompiledWorkload workload, int podSet, int resource) {
    Held held = held(workload, podSet, resource);
    return held == null ? -1 : held.pair;
  }

  /**
   * {@return what a pod set of {@code workload} asks for of its {@code i}-th resource beyond what
   * {@code slice} holds, all of it if that is null}
   */
  public static long demand(
      @Nullable ReplacedSlice slice, CompiledWorkload workload, PodSetFlavors podSet, int i) {
    return slice == null
        ? podSet.amount(i)
        : Amount.subtract(
            podSet.amount(i), slice.amount(workload, podSet.podSet(), podSet.resource(i)));
  }

  /** {@return how much a pod set of {@code workload} holds of a resource already} */
  long amount(CompiledWorkload workload, int podSet, int resource) {
    Held held = held(workload, podSet, resource);
    return held == null ? 0 : held.amount;
  }

  /** {@return where pods of a pod set of {@code workload} are already} */
  Optional<TopologyAssignment> places(CompiledWorkload workload, int podSet) {
    HeldPodSet found = podSet(workload, podSet);
    return found == null ? Optional.empty() : found.places;
  }

  private @Nullable Held held(CompiledWorkload workload, int podSet, int resource) {
    HeldPodSet found = podSet(workload, podSet);
    return found == null ? null : found.held.get(resource);
  }

  private @Nullable HeldPodSet podSet(CompiledWorkload workload, int podSet) {
    return podSet < podSets.size()
            && podSets.get(podSet).name.equals(workload.podSet(podSet).source().name())
        ? podSets.get(podSet)
        : null;
  }
}
