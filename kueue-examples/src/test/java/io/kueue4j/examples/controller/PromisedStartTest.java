package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.logging.LogCapture;
import io.kueue4j.examples.logging.LogFormat;
import io.kueue4j.k8s.metrics.KueueMetric;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that wait are promised a start, which the next controller keeps. */
class PromisedStartTest {
  private static final String PROMISED_START = "kueue4j.io/PromisedStart";
  private static final Consumer<Job> HIGH =
      Scene.withLabel("kueue.x-k8s.io/priority-class", "high");
  private static final ControllerOptions EASY = ControllerOptions.defaults()
      .withSettings(Settings.builder().backfill(Backfill.ofDepth(1)).build());
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";

  private final Scene scene = new Scene(EASY);

  private static Consumer<Job> lasting(int minutes) {
    return Scene.withLabel("kueue.x-k8s.io/max-exec-time-seconds", Integer.toString(minutes * 60));
  }

  private void createJob(String name, int cpus, int minutes) {
    scene.createJob(name, cpus, lasting(minutes));
    scene.settle();
  }

  private void createUrgent(int minutes) {
    scene.createJob("urgent", 1, lasting(minutes).andThen(HIGH));
    scene.settle();
  }

  /** Lets three of four cores be in use for 100 minutes, and a job wait for all of them. */
  private Instant fullFor100Minutes() {
    createJob("first", 3, 100);
    Instant end = scene.clock.instant().plus(Duration.ofMinutes(100));
    createJob("big", 4, 50);
    return end;
  }

  private JsonNode condition() {
    return WorkloadScene.condition(scene.record("big"), PROMISED_START);
  }

  private Instant recorded() {
    return Instant.parse(Json.text(Json.parse(condition().path("message").asText()), "start"));
  }

  private List<Instant> promised() {
    return scene.loop().engine().promises().stream().map(Promise::start).toList();
  }

  private List<String> texts() {
    return scene.connection().events().stream()
        .filter(event -> event.getReason().equals("PromisedStart"))
        .map(event -> event.getInvolvedObject().getName() + " " + event.getMessage())
        .toList();
  }

  /** Another client changes the recorded promise. */
  private void forge(Consumer<ObjectNode> change) {
    String name = scene.workload("big").orElseThrow().getMetadata().getName();
    scene.cluster.edit(
        StrictCluster.USER,
        ApiWrite.Verb.REPLACE_STATUS,
        Scene.key("Workload", "default", name),
        tree -> tree.at("/status/conditions").forEach(condition -> {
          if (condition.path("type").asText().equals(PROMISED_START)) {
            change.accept((ObjectNode) condition);
          }
        }));
  }

  private List<String> restartLog() {
    try (LogCapture log = new LogCapture("io.kueue4j.examples.controller")) {
      scene.restart();
      scene.settle();
      return log.lines(LogFormat.TEXT);
    }
  }

  @Test
  void aPromiseIsRecordedAndTold() {
    Instant end = fullFor100Minutes();
    assertThat(promised()).containsExactly(end);
    assertThat(recorded()).isEqualTo(end);
    assertThat(texts())
        .containsExactly(
            "big starts at the latest at " + end + ", because it is among the first of research");
  }

  @Test
  void aPromiseThatMovesIsToldWithTheReason() {
    Instant end = fullFor100Minutes();
    scene.clock.advance(Duration.ofMinutes(10));
    createUrgent(120);
    Instant later = scene.clock.instant().plus(Duration.ofHours(2));
    assertThat(recorded()).isEqualTo(later);
    assertThat(texts()).hasSize(2);
    assertThat(texts().get(1))
        .startsWith("big starts at the latest at " + later + ", moved from " + end + ", because ")
        .contains("urgent")
        .endsWith("comes before it");
  }

  @Test
  void aPromiseThatHardlyMovesIsNotWrittenAgain() {
    Instant end = fullFor100Minutes();
    scene.clock.advance(Duration.ofMinutes(10));
    createUrgent(95);
    assertThat(promised().get(0)).isAfter(end);
    assertThat(recorded()).isEqualTo(end);
    assertThat(texts()).hasSize(1);
  }

  @Test
  void aMoveWithinHalfAMinuteIsWrittenLater() {
    fullFor100Minutes();
    createUrgent(120);
    assertThat(recorded()).isNotEqualTo(promised().get(0));
    scene.clock.advance(Duration.ofSeconds(30));
    scene.settle();
    assertThat(recorded()).isEqualTo(promised().get(0));
    assertThat(texts()).hasSize(2);
  }

  @Test
  void aStartRemovesTheRecordOfThePromise() {
    fullFor100Minutes();
    scene.finish("first");
    scene.settle();
    assertThat(scene.runs("big")).isTrue();
    assertThat(condition()).isEmpty();
    assertThat(texts()).hasSize(1);
  }

  /** Lets a job that is older than the promised one come before it in the queue. */
  private Instant fullAndOvertaken() {
    scene.createJob("older", 4, lasting(10).andThen(Scene.withLabel(QUEUE, "nowhere")));
    Instant end = fullFor100Minutes();
    scene.edit("older", Scene.withLabel(QUEUE, "queue"));
    scene.settle();
    assertThat(promised()).containsExactly(end, end.plus(Duration.ofMinutes(50)));
    return end;
  }

