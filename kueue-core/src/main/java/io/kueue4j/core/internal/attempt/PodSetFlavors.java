package io.kueue4j.core.internal.attempt;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.model.PodSetAssignment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The flavors chosen for one pod set: for each requested resource the amount, the flavor, the mode,
 * and where the search over the flavors ended.
 *
 * <p>Rules: F-23, F-34.
 */
public final class PodSetFlavors {
  /** Represents the end of the list of flavors instead of an index. */
  public static final int WALK_ENDED = -1;

  private final int podSet;
  private final int count;
  private final ResourceName[] resources;
  private final long[] amounts;
  private final FlavorResource[] pairs;
  private final int[] modes;
  private final int[] tried;

  public PodSetFlavors(
      int podSet,
      int count,
      ResourceName[] resources,
      long[] amounts,
      FlavorResource[] pairs,
      int[] modes,
      int[] tried) {
    this.podSet = podSet;
    this.count = count;
    this.resources = resources;
    this.amounts = amounts;
    this.pairs = pairs;
    this.modes = modes;
    this.tried = tried;
  }

  /** {@return the flavors of a pod set that is admitted already} */
  public static PodSetFlavors admitted(int podSet, PodSetAssignment assignment, Catalog catalog) {
    List<String> names = List.copyOf(assignment.flavors().keySet());
    int[] modes = new int[names.size()];
    Arrays.fill(modes, FlavorFit.FIT);
    int[] tried = new int[names.size()];
    Arrays.fill(tried, WALK_ENDED);
    return new PodSetFlavors(
        podSet,
        assignment.count(),
        names.stream().map(catalog::resource).toArray(ResourceName[]::new),
        names.stream()
            .mapToLong(name -> assignment.resourceUsage().getOrDefault(name, 0L))
            .toArray(),
        names.stream()
            .map(name -> catalog.pair(assignment.flavors().getOrDefault(name, ""), name))
            .toArray(FlavorResource[]::new),
        modes,
        tried);
  }

  /** {@return the number of the pod set in its workload} */
  public int podSet() {
    return podSet;
  }

  /** {@return the number of pods} */
  public int count() {
    return count;
  }

  /** {@return the number of resources with a flavor} */
  public int size() {
    return resources.length;
  }

  /** {@return the {@code i}-th resource} */
  public ResourceName resource(int i) {
    return resources[i];
  }

  /** {@return the amount of the {@code i}-th resource that all pods together request} */
  public long amount(int i) {
    return amounts[i];
  }

  /** {@return the pair of flavor and resource of the {@code i}-th resource} */
  public FlavorResource pair(int i) {
    return pairs[i];
  }

  /** {@return the mode of {@link FlavorFit} of the {@code i}-th resource} */
  public int mode(int i) {
    return modes[i];
  }

  /** {@return a copy in which every flavor fits only with preemption} */
  PodSetFlavors preempting() {
    int[] preempting = new int[modes.length];
    Arrays.fill(preempting, FlavorFit.PREEMPT);
    return new PodSetFlavors(podSet, count, resources, amounts, pairs, preempting, tried);
  }

  /** {@return whether the number of pods, the amounts and the flavors are equal} */
  public boolean isSameChoice(PodSetFlavors other) {
    return count == other.count
        && Arrays.equals(resources, other.resources)
        && Arrays.equals(amounts, other.amounts)
        && Arrays.equals(pairs, other.pairs);
  }

  /** {@return whether a resource uses {@code pair}} */
  public boolean uses(FlavorResource pair) {
    return Arrays.asList(pairs).contains(pair);
  }

  /** {@return the flavors that {@code test} accepts, in the order of the resources} */
  public List<String> flavors(Predicate<String> test) {
    List<String> found = new ArrayList<>(1);
    for (FlavorResource pair : pairs) {
      if (test.test(pair.flavor()) && !found.contains(pair.flavor())) {
        found.add(pair.flavor());
      }
    }
    return found;
  }

  /** {@return the index of the flavor at which the search for {@code resource} resumes} */
  int resumeAt(ResourceName resource) {
    for (int i = 0; i < resources.length; i++) {
      if (resources[i] == resource) {
        return tried[i] + 1;
      }
    }
    return 0;
  }

  /** {@return whether a flavor has not been tried} */
  boolean hasUntried() {
    for (int index : tried) {
      if (index != WALK_ENDED) {
        return true;
      }
    }
    return false;
  }
}
