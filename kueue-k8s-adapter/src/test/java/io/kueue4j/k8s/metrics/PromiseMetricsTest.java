package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The metrics of promised starts. */
class PromiseMetricsTest extends MeteredEngine {
  /** Lets a queue of four cores promise one start: three cores are in use for 100 seconds. */
  private void setUp() {
    engine = AdmissionEngine.builder()
        .clock(() -> now)
        .settings(Settings.builder().backfill(Backfill.ofDepth(1)).build())
        .listener(metrics, failures::add)
        .build();
    engine.apply(ResourceFlavor.of("spot"), new WorkloadPriorityClass("high", 100));
    queue("q", 4);
    submit("first", 3, 100);
    submit("big", 4, 50);
  }

  private void submit(String name, int cpu, long seconds) {
    engine.submit(
        job(name, "q", cpu, job -> job.maximumExecutionTime(Duration.ofSeconds(seconds))));
    cycle();
  }

  private @Nullable Double promises(String series) {
    metrics.refresh(engine);
    return sink.value("kueue4j_" + series);
  }

  private @Nullable Double changes(String change) {
    return promises("promise_changes_total{cluster_queue=q,change=" + change + "}");
  }

  private @Nullable Double starts(String result) {
    return promises("promised_starts_total{cluster_queue=q,result=" + result + "}");
  }

  @Test
  void aKeptPromiseIsCounted() {
    setUp();
    assertThat(changes("made")).isEqualTo(1);
    assertThat(promises("promised_workloads{cluster_queue=q}")).isEqualTo(1);
    pass(60);
    engine.finish(id("first"));
    cycle();
    assertThat(starts("kept")).isEqualTo(1);
    assertThat(starts("late")).isNull();
    assertThat(changes("earlier")).isEqualTo(1);
    assertThat(promises("promised_workloads{cluster_queue=q}")).isZero();
    assertThat(failures).isEmpty();
  }

  @Test
  void aPromiseThatMovesToALaterTimeIsCountedWithTheDelay() {
    setUp();
    pass(10);
    engine.submit(job(
        "urgent", "q", 1, job -> job.priority(100).maximumExecutionTime(Duration.ofMinutes(2))));
    cycle();
    cycle();
    assertThat(changes("later")).isEqualTo(1);
    assertThat(sink.observed("kueue4j_promise_delay_seconds{cluster_queue=q}"))
        .containsExactly(30.0);
    pass(120);
    engine.finish(id("first"));
    engine.finish(id("urgent"));
    cycle();
    assertThat(starts("late")).isEqualTo(1);
    assertThat(starts("kept")).isNull();
  }

  @Test
  void aWithdrawnPromiseIsCounted() {
    setUp();
    engine.submit(job(
        "urgent", "q", 4, job -> job.priority(100).maximumExecutionTime(Duration.ofSeconds(50))));
    cycle();
    cycle();
    assertThat(changes("made")).isEqualTo(2);
    assertThat(changes("withdrawn")).isEqualTo(1);
    assertThat(promises("promised_workloads{cluster_queue=q}")).isEqualTo(1);
  }

  @Test
  void aPromiseFromBeforeARestartIsKeptOrLate() {
    setUp();
    Promise promise = engine.promises().get(0);
    metrics = KueueMetrics.builder(sink).build();
    metrics.promiseRestored(promise);
    engine = AdmissionEngine.builder()
        .clock(() -> now)
        .settings(engine.settings())
        .listener(metrics, failures::add)
        .build();
    engine.apply(ResourceFlavor.of("spot"));
    queue("q", 4);
    submit("big", 4, 50);
    assertThat(starts("kept")).isEqualTo(1);
  }

  @Test
  void withoutBackfillNothingIsWritten() {
    queue("q", 4);
    submit("first", 3, 100);
    submit("big", 4, 50);
    metrics.refresh(engine);
    assertThat(sink.seriesWith("kueue4j_")).isEmpty();
  }
}
