package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationBatchTest {
  private final AdmissionEngine engine = AdmissionEngine.create();

  private static ClusterQueue queue(String name, String cohort, String flavor) {
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(flavor, ResourceQuota.of("cpu", "1"))))
        .build();
  }

  private static Cohort cohort(String name, String parent) {
    return Cohort.builder().name(name).parent(parent).build();
  }

  @Test
  void validObjectsAreAppliedInAnyOrder() {
    ImmutableList<ConfigObject> objects = ImmutableList.of(
        LocalQueue.of("ns", "lq", "a"), queue("a", "all", "spot"), ResourceFlavor.of("spot"));

    assertThat(ConfigurationBatch.apply(engine, objects, decided -> {})).isEmpty();
    assertThat(ConfigurationBatch.apply(engine, List.of(), decided -> {})).isEmpty();

    assertThat(engine.view().clusterQueues()).hasSize(1);
    assertThat(engine.view().localQueues()).hasSize(1);
  }

  @Test
  void objectsThatBreakRulesAreLeftOutAndTheRestApplied() {
    ClusterQueue broken = ClusterQueue.builder()
        .name("broken")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.of("cpu", "1"))),
            ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.of("memory", "1"))))
        .build();

    assertThat(ConfigurationBatch.apply(
                engine,
                ImmutableList.of(broken, queue("a", "all", "spot"), ResourceFlavor.of("spot")),
                decided -> {})
            .keySet())
        .containsExactly("ClusterQueue broken");

    assertThat(engine.view().clusterQueues())
        .extracting(ClusterQueueView::name)
        .containsExactly("a");
  }

  @Test
  void objectsThatAreWrongTogetherAreRefusedAndTheRestApplied() {
    assertThat(ConfigurationBatch.apply(
                engine,
                ImmutableList.of(
                    cohort("x", "y"),
                    cohort("y", "x"),
                    queue("a", "x", "spot"),
                    ResourceFlavor.of("spot")),
                decided -> {})
            .keySet())
        .isNotEmpty()
        .allMatch(key -> key.startsWith("Cohort "));

    assertThat(engine.view().clusterQueues()).hasSize(1);
  }

  @Test
  void theLastOfOneKeyCounts() {
    assertThat(ConfigurationBatch.apply(
            engine,
            ImmutableList.of(
                ResourceFlavor.of("spot"),
                queue("a", "first", "spot"),
                queue("a", "second", "spot")),
            decided -> {}))
        .isEmpty();

    assertThat(engine.view().cohorts()).extracting(CohortView::name).containsExactly("second");
  }
}
