package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.KueueObjects.condition;
import static io.kueue4j.k8s.status.KueueObjects.object;
import static io.kueue4j.k8s.status.KueueObjects.status;
import static io.kueue4j.k8s.status.KueueObjects.stored;
import static io.kueue4j.k8s.status.KueueObjects.workload;
import static io.kueue4j.k8s.status.TestEngine.START;
import static io.kueue4j.k8s.status.TestEngine.id;
import static io.kueue4j.k8s.status.TestEngine.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The status of a workload, as Kueue stores it, by example. */
class WorkloadStatusWriterTest {
  private final GenericKubernetesResource stored = workload("v1beta2", "w", 4);

  @Nested
  class QuotaReserved {
    private final TestEngine t = new TestEngine();

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1beta2"})
    void isTrueTogetherWithTheAdmission(String version) {
      t.run(job("w", 4));

      GenericKubernetesResource written = t.write(workload(version, "w", 4));

      assertThat(condition(written, "QuotaReserved"))
          .isEqualTo("True QuotaReserved @12:00:00: Quota reserved in ClusterQueue cq");
      assertThat(condition(written, "Admitted"))
          .isEqualTo("True Admitted @12:00:00: The workload is admitted by ClusterQueue cq");
      assertThat(status(written, "conditions", 0, "observedGeneration")).isEqualTo(3);
      assertThat(status(written, "admission"))
          .isEqualTo(Map.of(
              "clusterQueue",
              "cq",
              "podSetAssignments",
              List.of(Map.of(
                  "name",
                  "main",
                  "flavors",
                  Map.of("cpu", "default"),
                  "resourceUsage",
                  Map.of("cpu", "4"),
                  "count",
                  1))));
      assertThat(status(written, "resourceRequests")).isNull();
    }

    @Test
    void isFalseWithTheReasonsAndTheRequestsOfWhatWaits() {
      t.run(job("big", 8));
      t.pass(5);
      t.run(job("w", 4));

      GenericKubernetesResource written = t.write(stored);

      assertThat(condition(written, "QuotaReserved"))
          .startsWith("False WaitingForQuota @12:00:05: pod set main: cpu in flavor default:");
      assertThat(condition(written, "Admitted")).isEmpty();
      assertThat(status(written, "admission")).isNull();
      assertThat(status(written, "resourceRequests"))
          .isEqualTo(List.of(Map.of("name", "main", "resources", Map.of("cpu", "4"))));
    }

    @Test
    void theRequestsAreOfAllPodsButThoseThatAreReclaimable() {
      t.run(job(
          "w",
          0,
          workload -> workload.podSets(List.of(
              PodSet.builder().name("a").count(5).requestAmount("cpu", 4500).build(),
              PodSet.builder().name("b").count(1).build()))));
      t.engine.lifecycle().setReclaimablePods(id("w"), Map.of("a", 2));
      assertThat(status(t.write(stored), "resourceRequests"))
          .isEqualTo(List.of(
              Map.of("name", "a", "resources", Map.of("cpu", "13500m")), Map.of("name", "b")));
    }

    @Test
    void saysThatMoreIsAskedThanThereIs() {
      t.run(job("w", 11));
      assertThat(condition(t.write(stored), "QuotaReserved")).startsWith("False ExceedsMaxQuota");
    }

    @Test
    void saysThatNoFlavorTakesThePods() {
      t.run(job(
          "w",
          0,
          workload ->
              workload.podSets(List.of(PodSet.builder().requestAmount("gpu", 1).build()))));
      assertThat(condition(t.write(stored), "QuotaReserved")).startsWith("False NoMatchingFlavor");
    }

    @Test
    void saysThatItHasNotBeenTried() {
      t.submit(job("w", 1));
      assertThat(condition(t.write(stored), "QuotaReserved"))
          .isEqualTo("False PendingEvaluation @12:00:00: queued in ClusterQueue cq");
    }

    @Test
    void saysThatTheQueueDoesNotExist() {
      t.run(job("w", 1, workload -> workload.queueName("unknown")));
      assertThat(condition(t.write(stored), "QuotaReserved")).startsWith("False Misconfigured");
    }

    @Test
    void saysThatTheQueueIsStopped() {
      t.stopQueue(StopPolicy.HOLD);
      t.run(job("w", 1));
      assertThat(condition(t.write(stored), "QuotaReserved")).startsWith("False Suspended");
    }

