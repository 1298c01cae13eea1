package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class QueueOfAnEventTest {
  private final AdmissionEngine engine = AdmissionEngine.create();

  private static ClusterQueue.Builder queue(String name) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("any", ResourceQuota.of("gpu", "4"))));
  }

  private static Workload workload(String name, String localQueue) {
    return Workload.of(
        "team", name, localQueue, PodSet.builder().count(4).request("gpu", "1").build());
  }

  @Test
  void quotaWakesItsQueueThoughTheLocalQueueLeadsElsewhere() {
    engine.apply(
        ResourceFlavor.of("any"),
        queue("a").build(),
        queue("b").build(),
        LocalQueue.of("team", "first", "a"),
        LocalQueue.of("team", "second", "a"));
    engine.submit(workload("running", "first"));
    engine.runCycle();
    engine.submit(workload("waiting", "second"));
    engine.runCycle();
    engine.apply(LocalQueue.of("team", "first", "b"));

    engine.finish(WorkloadId.of("team", "running"));

    assertThat(engine.runCycle().admitted())
        .singleElement()
        .satisfies(admission ->
            assertThat(admission.workload()).isEqualTo(WorkloadId.of("team", "waiting")));
  }

  @Test
  void anEmptyCohortIsNoCohort() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.apply(queue("a").cohort("").build()))
        .isInstanceOf(InvalidConfigurationException.class)
        .withMessageContaining("ClusterQueue a: cohort: empty");
  }

  @Test
  void strategiesOfFairSharingAreInTheOrderThatKueueTakes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Settings.builder()
            .fairSharing(
                FairSharingStrategy.LESS_THAN_INITIAL_SHARE,
                FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE)
            .build())
        .withMessageContaining("LessThanInitialShare, LessThanOrEqualToFinalShare");
    assertThat(
            Settings.builder().fairSharing(FairSharingStrategy.values()).build().fairSharing())
        .isPresent();
  }

  @Test
  void theEndOfTimeComesLast() {
    engine.apply(ResourceFlavor.of("any"), queue("a").build(), LocalQueue.of("team", "first", "a"));
    Workload last = Workload.builder()
        .from(workload("last", "first"))
        .creationTime(Instant.MAX)
        .build();
    engine.submit(last);
    engine.submit(workload("now", "first"));

    assertThat(engine.runCycle().admitted())
        .singleElement()
        .satisfies(
            admission -> assertThat(admission.workload()).isEqualTo(WorkloadId.of("team", "now")));
  }
}
