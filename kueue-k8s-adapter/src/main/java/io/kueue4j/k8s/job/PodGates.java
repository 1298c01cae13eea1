package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scheduling gate of a pod that waits for its admission. Gates of other controllers are not
 * touched.
 */
final class PodGates {
  static final String ADMISSION = "kueue.x-k8s.io/admission";

  private PodGates() {}

  static boolean isGated(@Nullable PodSpec spec) {
    return spec != null && gates(spec).stream().anyMatch(gate -> ADMISSION.equals(gate.getName()));
  }

  static PodSpec with(PodSpec spec) {
    return isGated(spec)
        ? spec
        : new PodSpecBuilder(spec)
            .addToSchedulingGates(new PodSchedulingGate(ADMISSION))
            .build();
  }

  static PodSpec without(PodSpec spec) {
    return without(spec, ADMISSION);
  }

  static PodSpec without(PodSpec spec, String name) {
    return new PodSpecBuilder(spec)
        .withSchedulingGates(
            gates(spec).stream().filter(gate -> !name.equals(gate.getName())).toList())
        .build();
  }

  private static List<PodSchedulingGate> gates(PodSpec spec) {
    return Elements.of(spec.getSchedulingGates());
  }
}
