package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the pods of a job may use by its admission, to be compared with what they use: the sum of
 * their actual requests, over all pod sets, of each resource that its ClusterQueue covers.
 *
 * @param admitted how much the job was admitted for, by resource
 * @param podSets its pod sets
 */
public record PodCount(Map<String, Long> admitted, List<PodSet> podSets) {
  /**
   * {@return the amounts of an admission}
   *
   * @param reclaimed how many pods of each pod set have given their quota back
   * @param queue its ClusterQueue, empty if there is none any more
   */
  public static PodCount of(
      Workload workload,
      Admission admission,
      Map<String, Integer> reclaimed,
      Optional<ClusterQueue> queue) {
    Map<String, Long> admitted = new TreeMap<>();
    queue.ifPresent(found -> found.resourceGroups().stream()
        .flatMap(group -> group.coveredResources().stream())
        .forEach(resource -> admitted.put(resource, 0L)));
    admission.podSetAssignments().stream()
        .flatMap(assignment -> assignment.flavors().keySet().stream())
        .forEach(resource -> admitted.put(resource, 0L));
    Map<String, PodSet> podSets = Maps.uniqueIndex(workload.podSets(), PodSet::name);
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      PodSet podSet = podSets.get(assignment.name());
      if (podSet != null) {
        int left = podSet.count() - reclaimed.getOrDefault(podSet.name(), 0);
        int held = Math.max(0, Math.min(assignment.count(), left));
        admitted.replaceAll((resource, amount) ->
            Amount.add(amount, Amount.multiply(perPod(podSet.requests(), resource), held)));
      }
    }
    return new PodCount(ImmutableMap.copyOf(admitted), workload.podSets());
  }

  /** {@return whether a pod requests no more than a pod of some pod set} */
  public boolean isOfSomePodSet(LivePod pod) {
    return podSets.stream()
        .anyMatch(podSet -> admitted.keySet().stream()
            .allMatch(resource ->
                perPod(pod.requests(), resource) <= perPod(podSet.requests(), resource)));
  }

  /** {@return what one pod with these requests is charged for} */
  public static long perPod(Map<String, Long> requests, String resource) {
    return resource.equals(ResourceNames.PODS) ? 1 : requests.getOrDefault(resource, 0L);
  }

  private Map<String, Long> used(Collection<LivePod> pods) {
    Map<String, Long> used = new TreeMap<>();
    pods.forEach(pod -> add(used, pod));
    return used;
  }

  private void add(Map<String, Long> used, LivePod pod) {
    admitted
        .keySet()
        .forEach(resource -> used.merge(resource, perPod(pod.requests(), resource), Amount::add));
  }

  /** {@return what pods use beyond the admission, in words; empty if they do not} */
  public Optional<String> excess(Collection<LivePod> pods) {
    String beyond = used(pods).entrySet().stream()
        .filter(entry -> entry.getValue() > admitted.getOrDefault(entry.getKey(), 0L))
        .map(entry -> words(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("; "));
    return beyond.isEmpty() ? Optional.empty() : Optional.of("Its pods request " + beyond);
  }

  private String words(String resource, long amount) {
    return "%s of %s, admitted were %s"
        .formatted(
            Quantity.format(resource, amount),
            resource,
            Quantity.format(resource, admitted.getOrDefault(resource, 0L)));
  }

  /**
   * {@return the candidates that fit into the admission beside the pods that run, each one beside
   * the ones before it}
   */
  public ImmutableList<LivePod> fitting(
      Collection<LivePod> running, Collection<LivePod> candidates) {
    Map<String, Long> used = used(running);
    ImmutableList.Builder<LivePod> fitting = ImmutableList.builder();
    for (LivePod pod : candidates) {
      Map<String, Long> with = new TreeMap<>(used);
      add(with, pod);
      if (admitted.entrySet().stream()
          .allMatch(entry -> with.getOrDefault(entry.getKey(), 0L) <= entry.getValue())) {
        fitting.add(pod);
        used = with;
      }
    }
    return fitting.build();
  }
}
