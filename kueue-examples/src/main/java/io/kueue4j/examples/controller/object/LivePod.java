package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pod that has not ended.
 *
 * @param pod its last version
 * @param owners what it belongs to or has belonged to, as {@link WorkloadPods} names it
 * @param requests what it requests, by resource, in units of the engine
 */
public record LivePod(Pod pod, ImmutableSet<String> owners, Map<String, Long> requests) {
  public static LivePod of(Pod pod, ImmutableSet<String> owners, PodTemplates templates) {
    return new LivePod(pod, owners, requests(pod, templates));
  }

  public LivePod withOwners(ImmutableSet<String> all) {
    return new LivePod(pod, all, requests);
  }

  public ObjectKey key() {
    return ObjectKey.of(pod);
  }

  /** {@return whether a scheduling gate keeps it from a node, so that it uses nothing} */
  public boolean isGated() {
    return isGated(pod);
  }

  public static boolean isGated(Pod pod) {
    return pod.getSpec() != null
        && pod.getSpec().getSchedulingGates() != null
        && !pod.getSpec().getSchedulingGates().isEmpty();
  }

  /** {@return whether pods of a spec have a certain scheduling gate} */
  public static boolean hasGate(@Nullable PodSpec spec, String name) {
    return spec != null
        && spec.getSchedulingGates() != null
        && spec.getSchedulingGates().stream().anyMatch(gate -> name.equals(gate.getName()));
  }

  /** The API server refuses what cannot be read. */
  private static Map<String, Long> requests(Pod pod, PodTemplates templates) {
    try {
      return templates.liveRequests(pod);
    } catch (InvalidConfigurationException e) {
      return ImmutableMap.of();
    }
  }
}
