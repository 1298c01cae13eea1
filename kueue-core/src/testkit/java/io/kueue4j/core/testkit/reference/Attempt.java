package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An attempt to admit a workload in a queue.
 *
 * @param job the workload
 * @param queue the ClusterQueue
 * @param memory where the search over flavors resumes, empty to start again
 * @param old the elastic slice of the same job that it replaces, if any
 * @param pinned the only flavors to choose from, by position of the pod set and resource; empty for
 *     all
 */
record Attempt(
    Job job,
    String queue,
    Optional<ScanMemory> memory,
    Optional<OldSlice> old,
    Optional<ImmutableMap<Integer, ImmutableMap<String, String>>> pinned) {

  /** F-24. */
  int resumeIndex(int podSet, String resource) {
    return memory.map(known -> known.resumeIndex(podSet, resource)).orElse(0);
  }

  /** E-4: each pod set is bound to the flavor that it has for a requested resource. */
  boolean allows(String flavor, Map<Integer, PodSetRequests> members, Set<String> resources) {
    return old.isEmpty()
        || members.entrySet().stream()
            .allMatch(member -> member.getValue().amounts().keySet().stream()
                .filter(resources::contains)
                .allMatch(resource -> old.get()
                    .flavor(member.getKey(), member.getValue().podSet(), resource)
                    .equals(Optional.of(flavor))));
  }

  /** E-5. */
  ImmutableMap<String, Long> asked(int podSet, PodSetRequests requests) {
    return old.map(slice -> slice.difference(podSet, requests)).orElse(requests.amounts());
  }

  /** {@return the workload that is not a candidate, since it is replaced in any case (E-6)} */
  Optional<Holder> spared() {
    return old.map(OldSlice::holder);
  }

  /** F-9. */
  boolean allows(String flavor, Set<Integer> podSets, String resource) {
    boolean isAllowed = job.allowedFlavors().isEmpty() || job.allowedFlavors().contains(flavor);
    return isAllowed && isNominated(flavor, podSets, resource);
  }

  private boolean isNominated(String flavor, Set<Integer> podSets, String resource) {
    return pinned
        .map(pins -> podSets.stream()
            .map(podSet -> pins.getOrDefault(podSet, ImmutableMap.of()).get(resource))
            .anyMatch(flavor::equals))
        .orElse(true);
  }
}
