package io.kueue4j.k8s.dra;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.Amount;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the devices of a pod count as.
 *
 * @param charges how much of which resource, in addition to what else the pod requests
 * @param replaced extended resources that count as devices instead, and not by their own name
 * @param violations why devices of the pod cannot be counted, so that it may not be admitted
 */
public record DeviceCharges(
    ImmutableSortedMap<String, Long> charges,
    ImmutableSortedSet<String> replaced,
    ImmutableList<Violation> violations) {
  /** {@return what counts of a pod that else requests {@code requests}} */
  public ImmutableSortedMap<String, Long> addTo(Map<String, Long> requests) {
    Map<String, Long> sum = new TreeMap<>(requests);
    sum.keySet().removeAll(replaced);
    charges.forEach((resource, amount) -> sum.merge(resource, amount, Amount::add));
    return ImmutableSortedMap.copyOf(sum);
  }
}
