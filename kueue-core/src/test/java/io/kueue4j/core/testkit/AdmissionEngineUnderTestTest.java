package io.kueue4j.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import io.kueue4j.core.testkit.WorkloadDecision.Outcome;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** That each call reaches the engine, and that what it answers comes back whole. */
class AdmissionEngineUnderTestTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final EngineUnderTest engine =
      AdmissionEngineUnderTest.create(Settings.defaults(), () -> START);

  AdmissionEngineUnderTestTest() {
    engine.apply(ImmutableList.of(
        ResourceFlavor.of("default"),
        queue(
            4,
            Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build()),
        LocalQueue.of("ns", "q", "q")));
  }

  private static ClusterQueue queue(int cpu, Preemption preemption) {
    return ClusterQueue.builder()
        .name("q")
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("default", ResourceQuota.ofAmount("cpu", cpu * 1000L))))
        .preemption(preemption)
        .build();
  }

  private static Workload job(String name, int cpu, int priority) {
    return Workload.builder()
        .namespace("ns")
        .name(name)
        .queueName("q")
        .priority(priority)
        .creationTime(START)
        .addPodSets(PodSet.builder().requestAmount("cpu", cpu * 1000L).build())
        .build();
  }

  private static WorkloadId id(String name) {
    return WorkloadId.of("ns", name);
  }

  private QueueObservation queue() {
    return Objects.requireNonNull(engine.observe().clusterQueues().get("q"));
  }

  @Test
  void aCycleTellsWhoIsAdmittedWhoHasToStopAndWhoWaits() {
    assertThat(engine.submit(job("low", 3, 0))).isTrue();
    CycleDecisions first = engine.runCycle();
    assertThat(first.admitted()).extracting(Admission::workload).containsExactly(id("low"));
    assertThat(first.evictions()).isEmpty();
    assertThat(first.waiting()).isEmpty();

    engine.submit(job("high", 4, 1));
    CycleDecisions second = engine.runCycle();
    assertThat(second.admitted()).isEmpty();
    assertThat(second.evictions())
        .containsExactly(
            new ObservedPreemption(id("low"), id("high"), PreemptionReason.IN_CLUSTER_QUEUE));
    assertThat(second.waiting()).containsExactly(id("high"));
    assertThat(second.isIdle()).isFalse();
    assertThat(queue())
        .isEqualTo(new QueueObservation(
            true,
            ImmutableSortedMap.of("default/cpu", 3000L),
            ImmutableSortedSet.of(id("low")),
            ImmutableSortedSet.of(id("low")),
            ImmutableList.of(id("high")),
            ImmutableList.of()));

    assertThat(engine.podsStopped(id("high"))).isFalse();
    assertThat(engine.podsStopped(id("low"))).isTrue();
    assertThat(engine.runCycle().admitted())
        .extracting(Admission::workload)
        .containsExactly(id("high"));
    engine.runCycle();
    assertThat(queue().inadmissible()).containsExactly(id("low"));
    assertThat(queue().pending()).isEmpty();
  }

  @Test
  void eachKindOfDecisionOnOneWorkload() {
    WorkloadDecision low = engine.tryAdmit(job("low", 3, 0), false);
    assertThat(low.outcome()).isEqualTo(Outcome.ADMITTED);
    assertThat(low.admission()).map(Admission::workload).contains(id("low"));

    ObservedPreemption eviction =
        new ObservedPreemption(id("low"), id("high"), PreemptionReason.IN_CLUSTER_QUEUE);
    assertThat(engine.tryAdmit(job("high", 4, 1), false))
        .isEqualTo(WorkloadDecision.preempting(id("high"), ImmutableList.of(eviction)));
    assertThat(queue().stopping()).isEmpty();
    engine.tryAdmit(job("high", 4, 1), true);
    assertThat(queue().stopping()).containsExactly(id("low"));

    assertThat(engine.tryAdmit(job("huge", 5, 0), false))
        .isEqualTo(WorkloadDecision.pending(id("huge")));
    Workload wrong =
        Workload.builder().namespace("ns").name("wrong").queueName("q").build();
    assertThat(engine.tryAdmit(wrong, false)).isEqualTo(WorkloadDecision.rejected(id("wrong")));
    assertThat(engine.submit(wrong)).isFalse();
  }

  @Test
  void whatIsReportedReachesTheEngine() {
    engine.submit(job("a", 2, 0));
    assertThat(engine.update(job("a", 1, 0))).isTrue();
    Admission admission = engine.runCycle().admitted().get(0);
    assertThat(queue().usage()).containsExactly(java.util.Map.entry("default/cpu", 1000L));
    assertThat(engine.update(job("a", 2, 0))).isFalse();
    assertThat(engine.admissionRecorded(id("a"))).isTrue();
    assertThat(engine.admissionRecorded(id("b"))).isFalse();

    assertThat(engine.release(id("b"))).isFalse();
    assertThat(engine.release(id("a"))).isTrue();
    engine.restore(job("a", 1, 0), admission);
    assertThat(queue().holding()).containsExactly(id("a"));
    assertThat(engine.finish(id("a"))).isTrue();
    assertThat(engine.finish(id("a"))).isFalse();
    engine.submit(job("b", 1, 0));
    assertThat(engine.delete(id("b"))).isTrue();
    assertThat(engine.delete(id("b"))).isFalse();
    assertThat(queue().usage()).isEmpty();

    assertThatThrownBy(() -> engine.apply(ImmutableList.of(queue(-1, Preemption.never()))))
        .isInstanceOf(InvalidConfigurationException.class);
    engine.apply(ImmutableList.of(Cohort.builder().name("c").build()));
    assertThat(engine.remove(Cohort.class, "c")).isTrue();
    assertThat(engine.remove(Cohort.class, "c")).isFalse();
    assertThat(engine.remove(LocalQueue.class, "ns/q")).isTrue();
    assertThat(engine.remove(LocalQueue.class, "ns/q")).isFalse();
    assertThat(engine.remove(ClusterQueue.class, "q")).isTrue();
    assertThat(engine.remove(ClusterQueue.class, "q")).isFalse();
    assertThat(engine.observe().clusterQueues()).isEmpty();
  }

  @Test
  void anEngineInUseCanBeLookedAt() {
    AdmissionEngine used = AdmissionEngine.create();
    EngineUnderTest observed = AdmissionEngineUnderTest.of(used);
    used.apply(ResourceFlavor.of("default"), queue(4, Preemption.never()));
    assertThat(observed.observe().clusterQueues()).containsOnlyKeys("q");
    assertThat(observed).hasToString(used.toString());
  }
}
