package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The roles of pods have Kueue's hashes. */
class PodRolesTest {
  static List<Map<String, Object>> pods() {
    return Jobs.read("role-hashes.yaml", Object.class).stream()
        .map(RawTree::mapping)
        .toList();
  }

  private static Pod pod(Object spec) {
    return new PodBuilder(Jobs.pod("p"))
        .withSpec(Jobs.MAPPER.convertValue(spec, PodSpec.class))
        .build();
  }

  @ParameterizedTest
  @MethodSource("pods")
  void theHashOfARoleIsThatOfKueue(Map<String, Object> example) {
    assertThat(PodRoles.of(pod(Objects.requireNonNull(example.get("spec")))))
        .isEqualTo(example.get("hash"));
  }

  @ParameterizedTest
  @MethodSource("pods")
  void anEmptyFieldIsNone(Map<String, Object> example) {
    Pod pod = pod(Objects.requireNonNull(example.get("spec")));
    Pod empty = new PodBuilder(pod)
        .editSpec()
        .withSchedulingGates(ImmutableList.of())
        .withVolumes(ImmutableList.of())
        .endSpec()
        .build();
    assertThat(PodRoles.of(empty)).isEqualTo(PodRoles.of(pod));
  }
}
