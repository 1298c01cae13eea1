package io.kueue4j.k8s.topology;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The places of the pods of one pod set: the assigned number in each domain, numbered in the order
 * of the domains.
 *
 * <p>Rules: T-89.
 *
 * @param podSet the pod set
 * @param count the number of its admitted pods
 * @param firstIndex the index of its first pod, above 0 if another pod set leads its group
 * @param assignment the domains
 */
record PodSetPlaces(PodSet podSet, int count, int firstIndex, TopologyAssignment assignment) {
  /**
   * {@return the placements of the gated pods among {@code pods}}
   *
   * @param pods the pods of the pod set that have not finished
   */
  ImmutableList<PodPlacer.Placement> place(List<Pod> pods) {
    return byIndex(pods).orElseGet(() -> inTurn(pods));
  }

  /**
   * {@return the placements by index, empty if a pod has no index, or runs in a domain other than
   * the domain of its index}
   */
  private Optional<ImmutableList<PodPlacer.Placement>> byIndex(List<Pod> pods) {
    OptionalInt offset = offset(pods);
    if (offset.isEmpty() || podSet.topologyRequest().podIndexLabel().isEmpty()) {
      return Optional.empty();
    }
    List<Domain> places = places();
    NavigableMap<Integer, Pod> byRank = new TreeMap<>();
    for (Pod pod : pods) {
      int rank = rank(pod, offset.getAsInt());
      if (rank < 0
          || rank >= places.size()
          || byRank.put(rank, pod) != null
          || !(isGated(pod) || places.get(rank).values().equals(values(pod)))) {
        return Optional.empty();
      }
    }
    ImmutableList.Builder<PodPlacer.Placement> placements = ImmutableList.builder();
    byRank.forEach((rank, pod) -> {
      if (isGated(pod)) {
        placements.add(placement(pod, places.get(rank)));
      }
    });
    return Optional.of(placements.build());
  }

  /** {@return the placements in the order of domains, after the pods that are placed already} */
  private ImmutableList<PodPlacer.Placement> inTurn(List<Pod> pods) {
    Map<List<String>, Integer> running = new HashMap<>();
    List<Pod> gated = new ArrayList<>();
    for (Pod pod : pods) {
      if (isGated(pod)) {
        gated.add(pod);
      } else {
        running.merge(values(pod), 1, Integer::sum);
      }
    }
    ImmutableList.Builder<PodPlacer.Placement> placements = ImmutableList.builder();
    int next = 0;
    for (Domain domain : assignment.domains()) {
      int free = domain.count() - running.getOrDefault(domain.values(), 0);
      for (; free > 0 && next < gated.size(); free--) {
        placements.add(placement(gated.get(next++), domain));
      }
    }
    return placements.build();
  }

  /** {@return the index of the first pod; empty if the annotation of a pod is not a number} */
  private OptionalInt offset(List<Pod> pods) {
    String text = pods.isEmpty()
        ? null
        : PodPlacer.get(pods.get(0).getMetadata().getAnnotations(), PodPlacer.POD_INDEX_OFFSET);
    if (text == null) {
      return OptionalInt.of(firstIndex);
    }
    Integer added = Ints.tryParse(text);
    return added == null ? OptionalInt.empty() : OptionalInt.of(firstIndex + added);
  }

  /** {@return the number of the place of a pod, -1 if it has none} */
  private int rank(Pod pod, int offset) {
    TopologyRequest request = podSet.topologyRequest();
    int index = label(pod, request.podIndexLabel());
    int parts = request.subGroupCount().orElse(0);
    int job = 0;
    int size = count;
    if (request.subGroupIndexLabel().isPresent()) {
      job = label(pod, request.subGroupIndexLabel());
      size = parts > 0 ? count / parts : 0;
      if (job < 0 || job >= parts || index >= size) {
        return -1;
      }
    }
    long rank = index + (long) job * size - offset;
    return index < 0 || rank < 0 || rank >= count ? -1 : (int) rank;
  }

  /** {@return the number in a label of a pod, -1 if there is none} */
  private static int label(Pod pod, Optional<String> key) {
    String text = PodPlacer.get(pod.getMetadata().getLabels(), key.orElse(""));
    Integer number = text != null && CharMatcher.inRange('0', '9').matchesAllOf(text)
        ? Ints.tryParse(text)
        : null;
    return number == null ? -1 : number;
  }

  private List<Domain> places() {
    List<Domain> places = new ArrayList<>();
    for (Domain domain : assignment.domains()) {
      for (int i = 0; i < domain.count(); i++) {
        places.add(domain);
      }
    }
    return places;
  }

  /** {@return the domain that the node selector of a pod names} */
  private List<String> values(Pod pod) {
    Map<String, String> selector = pod.getSpec() == null ? null : pod.getSpec().getNodeSelector();
    return assignment.levels().stream()
        .map(level -> text(PodPlacer.get(selector, level)))
        .collect(ImmutableList.toImmutableList());
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static boolean isGated(Pod pod) {
    return pod.getSpec() != null
        && pod.getSpec().getSchedulingGates() != null
        && pod.getSpec().getSchedulingGates().stream()
            .anyMatch(gate -> PodPlacer.SCHEDULING_GATE.equals(gate.getName()));
  }

  private PodPlacer.Placement placement(Pod pod, Domain domain) {
    return new PodPlacer.Placement(podSet.name(), pod, assignment.levels(), domain);
  }
}
