package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;

/** Creates pods, and the members of a group of pods. */
final class GroupPods {
  private GroupPods() {}

  /** {@return a pod that names the LocalQueue {@code lq}} */
  static PodBuilder pod(String name, String cpu) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("team-a")
        .withName(name)
        .withCreationTimestamp("2026-01-01T00:00:00Z")
        .addToLabels(MetadataKeys.QUEUE_NAME, "lq")
        .endMetadata()
        .withSpec(Jobs.template(cpu).getSpec());
  }

  /** {@return a pod that waits in the group {@code g} of {@code total} pods} */
  static Pod member(String name, String cpu, int total) {
    return pod(name, cpu)
        .editMetadata()
        .addToAnnotations(MetadataKeys.POD_GROUP_NAME, "g")
        .addToAnnotations(MetadataKeys.POD_GROUP_TOTAL_COUNT, String.valueOf(total))
        .endMetadata()
        .editSpec()
        .addToSchedulingGates(new PodSchedulingGate(PodGates.ADMISSION))
        .endSpec()
        .build();
  }

  static Pod annotated(Pod pod, String key, String value) {
    return new PodBuilder(pod)
        .editMetadata()
        .addToAnnotations(key, value)
        .endMetadata()
        .build();
  }
}
