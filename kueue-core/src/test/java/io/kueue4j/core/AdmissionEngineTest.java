package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;

class AdmissionEngineTest {
  private final AdmissionEngine engine = AdmissionEngine.create();

  private static Workload gpus(String name, int pods) {
    return Workload.builder()
        .namespace("team-a")
        .name(name)
        .queueName("queue")
        .addPodSets(PodSet.builder().count(pods).request("nvidia.com/gpu", "1").build())
        .build();
  }

  @Test
  void admitsWhatFitsAndSaysWhyTheRestWaits() {
    engine.apply(
        ResourceFlavor.of("a100"),
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("a100", ResourceQuota.of("nvidia.com/gpu", "8"))))
            .build(),
        LocalQueue.of("team-a", "queue", "research"));

    assertThat(engine.tryAdmit(gpus("first", 6)).result().isAdmitted()).isTrue();
    AdmissionResult second = engine.tryAdmit(gpus("second", 3)).result();

    assertThat(second).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(second.toString())
        .contains("requests 3, 2 available, 1 more needed (in use 6, nominal quota 8)");
  }
}
