package io.kueue4j.examples.topology;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.resource.Quantity;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * How many pods of a request that does not fit have room in each domain: by free capacity alone,
 * whatever quotas, taints, node selectors and the closeness of pods allow.
 */
final class RoomForPods {
  private final PlacementAnswer answer;
  private final PodSet podSet;
  private final SortedMap<String, Long> perPod;

  private RoomForPods(PlacementAnswer answer, PodSet podSet) {
    this.answer = answer;
    this.podSet = podSet;
    this.perPod = FlavorCapacity.requests(podSet);
  }

  /** {@return the room for the pods of a request, empty if it fits} */
  static Optional<RoomForPods> of(PlacementAnswer answer) {
    return answer.admission().isPresent()
        ? Optional.empty()
        : answer.job().workload().podSets().stream()
            .filter(podSet -> podSet.name().equals(answer.podSet()))
            .findFirst()
            .map(podSet -> new RoomForPods(answer, podSet));
  }

  /** {@return what is requested, and why it does not fit, in sentences} */
  List<String> explanation() {
    List<Reason> reasons = answer
        .result()
        .match(
            admitted -> List.of(),
            reserved -> List.of(),
            preempting -> List.of(),
            AdmissionResult.Pending::reasons,
            AdmissionResult.Rejected::reasons);
    return Stream.concat(
            Stream.of("requests " + CapacityReport.asked(answer)),
            reasons.stream().map(Reason::message))
        .toList();
  }

  /** {@return the number of pods that are requested} */
  int count() {
    return podSet.count();
  }

  /** {@return the amount of a resource that a pod requests} */
  long perPod(String resource) {
    return perPod.getOrDefault(resource, 0L);
  }

  /** {@return the number of pods that have room in a domain} */
  long in(DomainCapacity domain) {
    return domain.children().isEmpty() && !domain.path().isEmpty()
        ? perPod.entrySet().stream()
            .filter(request -> request.getValue() > 0)
            .mapToLong(request -> Math.max(0, domain.free(request.getKey())) / request.getValue())
            .min()
            .orElse(0)
        : domain.children().stream().mapToLong(this::in).sum();
  }

  /** {@return the number of pods that have room in a domain, in words} */
  String text(DomainCapacity domain) {
    return "room for " + Math.min(in(domain), podSet.count()) + " of " + podSet.count();
  }

  /** {@return what is short in a domain without room for a pod, such as {@code 1 cpu short}} */
  Optional<String> shortage(DomainCapacity domain) {
    return perPod.entrySet().stream()
        .filter(request -> request.getValue() > Math.max(0, domain.free(request.getKey())))
        .max(Comparator.comparingDouble(request ->
            (double) (request.getValue() - Math.max(0, domain.free(request.getKey())))
                / request.getValue()))
        .map(request -> Quantity.format(
                request.getKey(), request.getValue() - Math.max(0, domain.free(request.getKey())))
            + " " + request.getKey() + " short of one pod");
  }
}
