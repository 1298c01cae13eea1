package io.kueue4j.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodSetUpdatesTest {
  private static AdmissionCheckState check(String name, CheckState state, String zone) {
    return AdmissionCheckState.builder()
        .name(name)
        .state(state)
        .addPodSetUpdates(
            PodSetUpdate.builder().name("main").putNodeSelector("zone", zone).build())
        .build();
  }

  @Test
  void otherPodSetsStayAsTheyAre() {
    PodSet other = PodSet.builder().name("other").requestAmount("cpu", 1).build();
    Workload workload = Workload.builder()
        .namespace("ns")
        .name("w")
        .queueName("q")
        .addPodSets(PodSet.builder().name("main").requestAmount("cpu", 1).build(), other)
        .build();

    assertThat(PodSetUpdates.apply(
                workload, CheckList.of(ImmutableList.of(check("a", CheckState.READY, "zone-a"))))
            .orElseThrow()
            .podSets())
        .contains(other)
        .isNotEqualTo(workload.podSets());
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING, a, READY, b, b",
    "READY, a, READY, a, a",
    "READY, a, READY, b, none",
    "PENDING, a, PENDING, b, ''",
  })
  void readyChecksThatAgreeSelectNodes(
      CheckState first, String firstZone, CheckState second, String secondZone, String expected) {
    Workload workload = Workload.builder()
        .namespace("ns")
        .name("w")
        .queueName("q")
        .addPodSets(PodSet.builder().name("main").requestAmount("cpu", 1).build())
        .build();

    assertThat(PodSetUpdates.apply(
                workload,
                CheckList.of(ImmutableList.of(
                    check("first", first, firstZone), check("second", second, secondZone))))
            .map(updated -> updated.podSets().get(0).nodeSelector().getOrDefault("zone", ""))
            .orElse("none"))
        .isEqualTo(expected);
  }
}
