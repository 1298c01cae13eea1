package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Infers the admission of a job that runs and has no Workload, such as one in a list of jobs alone:
 * its pods carry the node labels of the flavors that it was started on.
 *
 * <p>Of the flavors of a resource group whose node labels are all in the node selector, the one
 * with the most labels is taken, the first one of several. Places on nodes are not inferred.
 *
 * @since 0.1.0
 */
public final class InferredAdmission {
  private final ClusterQueue queue;
  private final Map<String, ResourceFlavor> flavors;

  private InferredAdmission(ClusterQueue queue, Map<String, ResourceFlavor> flavors) {
    this.queue = queue;
    this.flavors = flavors;
  }

  /**
   * {@return the workload with its admission; absent if the ClusterQueue does not cover a resource
   * that it requests, or no flavor has its node labels}
   *
   * @param workload the workload of the job as it runs
   * @param reclaimable the number of its pods that have ended, by pod set
   * @param queue the ClusterQueue that its LocalQueue leads to
   * @param flavors the flavors by name
   * @param since when it was started
   */
  public static Optional<ImportedWorkload> of(
      Workload workload,
      SortedMap<String, Integer> reclaimable,
      ClusterQueue queue,
      Map<String, ResourceFlavor> flavors,
      Instant since) {
    InferredAdmission inferred = new InferredAdmission(queue, flavors);
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue(queue.name())
        .quotaReservedTime(since);
    for (PodSet podSet : workload.podSets()) {
      Optional<PodSetAssignment> assignment = inferred.assignment(podSet);
      if (assignment.isEmpty()) {
        return Optional.empty();
      }
      admission.addPodSetAssignments(assignment.get());
    }
    return Optional.of(new ImportedWorkload(
        workload,
        Optional.of(admission.build()),
        running(since, reclaimable),
        Optional.empty(),
        ImmutableList.of()));
  }

  private static WorkloadStatus running(Instant since, SortedMap<String, Integer> reclaimable) {
    WorkloadStatus.Builder status = WorkloadStatus.builder().reclaimablePods(reclaimable);
    ImmutableMap.of(
            ConditionType.QUOTA_RESERVED, "QuotaReserved",
            ConditionType.ADMITTED, "Admitted",
            ConditionType.PODS_READY, "Started")
        .forEach((type, reason) -> status.addConditions(
            new WorkloadCondition(type, true, reason, "Inferred from the running job", since)));
    return status.build();
  }

  private Optional<PodSetAssignment> assignment(PodSet podSet) {
    PodSetAssignment.Builder assignment =
        PodSetAssignment.builder().name(podSet.name()).count(podSet.count());
    Map<String, Long> requests = new TreeMap<>(podSet.requests());
    boolean countsPods = queue.resourceGroups().stream()
        .anyMatch(group -> group.coveredResources().contains(ResourceNames.PODS));
    if (countsPods) {
      requests.put(ResourceNames.PODS, 1L);
    }
    Map<String, Long> usage = new TreeMap<>();
    for (Map.Entry<String, Long> request : requests.entrySet()) {
      Optional<String> flavor = flavor(podSet, request.getKey());
      if (flavor.isEmpty() && request.getValue() > 0) {
        return Optional.empty();
      }
      flavor.ifPresent(name -> {
        assignment.putFlavors(request.getKey(), name);
        usage.put(request.getKey(), Amount.multiply(request.getValue(), podSet.count()));
      });
    }
    return Optional.of(assignment.putAllResourceUsage(usage).build());
  }

  private Optional<String> flavor(PodSet podSet, String resource) {
    return queue.resourceGroups().stream()
        .filter(group -> group.coveredResources().contains(resource))
        .findFirst()
        .flatMap(group -> flavor(podSet, group));
  }

  private Optional<String> flavor(PodSet podSet, ResourceGroup group) {
    ImmutableList<ResourceFlavor> suitable = group.flavors().stream()
        .map(FlavorQuotas::flavor)
        .filter(flavors::containsKey)
        .map(flavors::get)
        .filter(flavor ->
            podSet.nodeSelector().entrySet().containsAll(flavor.nodeLabels().entrySet()))
        .collect(ImmutableList.toImmutableList());
    int most = suitable.stream()
        .map(flavor -> flavor.nodeLabels().size())
        .max(Comparator.naturalOrder())
        .orElse(0);
    return suitable.stream()
        .filter(flavor -> flavor.nodeLabels().size() == most)
        .map(ResourceFlavor::name)
        .findFirst();
  }
}
