package io.kueue4j.k8s.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The placement of one pod.
 *
 * <p>Rules: T-89.
 *
 * @param podSet the pod set that it belongs to
 * @param pod the pod, gated; never modified
 * @param levels the keys of the node labels that identify domains
 * @param domain the domain that it shares with {@code domain.count() - 1} others
 * @since 0.1.0
 */
public record PodPlacement(String podSet, Pod pod, List<String> levels, Domain domain) {
  /** Copies what it is given. */
  public PodPlacement {
    levels = ImmutableList.copyOf(levels);
  }

  /** {@return the node labels that the pod must select} */
  public Map<String, String> nodeSelector() {
    return IntStream.range(0, levels.size())
        .boxed()
        .collect(ImmutableMap.toImmutableMap(levels::get, domain.values()::get));
  }

  /**
   * {@return a copy of the pod that selects its domain and has no gate for placement; other gates
   * are kept}
   */
  public Pod ungated() {
    Map<String, String> selector = new LinkedHashMap<>();
    if (pod.getSpec().getNodeSelector() != null) {
      selector.putAll(pod.getSpec().getNodeSelector());
    }
    selector.putAll(nodeSelector());
    return pod.toBuilder()
        .editSpec()
        .withNodeSelector(selector)
        .removeMatchingFromSchedulingGates(gate -> PodPlacer.SCHEDULING_GATE.equals(gate.getName()))
        .endSpec()
        .build();
  }
}