  @Test
  void aRestartKeepsThePromise() {
    Instant end = fullAndOvertaken();
    scene.restart();
    scene.settle();
    assertThat(promised()).containsExactly(end, end.plus(Duration.ofMinutes(50)));
    assertThat(recorded()).isEqualTo(end);
    assertThat(texts()).hasSize(2);
  }

  @Test
  void jobsThatWerePromisedAStartAreReadBeforeAllOthers() {
    scene.createJob("first", 3, lasting(100).andThen(HIGH));
    scene.settle();
    scene.createJob("filler", 1, job -> job.getSpec().setParallelism(4));
    IntStream.range(0, 500).forEach(number -> scene.createJob("job" + number, 4));
    scene.createJob("big", 4, lasting(50).andThen(HIGH));
    scene.settle();
    List<Instant> before = promised();
    assertThat(before).hasSize(1);
    scene.edit("filler", job -> job.getSpec().setParallelism(1));
    scene.restart();
    scene.settle();
    assertThat(scene.runs("filler")).isFalse();
    assertThat(promised()).isEqualTo(before);
  }

  @Test
  void aPromiseThatARestartKeepsIsCountedWhenTheJobStarts() {
    fullFor100Minutes();
    List<Map<String, String>> starts = new ArrayList<>();
    KueueMetrics.Sink sink = new KueueMetrics.Sink() {
      @Override
      public void add(KueueMetric counter, Map<String, String> tags, double amount) {
        if (counter == KueueMetric.PROMISED_STARTS_TOTAL) {
          starts.add(tags);
        }
      }

      @Override
      public void set(KueueMetric gauge, Map<String, String> tags, double value) {}

      @Override
      public void record(KueueMetric histogram, Map<String, String> tags, double value) {}

      @Override
      public void remove(KueueMetric metric, Map<String, String> tags) {}
    };
    scene.restart(KueueMetrics.builder(sink).build());
    scene.settle();
    scene.finish("first");
    scene.settle();
    assertThat(starts).singleElement().asString().contains("result=kept");
  }

  @Test
  void aRestoredPromiseMovesFromTheRecordedStart() {
    Instant end = fullFor100Minutes();
    scene.clock.advance(Duration.ofMinutes(10));
    scene.createJob("urgent", 1, lasting(120).andThen(HIGH));
    Instant later = scene.clock.instant().plus(Duration.ofHours(2));
    scene.restart();
    scene.settle();
    assertThat(recorded()).isEqualTo(later);
    assertThat(texts())
        .last()
        .asString()
        .startsWith("big starts at the latest at " + later + ", moved from " + end + ", because ");
  }

  @Test
  void aPromiseThatIsOverMoves() {
    scene.createJob(
        "first",
        3,
        job -> job.getMetadata().setAnnotations(Map.of("kueue4j.io/expected-duration", "PT100M")));
    scene.settle();
    Instant end = scene.clock.instant().plus(Duration.ofMinutes(100));
    createJob("big", 4, 50);
    assertThat(recorded()).isEqualTo(end);
    scene.clock.advance(Duration.ofMinutes(101));
    scene.restart();
    scene.settle();
    assertThat(promised().get(0)).isAfter(end);
    assertThat(texts()).last().asString().contains("moved from " + end);
  }

  @Test
  void aForgedPromiseIsPlannedAnew() {
    Instant end = fullFor100Minutes();
    forge(condition -> condition.put(
        "message",
        condition
            .path("message")
            .asText()
            .replace(end.toString(), scene.clock.instant().toString())
            .replace("spot", "gold")));
    scene.restart();
    scene.settle();
    assertThat(promised()).containsExactly(end);
    assertThat(recorded()).isEqualTo(end);
    assertThat(scene.runs("big")).isFalse();
  }

  @Test
  void aPromiseThatCannotBeReadIsIgnored() {
    Instant end = fullFor100Minutes();
    for (String message : List.of(
        "soon",
        "{}",
        "{\"start\":\"soon\",\"admission\":{},\"slices\":\"\"}",
        condition().path("message").asText().replace("research", "nowhere"),
        condition().path("message").asText().replace("\"main\"", "\"other\""))) {
      forge(condition -> condition.put("message", message));
      assertThat(restartLog())
          .as(message)
          .anyMatch(line -> line.contains("Job default/big is not promised the recorded start"));
      assertThat(promised()).containsExactly(end);
      assertThat(recorded()).isEqualTo(end);
    }
  }

  @Test
  void aPromiseForOtherPodsIsIgnored() {
    Instant unused = fullAndOvertaken();
    forge(condition -> condition.put("observedGeneration", 77));
    scene.restart();
    scene.settle();
    assertThat(promised()).hasSize(1);
    assertThat(condition()).isEmpty();
  }

  @Test
  void withoutBackfillTheRecordIsRemoved() {
    fullFor100Minutes();
    scene.restart(ControllerOptions.defaults());
    scene.settle();
    assertThat(promised()).isEmpty();
    assertThat(condition()).isEmpty();
  }
}
