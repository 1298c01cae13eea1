package io.kueue4j.examples.history;

import io.kueue4j.core.resource.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What metrics say of a pod. */
final class RecordedPod {
  /** The namespace and name of its Job, empty if it has none. */
  String job = "";

  /** When it ended, in seconds since the epoch, -1 if that is not known. */
  double ended = -1;

  /** What its containers request, by resource and container. */
  private final Map<String, Map<String, Double>> containers = new HashMap<>();

  /** Takes what a container requests, in units of the resource. */
  void add(String resource, String container, double units) {
    containers
        .computeIfAbsent(resource, unused -> new HashMap<>())
        .merge(container, units, Math::max);
  }

  /** {@return what it requests, by resource} */
  Map<String, Long> requests() {
    Map<String, Long> requests = new TreeMap<>();
    containers.forEach((resource, units) -> {
      double sum = units.values().stream().mapToDouble(Double::doubleValue).sum();
      long amount = Math.round(sum * Quantity.quota(resource, "1"));
      if (amount > 0) {
        requests.put(resource, amount);
      }
    });
    return requests;
  }
}
