package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.resource.Amount;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The elastic slice of a job that a workload replaces when it is admitted.
 *
 * <p>Rules: E-3, E-4, E-5, E-6, T-88; E-4 and E-6 as section 17 of the rule index has them.
 *
 * @param holder its usage
 */
record OldSlice(Holder holder) {

  /** E-3: only one that holds quota of the same queue. */
  static Optional<OldSlice> of(Job job, Node queue) {
    return job.replaces()
        .flatMap(id -> queue.holders.stream()
            .filter(holder -> holder.job().id().equals(id))
            .findFirst())
        .map(OldSlice::new);
  }

  /**
   * {@return the flavor that a pod set of the new elastic slice is bound to, empty if there is
   * none}
   */
  Optional<String> flavor(int index, PodSet podSet, String resource) {
    return Optional.ofNullable(held(index, podSet).get(resource)).map(Job.Charge::flavor);
  }

  /** {@return the requests of the new elastic slice beyond the usage of the old one (E-5)} */
  ImmutableMap<String, Long> difference(int index, PodSetRequests requests) {
    Map<String, Job.Charge> held = held(index, requests.podSet());
    ImmutableMap.Builder<String, Long> difference = ImmutableMap.builder();
    requests.amounts().forEach((resource, amount) -> {
      Job.Charge charge = held.get(resource);
      difference.put(resource, charge == null ? amount : Amount.subtract(amount, charge.amount()));
    });
    return difference.buildOrThrow();
  }

  /**
   * T-88.
   *
   * @return where the pods of a pod set run
   */
  Optional<TopologyAssignment> places(int index, PodSet podSet) {
    return isSame(index, podSet)
        ? holder.job().admission().orElseThrow().podSetAssignments().stream()
            .filter(each -> each.name().equals(podSet.name()))
            .findFirst()
            .flatMap(PodSetAssignment::topologyAssignment)
        : Optional.empty();
  }

  /** Pod sets are the same if they have the same position and name (section 17). */
  private Map<String, Job.Charge> held(int index, PodSet podSet) {
    return isSame(index, podSet) ? holder.job().charges(podSet.name()) : Map.of();
  }

  private boolean isSame(int index, PodSet podSet) {
    List<PodSet> podSets = holder.job().workload().podSets();
    return index < podSets.size() && podSets.get(index).name().equals(podSet.name());
  }
}
