package io.kueue4j.examples.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TracingListenerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetry openTelemetry = OpenTelemetrySdk.builder()
      .setTracerProvider(SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(exporter))
          .build())
      .build();
  private final TracingListener tracing = new TracingListener(openTelemetry);
  private final List<Throwable> failures = new ArrayList<>();
  private final AdmissionEngine engine = AdmissionEngine.builder()
      .clock(() -> NOW)
      .listener(tracing, failures::add)
      .build();

  TracingListenerTest() {
    engine.apply(
        ResourceFlavor.of("spot"), queue().build(), LocalQueue.of("team", "queue", "research"));
  }

  @AfterEach
  void nothingFailed() {
    assertThat(failures).isEmpty();
  }

  private static ClusterQueue.Builder queue() {
    return ClusterQueue.builder()
        .name("research")
        .namespaceSelector(LabelSelector.everything())
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.of("cpu", "4"))));
  }

  private static Workload job(String name, int priority, int cpu) {
    return job(name, "queue", priority, cpu);
  }

  private static Workload job(String name, String queue, int priority, int cpu) {
    return Workload.builder()
        .namespace("team")
        .name(name)
        .queueName(queue)
        .priority(priority)
        .creationTime(NOW)
        .addPodSets(PodSet.builder().count(cpu).request("cpu", "1").build())
        .build();
  }

  private SpanData only(String name) {
    assertThat(exporter.getFinishedSpanItems())
        .filteredOn(span -> span.getName().equals(name))
        .hasSize(1);
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Decisions cycle() {
    return tracing.trace("kueue.cycle", engine, AdmissionEngine::runCycle);
  }

  @Test
  void aCycleIsTheParentOfItsDecisions() {
    engine.submit(job("train", 0, 3));
    Decisions decisions = cycle();

    SpanData cycle = only("kueue.cycle");
    assertThat(decisions.admitted()).hasSize(1);
    assertThat(cycle.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(cycle.getAttributes().get(TracingListener.ADMITTED)).isEqualTo(1);
    SpanData admitted = only("kueue.admitted");
    assertThat(admitted.getParentSpanId()).isEqualTo(cycle.getSpanId());
    assertThat(admitted.getAttributes().get(TracingListener.WORKLOAD)).isEqualTo("team/train");
    assertThat(admitted.getAttributes().get(TracingListener.CLUSTER_QUEUE)).isEqualTo("research");
    assertThat(admitted.getAttributes().get(TracingListener.FLAVORS))
        .containsExactly("main/cpu=spot");
  }

  @Test
  void whatWaitsHasItsReasons() {
    engine.submit(job("large", 0, 5));
    cycle();

    SpanData pending = only("kueue.pending");
    assertThat(pending.getAttributes().get(TracingListener.CAUSE)).isEqualTo("ExceedsMaxQuota");
    assertThat(pending.getAttributes().get(TracingListener.CLUSTER_QUEUE)).isEqualTo("research");
    assertThat(pending.getAttributes().get(TracingListener.REASONS))
        .singleElement()
        .asString()
        .contains("cpu in flavor spot: requests 5");
    assertThat(only("kueue.cycle").getAttributes().get(TracingListener.PENDING)).isEqualTo(1);
  }

  @Test
  void whatIsPreemptedNamesItsPreemptor() {
    engine.submit(job("low", 0, 3));
    engine.runCycle();
    exporter.reset();
    engine.submit(job("high", 1, 3));
    cycle();

    SpanData preempted = only("kueue.preempted");
    assertThat(preempted.getParentSpanId()).isEqualTo(only("kueue.cycle").getSpanId());
    assertThat(preempted.getAttributes().get(TracingListener.WORKLOAD)).isEqualTo("team/low");
    assertThat(preempted.getAttributes().get(TracingListener.CLUSTER_QUEUE)).isEqualTo("research");
    assertThat(preempted.getAttributes().get(TracingListener.PREEMPTOR)).isEqualTo("team/high");
    assertThat(preempted.getAttributes().get(TracingListener.CAUSE)).isEqualTo("InClusterQueue");
    assertThat(only("kueue.cycle").getAttributes().get(TracingListener.MUST_STOP))
        .isEqualTo(1);
  }

  /** Two of one cohort that both need the quota of a third. */
  @Test
  void aConflictIsAnEventOfItsCycle() {
    Preemption reclaim =
        Preemption.builder().reclaimWithinCohort(Preemption.Policy.ANY).build();
    engine.apply(
        queue().cohort("all").build(),
        queue().name("first").cohort("all").preemption(reclaim).build(),
        queue().name("second").cohort("all").preemption(reclaim).build(),
        LocalQueue.of("team", "first", "first"),
        LocalQueue.of("team", "second", "second"));
    engine.submit(job("borrower", 0, 12));
    engine.runCycle();
    exporter.reset();
    engine.submit(job("one", "first", 0, 4));
    engine.submit(job("two", "second", 0, 4));
    cycle();

    assertThat(only("kueue.cycle").getEvents()).singleElement().satisfies(event -> {
      assertThat(event.getAttributes().get(TracingListener.WORKLOAD)).isEqualTo("team/two");
      assertThat(event.getAttributes().get(TracingListener.CLUSTER_QUEUE)).isEqualTo("second");
    });
  }

  /** Without trace, and below the span of the caller. */
  @Test
  void aCallThatDecidesHasASpanOfItsOwn() {
    engine.submit(job("train", 0, 3));
    engine.runCycle();
    exporter.reset();
    Span request = openTelemetry.getTracer("test").spanBuilder("request").startSpan();
    ClusterQueue stopped = queue().stopPolicy(StopPolicy.HOLD_AND_DRAIN).build();
    Decisions decisions = Context.current()
        .with(request)
        .wrapSupplier(() -> engine.apply(stopped))
        .get();
    assertThat(decisions.evicted()).hasSize(1);

    SpanData call = only("kueue.call");
    assertThat(call.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
    SpanData evicted = only("kueue.evicted");
    assertThat(evicted.getParentSpanId()).isEqualTo(call.getSpanId());
    assertThat(evicted.getAttributes().get(TracingListener.CAUSE)).isEqualTo("ClusterQueueStopped");
  }

  @Test
  void aRemovalNamesItsReason() {
    engine.submit(job("train", 0, 3));
    engine.finish(WorkloadId.of("team", "train"));

    assertThat(only("kueue.removed").getAttributes().get(TracingListener.CAUSE))
        .isEqualTo("FINISHED");
  }

  @Test
  void aPromiseHasASpanOfItsOwnKind() {
    Decision promise = new Decision.PromiseChange(
        WorkloadId.of("team", "train"), Optional.empty(), Optional.empty(), "a node was lost");
    tracing.decided(Decisions.of(List.of(promise)));

    assertThat(only("kueue.promise_changed").getAttributes().get(TracingListener.MESSAGE))
        .isEqualTo("a node was lost");
  }

  @Test
  void aCallThatFailsIsMarked() {
    assertThatThrownBy(() -> tracing.trace("kueue.restore", engine, any -> {
          throw new IllegalStateException("no such queue");
        }))
        .isInstanceOf(IllegalStateException.class);

    SpanData span = only("kueue.restore");
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getEvents()).hasSize(1);
  }
}
