package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.k8s.internal.tpu.SliceNodeLabels;
import io.kueue4j.k8s.internal.yaml.Elements;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Lets pods start that wait for the nodes of their TPU slices, since the template of their job
 * could not select these nodes ({@link JobEditor#withSliceGates}).
 *
 * <p>A pure function: call it with all pods of the workload whenever a new one appears. Rules:
 * TPU-F-22.
 */
final class SlicePods {
  /** The scheduling gate of pods that do not yet select the nodes of their slices. */
  static final String SCHEDULING_GATE = "kueue4j.io/tpu-slices";

  private SlicePods() {}

  /** {@return what {@link JobEditor#releaseSlicePods} returns} */
  static List<Pod> release(Admission admission, Iterable<? extends Pod> pods) {
    Map<String, PodSetAssignment> assignments =
        Maps.uniqueIndex(admission.podSetAssignments(), PodSetAssignment::name);
    ImmutableList.Builder<Pod> released = ImmutableList.builder();
    for (Pod pod : pods) {
      Map<String, String> labels =
          Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
      PodSetAssignment assignment = assignments.get(labels.getOrDefault(PodPlacer.POD_SET, ""));
      if (isGated(pod) && assignment != null && !assignment.slices().isEmpty()) {
        released.add(release(pod, SliceNodeLabels.labels(assignment.slices())));
      }
    }
    return released.build();
  }

  private static boolean isGated(Pod pod) {
    return pod.getSpec() != null
        && Elements.of(pod.getSpec().getSchedulingGates()).stream()
            .anyMatch(gate -> SCHEDULING_GATE.equals(gate.getName()));
  }

  private static Pod release(Pod pod, Map<String, Set<String>> nodes) {
    Map<String, String> selector =
        new LinkedHashMap<>(Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.of()));
    selector.putAll(PodSetInfo.nodeSelector(nodes));
    return new PodBuilder(pod)
        .editSpec()
        .withNodeSelector(selector)
        .withAffinity(
            SliceAffinity.add(pod.getSpec().getAffinity(), PodSetInfo.nodeAffinity(nodes)))
        .withSchedulingGates(Elements.of(pod.getSpec().getSchedulingGates()).stream()
            .filter(gate -> !SCHEDULING_GATE.equals(gate.getName()))
            .toList())
        .endSpec()
        .build();
  }
}
