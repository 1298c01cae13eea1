package io.kueue4j.core.internal.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Rebuilds the choice of flavors from an existing admission.
 *
 * <p>Rules: T-77.
 */
final class AdmittedFlavors {
  private AdmittedFlavors() {}

  /** {@return the flavors of the pod sets whose pods are not placed yet} */
  static List<PodSetFlavors> delayed(
      CompiledWorkload workload, Admission admission, Catalog catalog) {
    ImmutableList.Builder<PodSetFlavors> found = ImmutableList.builder();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      if (podSet.delayedTopologyRequest().equals(Optional.of(DelayedTopologyRequest.PENDING))) {
        found.add(of(workload.indexOf(podSet.name()), podSet, catalog));
      }
    }
    return found.build();
  }

  private static PodSetFlavors of(int index, PodSetAssignment podSet, Catalog catalog) {
    List<String> names = new ArrayList<>(podSet.flavors().keySet());
    ResourceName[] resources = names.stream().map(catalog::resource).toArray(ResourceName[]::new);
    long[] amounts = names.stream()
        .mapToLong(name -> podSet.resourceUsage().getOrDefault(name, 0L))
        .toArray();
    FlavorResource[] pairs = names.stream()
        .map(name -> catalog.pair(podSet.flavors().getOrDefault(name, ""), name))
        .toArray(FlavorResource[]::new);
    int[] modes = new int[pairs.length];
    Arrays.fill(modes, FlavorFit.FIT);
    int[] tried = new int[pairs.length];
    Arrays.fill(tried, PodSetFlavors.WALK_ENDED);
    return new PodSetFlavors(index, podSet.count(), resources, amounts, pairs, modes, tried);
  }
}
