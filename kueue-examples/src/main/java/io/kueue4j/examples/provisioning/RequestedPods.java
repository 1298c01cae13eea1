package io.kueue4j.examples.provisioning;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kueue4j.examples.provisioning.ProvisionedWorkload.PodSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The pods of one or more pod sets that are requested as one.
 *
 * @param podSet the first of the pod sets; its template stands for all
 * @param count the number of their pods together
 */
record RequestedPods(PodSet podSet, int count) {

  /** {@return the pods of a workload, merged as the configuration wants it} */
  static ImmutableList<RequestedPods> of(ProvisionedWorkload workload, ProvisioningConfig config) {
    List<RequestedPods> merged = new ArrayList<>();
    for (PodSet podSet : workload.provisioned(config)) {
      int same = 0;
      while (same < merged.size() && !mayMerge(merged.get(same).podSet(), podSet, config)) {
        same++;
      }
      if (same < merged.size()) {
        RequestedPods first = merged.get(same);
        merged.set(
            same, new RequestedPods(first.podSet(), Math.addExact(first.count(), podSet.count())));
      } else {
        merged.add(new RequestedPods(podSet, podSet.count()));
      }
    }
    return ImmutableList.copyOf(merged);
  }

  private static boolean mayMerge(PodSet first, PodSet second, ProvisioningConfig config) {
    return config
        .mergePolicy()
        .filter(policy -> switch (policy) {
          case IDENTICAL_POD_TEMPLATES -> first.template().equals(second.template());
          case IDENTICAL_SCHEDULING_REQUIREMENTS -> fitOnTheSameNodes(first.spec(), second.spec());
        })
        .isPresent();
  }

  private static boolean fitOnTheSameNodes(PodSpec first, PodSpec second) {
    return requests(first.getContainers()).equals(requests(second.getContainers()))
        && requests(first.getInitContainers()).equals(requests(second.getInitContainers()))
        && Objects.equals(first.getResources(), second.getResources())
        && ProvisionedWorkload.orEmpty(first.getNodeSelector())
            .equals(ProvisionedWorkload.orEmpty(second.getNodeSelector()))
        && Objects.equals(first.getTolerations(), second.getTolerations())
        && Objects.equals(first.getAffinity(), second.getAffinity())
        && Objects.equals(first.getResourceClaims(), second.getResourceClaims());
  }

  private static List<Map<String, ?>> requests(List<Container> containers) {
    return containers.stream()
        .map(Container::getResources)
        .map(resources -> Objects.requireNonNullElseGet(resources, ResourceRequirements::new))
        .map(resources -> ProvisionedWorkload.orEmpty(resources.getRequests()))
        .collect(Collectors.toList());
  }
}
