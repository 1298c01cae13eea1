package io.kueue4j.core.internal.attempt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.resource.Amount;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The elastic slice that a workload replaces, with the quota that it holds. Immutable.
 *
 * <p>Pod sets of both slices correspond if they have the same position and name. A pod set that
 * only the new slice has is bound to no flavor, so it gets none.
 *
 * <p>Rules: E-4, E-5.
 *
 * @param holder its charged quota
 * @param podSets what its pod sets hold, in the order of the workload
 */
public record ReplacedSlice(QuotaHolder holder, ImmutableList<HeldPodSet> podSets) {
  /**
   * The amount held of one resource.
   *
   * @param pair the pair of flavor and resource
   * @param amount the amount for all pods together
   */
  public record Held(FlavorResource pair, long amount) {}

  /**
   * What one pod set holds.
   *
   * @param name its name
   * @param held the amounts held, by resource
   * @param places the places of its pods, absent if placement does not matter
   */
  public record HeldPodSet(
      String name, ImmutableMap<ResourceName, Held> held, Optional<TopologyAssignment> places) {}

  /**
   * {@return the pair that a pod set of {@code workload} holds for a resource, null if there is
   * none}
   */
  @Nullable
  public FlavorResource pair(CompiledWorkload workload, int podSet, ResourceName resource) {
    Held held = held(workload, podSet, resource);
    return held == null ? null : held.pair;
  }

  /**
   * {@return the amount of the {@code i}-th resource that a pod set of {@code workload} requests
   * beyond what {@code slice} holds, which may be null}
   */
  public static long demand(
      @Nullable ReplacedSlice slice, CompiledWorkload workload, PodSetFlavors podSet, int i) {
    return slice == null
        ? podSet.amount(i)
        : Amount.subtract(
            podSet.amount(i), slice.amount(workload, podSet.podSet(), podSet.resource(i)));
  }

  /** {@return the amount that a pod set of {@code workload} holds of a resource already} */
  public long amount(CompiledWorkload workload, int podSet, ResourceName resource) {
    Held held = held(workload, podSet, resource);
    return held == null ? 0 : held.amount;
  }

  /** {@return the places of pods of a pod set of {@code workload} that run already} */
  public Optional<TopologyAssignment> places(CompiledWorkload workload, int podSet) {
    HeldPodSet found = podSet(workload, podSet);
    return found == null ? Optional.empty() : found.places;
  }

  private @Nullable Held held(CompiledWorkload workload, int podSet, ResourceName resource) {
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
