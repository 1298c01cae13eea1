package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.logging.LogCapture;
import io.kueue4j.examples.logging.LogFormat;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A controller goes on from the past usage of LocalQueues that an earlier one has recorded. */
class RecordedUsageTest {
  private static final Settings FAIR = Settings.builder()
      .admissionFairSharing(AdmissionFairSharing.of(Duration.ofHours(1)))
      .build();

  private final Scene scene = new Scene(ControllerOptions.defaults().withSettings(FAIR));

  @BeforeEach
  void createQueues() {
    scene.editQueue(
        "admissionScope", ImmutableMap.of("admissionMode", "UsageBasedAdmissionFairSharing"));
    createQueue("other");
  }

  private void createQueue(String name) {
    scene.cluster.create(
        StrictCluster.USER,
        Serialization.unmarshal("""
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: %s, namespace: default}
        spec: {clusterQueue: research}
        """.formatted(name), GenericKubernetesResource.class));
  }

  private void record(String queue, String cores) {
    scene.cluster.edit(
        "earlier controller",
        ApiWrite.Verb.REPLACE_STATUS,
        Scene.key("LocalQueue", "default", queue),
        tree -> {
          ObjectNode usage =
              Trees.child(tree, "status", "fairSharing", "admissionFairSharingStatus");
          usage.put("lastUpdate", scene.clock.instant().toString());
          usage.putObject("consumedResources").put("cpu", cores);
        });
  }

  private Optional<ConsumedUsage> usage(String queue) {
    return scene.view().engine().localQueue("default", queue).flatMap(LocalQueueView::consumed);
  }

  private BigDecimal cores(String queue) {
    return usage(queue).orElseThrow().resources().getOrDefault("cpu", BigDecimal.ZERO);
  }

  @Test
  void theQueueThatHasUsedMoreWaitsAfterARestart() {
    scene.settle();
    scene.createJob("blocker", 4);
    scene.settle();
    record("queue", "100");
    record("other", "1");
    scene.restart();
    assertThat(scene.runs("blocker")).isTrue();
    assertThat(cores("queue")).isEqualByComparingTo("100");
    scene.createJob("first", 4);
    scene.createJob("second", 4, Scene.withLabel("kueue.x-k8s.io/queue-name", "other"));
    scene.settle();
    scene.finish("blocker");
    scene.settle();
    assertThat(scene.runs("second")).isTrue();
    assertThat(scene.runs("first")).isFalse();
  }

  @Test
  void whatRunsCountsFromTheTimeOfTheRecordOn() {
    scene.settle();
    scene.createJob("runs", 4);
    scene.settle();
    record("queue", "0");
    Instant recorded = scene.clock.instant();
    scene.clock.advance(Duration.ofHours(1));
    scene.restart();
    scene.settle();
    // Half of what runs, after one half-life.
    assertThat(cores("queue").doubleValue()).isBetween(1.99, 2.01);
    assertThat(usage("queue").orElseThrow().lastUpdate()).isAfter(recorded);
  }

  @Test
  void aControllerThatRunsDoesNotReadWhatItHasWritten() {
    record("queue", "100");
    scene.settle();
    assertThat(cores("queue")).isZero();
  }

  @Test
  void aQueueThatIsAddedWithItsStatusGoesOnFromIt() {
    createQueue("restored");
    record("restored", "7");
    scene.settle();
    assertThat(cores("restored")).isEqualByComparingTo("7");
    scene.cluster.delete(StrictCluster.USER, Scene.key("LocalQueue", "default", "restored"));
    scene.settle();
    createQueue("restored");
    scene.settle();
    assertThat(cores("restored")).isZero();
  }

  @Test
  void aRecordThatCannotBeReadIsLogged() {
    record("other", "-1");
    try (LogCapture log = new LogCapture("io.kueue4j.examples.controller")) {
      scene.restart();
      assertThat(log.lines(LogFormat.TEXT))
          .anySatisfy(line -> assertThat(line)
              .contains("LocalQueue default/other starts from zero")
              .contains("-1 of cpu; expected 0 or more"));
    }
    scene.createJob("job", 1, Scene.withLabel("kueue.x-k8s.io/queue-name", "other"));
    scene.settle();
    assertThat(scene.runs("job")).isTrue();
  }

  @Test
  void withoutAdmissionFairSharingNothingIsRead() {
    record("queue", "100");
    scene.restart(ControllerOptions.defaults());
    scene.settle();
    assertThat(usage("queue")).isEmpty();
  }
}
