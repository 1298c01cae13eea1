package io.kueue4j.examples.controller.record;

import com.google.common.collect.Maps;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.configuration.RecordedSlices;
import io.kueue4j.examples.controller.object.PodCount;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import java.util.Map;
import java.util.Optional;

/**
 * Compares recorded admissions with the objects of the cluster.
 *
 * @param configuration the queues and namespaces
 */
public record RecordChecks(ClusterConfiguration configuration) {
  /**
   * {@return why a job may not hold what its record says, empty if it may} A missing queue or
   * namespace is not a reason: a running job keeps running when its queue is removed.
   */
  public Optional<String> misfit(RecordedAdmission recorded) {
    Workload workload = recorded.workload();
    String admittedBy = recorded.admission().clusterQueue();
    String claim =
        "the record says that ClusterQueue " + admittedBy + " has admitted the job, but ";
    Optional<String> other = configuration
        .localQueue(workload.namespace(), workload.queueName())
        .map(LocalQueue::clusterQueue)
        .filter(name -> !name.equals(admittedBy));
    if (other.isPresent()) {
      return Optional.of(claim + "LocalQueue " + workload.queueName() + " leads to " + other.get());
    }
    Optional<ClusterQueue> queue = configuration.clusterQueue(admittedBy);
    Optional<Namespace> namespace = configuration.namespace(workload.namespace());
    boolean isUnknown = queue.isEmpty() || namespace.isEmpty();
    return isUnknown
            || queue.get().namespaceSelector().stream()
                .anyMatch(selector -> selector.matches(namespace.get().labels()))
        ? Optional.empty()
        : Optional.of(claim + "the namespaceSelector of that queue does not match namespace "
            + workload.namespace());
  }

  /** {@return what a workload holds by a record, also while it stops} */
  public Admission held(RecordedAdmission recorded, Workload workload) {
    Map<String, PodSet> podSets = Maps.uniqueIndex(workload.podSets(), PodSet::name);
    Admission counted = RecordedSlices.map(
        recorded.admission(),
        assignment -> Optional.ofNullable(podSets.get(assignment.name()))
            .map(podSet -> counted(assignment, podSet))
            .orElse(assignment));
    return configuration.pools().withSlices(counted, recorded.slices());
  }

  /** {@return an assignment whose usage is computed from the pods, whatever it says} */
  private static PodSetAssignment counted(PodSetAssignment assignment, PodSet podSet) {
    return PodSetAssignment.builder()
        .from(assignment)
        .resourceUsage(Maps.toMap(
            assignment.flavors().keySet(),
            resource ->
                Amount.multiply(PodCount.perPod(podSet.requests(), resource), assignment.count())))
        .build();
  }
}