    @Test
    void saysThatGatesKeepItOut() {
      t.run(job("w", 1, workload -> workload.addAllAdmissionGates(List.of("example.com/quota"))));
      assertThat(condition(t.write(stored), "QuotaReserved"))
          .startsWith("False AdmissionGated @12:00:00: ")
          .contains("example.com/quota");
    }

    @Test
    void saysThatItIsOutOfAction() {
      t.run(job("w", 1, workload -> workload.active(false)));
      assertThat(condition(t.write(stored), "QuotaReserved")).startsWith("False Deactivated");
    }

    @Test
    void saysThatItIsOnHold() {
      t.submit(job("w", 1));
      t.engine.lifecycle().setOnHold(id("w"), true);
      assertThat(condition(t.write(stored), "QuotaReserved")).startsWith("False OnHold");
    }

    @Test
    void saysThatItWaitsForItsVictims() {
      t.run(job("low", 8));
      t.run(job("w", 4, workload -> workload.priority(7)));
      assertThat(condition(t.write(stored), "QuotaReserved"))
          .startsWith("False WaitingForPreemptedWorkloads");
    }

    @Test
    void saysThatItWaitsForPodsOfOthers() {
      TestEngine blocking = new TestEngine(
          Settings.builder()
              .podsReady(PodsReadyPolicy.builder().blockAdmission(true).build())
              .build(),
          queue -> queue);
      blocking.run(job("first", 1));
      blocking.run(job("w", 1));
      assertThat(condition(blocking.write(stored), "QuotaReserved"))
          .startsWith("False WaitingForPodsReady");
    }

    @Test
    void theTimeOfWaitingIsTheStoredOne() {
      GenericKubernetesResource waiting = object("""
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: w, namespace: ns}
          status:
            conditions:
            - {type: QuotaReserved, status: "False", reason: Pending, message: m,
               lastTransitionTime: "2026-01-30T08:00:00Z"}
          """);
      t.submit(job("w", 1));
      assertThat(condition(t.write(waiting), "QuotaReserved"))
          .startsWith("False PendingEvaluation @08:00:00");
    }
  }

  @Nested
  class Merging {
    private final TestEngine t = new TestEngine();

    @Test
    void whatTheEngineDoesNotKnowStays() {
      GenericKubernetesResource foreign = object("""
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: w, namespace: ns}
          spec: {queueName: q}
          status:
            conditions:
            - {type: WaitingForReplacementPods, status: "True", reason: PodsFailed, message: m,
               lastTransitionTime: "2026-01-30T08:00:00Z"}
            clusterName: other
            future: {field: [1]}
            schedulingStats: {more: 1}
            resourceRequests: [{name: main}]
          """);
      GenericKubernetesResource before = stored(foreign);
      t.run(job("w", 4));

      GenericKubernetesResource written = t.write(foreign);

      assertThat(condition(written, "WaitingForReplacementPods"))
          .isEqualTo("True PodsFailed @08:00:00: m");
      assertThat(status(written, "conditions", 0, "type")).isEqualTo("WaitingForReplacementPods");
      assertThat(status(written, "clusterName")).isEqualTo("other");
      assertThat(status(written, "future")).isEqualTo(Map.of("field", List.of(1)));
      assertThat(status(written, "schedulingStats")).isEqualTo(Map.of("more", 1));
      assertThat(status(written, "resourceRequests")).isNull();
      assertThat(foreign).isEqualTo(before);
      assertThat(written.getMetadata()).isEqualTo(foreign.getMetadata());
      assertThat(written.getAdditionalProperties().get("spec"))
          .isEqualTo(foreign.getAdditionalProperties().get("spec"));
    }

    @Test
    void nothingNewIsAnEqualObject() {
      t.run(job("w", 4));
      GenericKubernetesResource written = t.write(stored);
      t.pass(1000);
      assertThat(t.write(written)).isEqualTo(written).isNotEqualTo(stored);
    }

