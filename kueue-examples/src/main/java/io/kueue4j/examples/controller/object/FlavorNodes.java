package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.k8s.job.JobPodSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that the pods of an admitted job may select: a start adds the labels of its flavors to
 * the node selector of each pod.
 *
 * <p>An administrator may change labels of a flavor while jobs run on it, so one key is enough.
 *
 * @param labels the node labels of the flavors of each pod set
 * @param flavors all flavors
 */
public record FlavorNodes(
    ImmutableMap<String, ImmutableSet<Map.Entry<String, String>>> labels,
    ImmutableList<ResourceFlavor> flavors) {
  public static FlavorNodes of(Admission admission, ImmutableMap<String, ResourceFlavor> flavors) {
    return new FlavorNodes(
        admission.podSetAssignments().stream()
            .collect(ImmutableMap.toImmutableMap(
                PodSetAssignment::name, assignment -> labels(assignment, flavors))),
        flavors.values().asList());
  }

  private static ImmutableSet<Map.Entry<String, String>> labels(
      PodSetAssignment assignment, ImmutableMap<String, ResourceFlavor> flavors) {
    return assignment.flavors().values().stream()
        .map(flavors::get)
        .filter(Objects::nonNull)
        .flatMap(flavor -> flavor.nodeLabels().entrySet().stream())
        .collect(ImmutableSet.toImmutableSet());
  }

  /** {@return whether the template of a pod set lacks the node selectors of its flavors} */
  public boolean areOther(List<JobPodSet> podSets) {
    return podSets.stream().anyMatch(podSet -> {
      PodSpec pods = podSet.template().getSpec();
      return pods != null
          && isOther(selector(pods), labels.getOrDefault(podSet.name(), ImmutableSet.of()));
    });
  }

  /** {@return the pod sets that a pod may be of by its node selectors} */
  public ImmutableSet<String> podSets(Pod pod) {
    Map<String, String> selector = selector(pod.getSpec());
    return ImmutableSet.copyOf(
        Maps.filterValues(labels, wanted -> !isOther(selector, wanted)).keySet());
  }

  private static Map<String, String> selector(@Nullable PodSpec pods) {
    return pods == null || pods.getNodeSelector() == null
        ? ImmutableMap.of()
        : pods.getNodeSelector();
  }

  private boolean isOther(
      Map<String, String> selector, ImmutableSet<Map.Entry<String, String>> wanted) {
    return !wanted.isEmpty()
        && (wanted.stream().noneMatch(label -> selector.containsKey(label.getKey()))
            || wanted.stream().anyMatch(label -> selectsOther(selector, label)));
  }

  /** {@return whether a selector has the value that other flavors have instead of a label} */
  private boolean selectsOther(Map<String, String> selector, Map.Entry<String, String> label) {
    String selected = selector.getOrDefault(label.getKey(), label.getValue());
    return !selected.equals(label.getValue())
        && flavors.stream()
            .anyMatch(flavor -> selected.equals(flavor.nodeLabels().get(label.getKey())));
  }
}
