package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Equal pods in one domain.
 *
 * <p>Rules: T-9.
 *
 * @param flavor the flavor that placed them
 * @param domain the values that name the domain in an assignment
 * @param count the number of pods
 * @param requests the requests of one of them
 */
public record PlacedPods(
    String flavor, List<String> domain, int count, Map<String, Long> requests) {
  /** Copies what it is given. */
  public PlacedPods {
    requests = ImmutableMap.copyOf(requests);
  }

  /** {@return the pods of a pod set, by domain} */
  public static List<PlacedPods> of(PodSet podSet, String flavor, TopologyAssignment assignment) {
    return assignment.domains().stream()
        .map(domain -> new PlacedPods(flavor, domain.values(), domain.count(), requests(podSet)))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the requests of one pod, without the pod itself} */
  static ImmutableMap<String, Long> requests(PodSet podSet) {
    return ImmutableMap.copyOf(podSet.podRequests().orElse(podSet.requests()));
  }

  /** T-21: the usage of one pod. */
  static Map<String, Long> charge(Map<String, Long> requests) {
    Map<String, Long> charge = new LinkedHashMap<>(requests);
    charge.merge(ResourceNames.PODS, 1L, Amount::add);
    return charge;
  }
}
