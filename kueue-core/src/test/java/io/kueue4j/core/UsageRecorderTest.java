package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.view.StateView;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Penalties of Kueue 0.19 from the reservation of quota on; rules W-3, W-4, W-5. */
class UsageRecorderTest {
  private static final Instant NOW = Cluster.START;

  private final EngineCore core = new EngineCore(
      InstantSource.fixed(NOW),
      new EngineState(Settings.builder()
          .kueueVersion(KueueVersion.V0_19)
          .admissionFairSharing(AdmissionFairSharing.of(Duration.ofMinutes(10)))
          .build()));
  private final EngineState state = core.state();
  private final WorkloadRecord record;

  UsageRecorderTest() {
    core.configurationChange(NOW)
        .apply(ImmutableList.of(
            ResourceFlavor.of(Cluster.FLAVOR),
            Queues.queue("cq", 8)
                .admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
                .build(),
            LocalQueue.of(Cluster.NAMESPACE, "a", "cq"),
            LocalQueue.of(Cluster.NAMESPACE, "b", "cq")));
    Workload workload = Workload.of(
        Cluster.NAMESPACE,
        "job",
        "a",
        PodSet.builder().requestAmount("cpu", 4000).build());
    record = state.workloads().newRecord(workload, ImmutableSortedMap.of(), NOW);
    state.add(record);
    state.reservations().reserve(record, queue(), Admissions.admission("job", "cq", 4));
    state.fairness().quotaReserved(record, queue(), NOW);
  }

  private QueueState queue() {
    return state.queue("cq").orElseThrow();
  }

  private LocalQueueView view(String localQueue) {
    return Objects.requireNonNull(new StateView(state.fork())
        .localQueues()
        .get(Configuration.localQueueKey(Cluster.NAMESPACE, localQueue)));
  }

  private void change(UnaryOperator<Workload.Builder> change) {
    state.change(record, Cluster.changed(record.workload(), change), NOW);
  }

  private void assertPending(boolean pending) {
    assertThat(view("a").pendingPenalty().isEmpty()).isEqualTo(!pending);
    assertThat(view("a").fairSharingUsage()).hasValue(pending ? 1.171572875 : 0);
    assertThat(view("b").pendingPenalty()).isEmpty();
  }

  @Test
  void aReservationCountsAtOnce() {
    assertPending(true);
    assertThat(view("a").consumed().orElseThrow().resources()).isEmpty();
  }

  @Test
  void admissionMakesItHistory() {
    state.fairness().admitted(record, queue(), NOW);
    assertThat(view("a").pendingPenalty()).isEmpty();
    assertThat(view("a").consumed().orElseThrow().resources()).hasSize(1);
    assertThat(view("a").fairSharingUsage()).hasValue(1.171572875);
  }

  @Test
  void deletionDropsIt() {
    state.reservations().release(record);
    assertPending(true);
    state.forget(record, WorkloadRemoved.Reason.DELETED, NOW);
    assertPending(false);
  }

  @Test
  void evictionAloneKeepsIt() {
    state.reservations().release(record);
    state.pending().enqueue(record, NOW);
    assertPending(true);
    change(workload -> workload.priority(5));
    assertPending(true);
  }

  @Test
  void aMoveToAnotherLocalQueueDropsIt() {
    state.reservations().release(record);
    change(workload -> workload.queueName("b"));
    assertPending(false);
  }

  @Test
  void deactivationDropsItOnceNoQuotaIsHeld() {
    change(workload -> workload.active(false));
    assertPending(true);
    state.reservations().release(record);
    change(workload -> workload.priority(1));
    assertPending(false);
  }
}
