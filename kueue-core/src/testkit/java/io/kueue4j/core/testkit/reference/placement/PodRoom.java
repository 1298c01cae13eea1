package io.kueue4j.core.testkit.reference.placement;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The number of pods that fit, and the limiting resource.
 *
 * <p>Rules: T-21, T-24.
 *
 * @param pods the number of pods
 * @param limitingResource the first by name of those that allow no more, empty if none limits
 */
record PodRoom(long pods, String limitingResource) {

  static Map<String, Long> charge(Pods pods) {
    return PlacedPods.charge(PlacedPods.requests(pods.podSet()));
  }

  static PodRoom of(Map<String, Long> charge, ToLongFunction<String> free) {
    PodRoom room = new PodRoom(Integer.MAX_VALUE, "");
    for (Map.Entry<String, Long> each : new TreeMap<>(charge).entrySet()) {
      if (each.getValue() > 0) {
        long fits = Math.max(0, free.applyAsLong(each.getKey())) / each.getValue();
        if (fits < room.pods()) {
          room = new PodRoom(fits, each.getKey());
        }
      }
    }
    return room;
  }
}