    @Test
    void aTimeMovesOnlyWithTheStatus() {
      t.run(job("w", 4));
      GenericKubernetesResource later =
          ObjectConditions.set(stored, "Admitted", true, "Admitted", "", START.plusSeconds(30));
      // The engine was restored from older objects than those in storage.
      assertThat(condition(t.write(later), "Admitted")).startsWith("True Admitted @12:00:30");
      GenericKubernetesResource earlier =
          ObjectConditions.set(stored, "Admitted", true, "Admitted", "", START.minusSeconds(30));
      // Between two writes it was evicted and requeued.
      assertThat(condition(t.write(earlier), "Admitted")).startsWith("True Admitted @12:00:00");
    }

    @Test
    void whatTheEngineDoesNotSayIsNotTrue() {
      GenericKubernetesResource stale = object("""
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: w, namespace: ns}
          status:
            conditions:
            - {type: Evicted, status: "True", reason: Preempted}
            - {type: Preempted, status: "False", reason: QuotaReserved, message: kept,
               lastTransitionTime: "2026-01-30T08:00:00Z"}
            - {type: PodsReady, status: "True", reason: Started, message: kept,
               lastTransitionTime: "2026-01-30T08:00:00Z"}
          """);
      t.run(job("w", 4));

      GenericKubernetesResource written = t.write(stale);

      assertThat(condition(written, "Evicted")).isEmpty();
      assertThat(condition(written, "Preempted")).isEqualTo("False QuotaReserved @08:00:00: kept");
      assertThat(condition(written, "PodsReady")).isEqualTo("True Started @08:00:00: kept");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1beta2"})
    void failedNodesAreListedWhileAnotherPlaceIsSearched(String version) {
      t.run(job("w", 4));
      GenericKubernetesResource running = t.write(workload(version, "w", 4));
      WorkloadStatus known = t.engine.lifecycle().status(id("w"));
      Workload workload = job("w", 4);
      GenericKubernetesResource failing = WorkloadStatusWriter.write(
          running,
          workload,
          WorkloadStatus.builder().from(known).addUnhealthyNodes("n1").build(),
          t.engine.admission(id("w")));
      assertThat(status(failing, "unhealthyNodes")).isEqualTo(List.of(Map.of("name", "n1")));
      assertThat(WorkloadStatusWriter.write(failing, workload, known, t.engine.admission(id("w"))))
          .isEqualTo(running);
    }

    @Test
    void longMessagesAreCut() {
      t.run(job("w", 4));
      t.engine.lifecycle().evict(id("w"), EvictionReason.NODE_FAILURES, "ä".repeat(20_000));
      String message = condition(t.write(stored), "Evicted");
      assertThat(message).hasSizeLessThan(16_500).endsWith("ä ...");
    }

    @Test
    void reclaimablePodsAreListed() {
      t.run(job("w", 4));
      t.engine.lifecycle().setReclaimablePods(id("w"), Map.of("main", 1));
      assertThat(status(t.write(stored), "reclaimablePods"))
          .isEqualTo(List.of(Map.of("name", "main", "count", 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kueue.x-k8s.io/v1alpha2", "batch/v1", "kueue.x-k8s.io/v2"})
    void otherVersionsAreRefused(String apiVersion) {
      GenericKubernetesResource other = stored(stored);
      other.setApiVersion(apiVersion);
      assertThatThrownBy(() -> WorkloadStatusWriter.write(
              other, job("w", 1), WorkloadStatus.empty(), Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("given an object of " + apiVersion
              + "; expected one of kueue.x-k8s.io/v1beta1 or kueue.x-k8s.io/v1beta2");
    }
  }

  @ParameterizedTest
  @EnumSource(WorkloadStatusWriter.FinishReason.class)
  void theFirstFinishCounts(WorkloadStatusWriter.FinishReason reason) {
    GenericKubernetesResource finished =
        WorkloadStatusWriter.finish(stored, reason, "Job finished successfully", START);
    assertThat(condition(finished, "Finished"))
        .isEqualTo("True " + reason + " @12:00:00: Job finished successfully");
    assertThat(WorkloadStatusWriter.finish(
            finished, WorkloadStatusWriter.FinishReason.FAILED, "late", START))
        .isSameAs(finished);
  }

  @ParameterizedTest
  @EnumSource(FinishedSlice.Reason.class)
  void slicesFinishForTheReasonsOfTheEngine(FinishedSlice.Reason reason) {
    assertThat(WorkloadStatusWriter.FinishReason.of(reason)).hasToString(reason.toString());
  }
}
