package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.Amount;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The resources that quotas count for the devices of a pod.
 *
 * @param charges the amount by resource, in addition to the other requests of the pod
 * @param replaced how much of each extended resource is counted as devices, not under its own name
 * @param violations why devices of the pod cannot be counted; a pod with violations must not be
 *     admitted
 * @since 0.1.0
 */
public record DeviceCharges(
    SortedMap<String, Long> charges, SortedMap<String, Long> replaced, List<Violation> violations) {
  /** Copies what it is given. */
  public DeviceCharges {
    charges = ImmutableSortedMap.copyOf(charges);
    replaced = ImmutableSortedMap.copyOf(replaced);
    violations = ImmutableList.copyOf(violations);
  }

  /**
   * {@return a pod set with the devices in the requests that quotas count, while placement uses the
   * requests without them}
   *
   * @param podSet the pod set without devices
   */
  public PodSet.Builder addTo(PodSet.Builder podSet) {
    PodSet plain = podSet.build();
    SortedMap<String, Long> counted = addTo(plain.requests());
    return counted.equals(plain.requests())
        ? podSet
        : podSet.requests(counted).podRequests(plain.podRequests().orElse(plain.requests()));
  }

  /** {@return the violations in words} */
  public ImmutableList<String> problems() {
    return violations.stream()
        .map(violation -> violation.field() + ": " + violation.problem())
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * {@return the requests of a pod with the charges for devices included; {@code requests} are its
   * requests without devices}
   */
  public SortedMap<String, Long> addTo(Map<String, Long> requests) {
    Map<String, Long> sum = new TreeMap<>(requests);
    replaced.forEach((resource, amount) -> sum.computeIfPresent(
        resource, (name, requested) -> requested > amount ? requested - amount : null));
    charges.forEach((resource, amount) -> sum.merge(resource, amount, Amount::add));
    return ImmutableSortedMap.copyOf(sum);
  }
}
