package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** An engine with a ClusterQueue {@code cq} of ten cores, its LocalQueue {@code ns/q}, a clock. */
final class TestEngine {
  static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

  final AdmissionEngine engine;
  final Map<WorkloadId, Workload> workloads = new LinkedHashMap<>();
  private Instant now = START;

  TestEngine() {
    this(Settings.defaults(), queue -> queue);
  }

  TestEngine(Settings settings, UnaryOperator<ClusterQueue.Builder> change) {
    engine = AdmissionEngine.builder().settings(settings).clock(() -> now).build();
    engine.apply(
        ResourceFlavor.of("default"),
        Namespace.of("ns", Map.of()),
        change.apply(queue("cq")).build(),
        LocalQueue.of("ns", "q", "cq"));
  }

  /** {@return an engine whose queue requires a check {@code budget}} */
  static TestEngine checking() {
    TestEngine made = new TestEngine(
        Settings.defaults(),
        queue -> queue.addAllAdmissionChecks(
            ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of()))));
    made.engine.apply(AdmissionCheck.of("budget", "example.com/budget"));
    return made;
  }

  static ClusterQueue.Builder queue(String name) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build())
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.of("cpu", "10"))));
  }

  static WorkloadId id(String name) {
    return WorkloadId.of("ns", name);
  }

  static Workload job(String name, int cpu) {
    return job(name, cpu, workload -> workload);
  }

  static Workload job(String name, int cpu, UnaryOperator<Workload.Builder> change) {
    return change
        .apply(Workload.builder()
            .namespace("ns")
            .name(name)
            .queueName("q")
            .creationTime(START)
            .addPodSets(PodSet.builder().requestAmount("cpu", cpu * 1000L).build()))
        .build();
  }

  Instant now() {
    return now;
  }

  void pass(long seconds) {
    now = now.plusSeconds(seconds);
  }

  void submit(Workload workload) {
    workloads.put(workload.id(), workload);
    engine.submit(workload);
  }

  @CanIgnoreReturnValue
  Decisions run(Workload workload) {
    submit(workload);
    return engine.runCycle();
  }

  void update(String name, UnaryOperator<Workload.Builder> change) {
    Workload changed = change
        .apply(Workload.builder().from(Objects.requireNonNull(workloads.get(id(name)))))
        .build();
    workloads.put(changed.id(), changed);
    engine.update(changed);
  }

  void check(String name, CheckState state, String message) {
    engine
        .lifecycle()
        .setCheck(
            id(name),
            AdmissionCheckState.builder()
                .name("budget")
                .state(state)
                .message(message)
                .build());
  }

  @CanIgnoreReturnValue
  Decisions stopQueue(StopPolicy policy) {
    return engine.apply(ClusterQueue.builder()
        .from(engine.view().clusterQueue("cq").orElseThrow().spec())
        .stopPolicy(policy)
        .build());
  }

  GenericKubernetesResource write(GenericKubernetesResource object) {
    WorkloadId id = id(object.getMetadata().getName());
    return KueueObjects.stored(WorkloadStatusWriter.write(
        object,
        Objects.requireNonNull(workloads.get(id)),
        engine.lifecycle().status(id),
        engine.admission(id)));
  }
}
