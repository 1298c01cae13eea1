package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.state.EngineBook;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EngineBookTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** A cycle costs time, and a job is looked at whenever one of its pods changes. */
  @Test
  void onlyAChangeOfReadinessNeedsAnotherCycle() {
    AdmissionEngine engine = AdmissionEngine.builder()
        .clock(() -> NOW)
        .settings(
            Settings.builder().podsReady(PodsReadyPolicy.builder().build()).build())
        .build();
    engine.apply(
        ResourceFlavor.of("spot"),
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.of("cpu", "4"))))
            .build(),
        LocalQueue.of("team", "queue", "research"));
    Workload job = Workload.builder()
        .namespace("team")
        .name("job")
        .queueName("queue")
        .creationTime(NOW)
        .addPodSets(PodSet.builder().count(1).requestAmount("cpu", 1000).build())
        .build();
    engine.submit(job);
    engine.runCycle();
    EngineBook book = new EngineBook(engine, () -> NOW);

    assertThat(isTouched(book, job, true)).isTrue();
    assertThat(isTouched(book, job, true)).isFalse();
    assertThat(isTouched(book, job, false)).isTrue();
    assertThat(isTouched(book, job, false)).isFalse();
  }

  private static boolean isTouched(EngineBook book, Workload job, boolean areReady) {
    book.setTouched(false);
    book.setPodsReady(job.id(), areReady);
    return book.isTouched();
  }
}
