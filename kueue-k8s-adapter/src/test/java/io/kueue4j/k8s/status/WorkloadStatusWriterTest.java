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
import io.kueue4j.core.Settings;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.SliceFinishReason;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an engine knows of a workload, as Kueue stores it, by example. */
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
          workload -> workload
              .podSets(List.of(
                  PodSet.builder().name("a").count(5).putRequests("cpu", 4500).build(),
                  PodSet.builder().name("b").count(1).build()))
              .putReclaimablePods("a", 2)));
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
              workload.podSets(List.of(PodSet.builder().putRequests("gpu", 1).build()))));
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
  class Checks {
    private final TestEngine t = TestEngine.checking();

    @Test
    void areListedAndKeepItFromBeingAdmitted() {
      t.run(job("w", 4));
      t.pass(7);
      t.check("w", CheckState.PENDING, "asked for");

      GenericKubernetesResource written = t.write(stored);

      assertThat(condition(written, "QuotaReserved")).startsWith("True QuotaReserved");
      assertThat(condition(written, "Admitted"))
          .isEqualTo("False UnsatisfiedAdmissionChecks @12:00:00: "
              + "The workload has not all checks ready");
      assertThat(status(written, "admissionChecks"))
          .isEqualTo(List.of(Map.of(
              "name",
              "budget",
              "state",
              "Pending",
              "lastTransitionTime",
              "2026-01-31T12:00:00Z",
              "message",
              "asked for")));
    }

    @Test
    void retryTellsItToStopAndIsCounted() {
      t.run(job("w", 4));
      t.pass(1);
      t.check("w", CheckState.RETRY, "no money");

      GenericKubernetesResource evicted = t.write(stored);

      assertThat(condition(evicted, "Evicted")).startsWith("True AdmissionCheck @12:00:01");
      assertThat(status(evicted, "schedulingStats", "evictions"))
          .isEqualTo(
              List.of(Map.of("reason", "AdmissionCheck", "underlyingCause", "", "count", 1)));
      assertThat(status(evicted, "admissionChecks", 0, "retryCount")).isEqualTo(1);

      t.engine.podsStopped(id("w"));
      GenericKubernetesResource waiting = t.write(evicted);
      assertThat(condition(waiting, "Admitted")).startsWith("False NoReservation");
      assertThat(condition(waiting, "Requeued")).startsWith("True BackoffFinished");
      assertThat(status(waiting, "admission")).isNull();
    }

    @Test
    void rejectionDeactivates() {
      t.run(job("w", 4));
      GenericKubernetesResource reserved = t.write(stored);
      GenericKubernetesResource asked = ObjectConditions.set(
          reserved, WorkloadStatusWriter.DEACTIVATION_TARGET, true, "AdmissionCheck", "", START);
      t.pass(1);
      t.check("w", CheckState.REJECTED, "never");
      t.update("w", workload -> workload.active(false));

      GenericKubernetesResource written = t.write(asked);

      assertThat(condition(written, "Evicted"))
          .startsWith("True DeactivatedDueToAdmissionCheck @12:00:01");
      assertThat(condition(written, "DeactivationTarget")).isEmpty();
      // It keeps what it runs on until it has stopped.
      assertThat(condition(written, "QuotaReserved")).startsWith("True");
      assertThat(status(written, "admission")).isEqualTo(status(reserved, "admission"));

      t.engine.podsStopped(id("w"));
      GenericKubernetesResource out = t.write(written);
      assertThat(status(out, "admission")).isNull();
      assertThat(condition(out, "Requeued"))
          .startsWith("False DeactivatedDueToAdmissionCheck @12:00:01");
    }
  }

  @Nested
  class Evictions {
    private final TestEngine t = new TestEngine();

    @Test
    void aPreemptionIsToldAndOverWithTheNextReservation() {
      t.run(job("w", 8));
      GenericKubernetesResource running = t.write(stored);
      t.pass(3);
      t.run(job("high", 4, workload -> workload.priority(7).uid("uid-high")));

      GenericKubernetesResource told = t.write(running);

      String message = "Preempted to accommodate workload ns/high (UID: uid-high) in ClusterQueue"
          + " cq due to prioritization in the ClusterQueue; preemptor path: /cq;"
          + " preemptee path: /cq";
      assertThat(condition(told, "Evicted")).isEqualTo("True Preempted @12:00:03: " + message);
      assertThat(condition(told, "Preempted"))
          .isEqualTo("True InClusterQueue @12:00:03: " + message);
      assertThat(condition(told, "Admitted")).startsWith("True");

      t.engine.podsStopped(id("w"));
      t.engine.runCycle();
      t.engine.finish(id("high"));
      t.pass(60);
      t.engine.runCycle();
      GenericKubernetesResource back = t.write(told);
      assertThat(condition(back, "Evicted"))
          .isEqualTo("False QuotaReserved @12:01:03: Previously: " + message);
      assertThat(condition(back, "Preempted"))
          .isEqualTo("False QuotaReserved @12:01:03: Previously: " + message);
      assertThat(condition(back, "Requeued")).startsWith("True Preempted @12:00:03");
      assertThat(condition(back, "QuotaReserved")).startsWith("True QuotaReserved @12:01:03");
      assertThat(status(back, "accumulatedPastExecutionTimeSeconds")).isEqualTo(3);
    }

    @Test
    void theTimeForWhichItRanHasTwoNames() {
      t.run(job("w", 8));
      t.pass(90);
      t.engine.lifecycle().evict(id("w"), EvictionReason.NODE_FAILURES, "gone");
      t.engine.podsStopped(id("w"));

      assertThat(
              status(t.write(workload("v1beta1", "w", 8)), "accumulatedPastExexcutionTimeSeconds"))
          .isEqualTo(90);
    }

    @Test
    void drainsSayWhichQueueWasStopped() {
      t.run(job("w", 4));
      t.stopQueue(StopPolicy.HOLD_AND_DRAIN);
      GenericKubernetesResource told = t.write(stored);
      assertThat(condition(told, "Evicted")).startsWith("True ClusterQueueStopped");
      t.engine.podsStopped(id("w"));
      assertThat(condition(t.write(told), "Requeued")).startsWith("False ClusterQueueStopped");
      t.stopQueue(StopPolicy.NONE);
      assertThat(condition(t.write(told), "Requeued")).startsWith("True ClusterQueueRestarted");
    }

    @ParameterizedTest
    @EnumSource(
        value = EvictionReason.class,
        names = {"PREEMPTED", "DEACTIVATED"},
        mode = EnumSource.Mode.EXCLUDE)
    void everyReasonIsWrittenAsKueueWritesIt(EvictionReason reason) {
      t.run(job("w", 4));
      t.engine.lifecycle().evict(id("w"), reason, "because");
      assertThat(condition(t.write(stored), "Evicted"))
          .isEqualTo("True " + reason + " @12:00:00: because");
    }

    @Test
    void reactivationIsSaid() {
      t.run(job("w", 4));
      t.update("w", workload -> workload.active(false));
      t.engine.podsStopped(id("w"));
      t.update("w", workload -> workload.active(true));
      assertThat(condition(t.write(stored), "Requeued")).startsWith("True Reactivated");
    }

    @Test
    void whatOthersWroteForTheAdmissionIsTakenBack() {
      t.run(job("w", 4));
      GenericKubernetesResource running = t.write(object("""
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: w, namespace: ns}
          status:
            nominatedClusterNames: [a, b]
            clusterName: a
            unhealthyNodes: [{name: n1}]
            preemptionGates:
            - {name: one, position: Open, lastTransitionTime: "2026-01-30T00:00:00Z"}
            - {name: two, position: Closed, lastTransitionTime: "2026-01-30T00:00:00Z"}
          """));
      assertThat(status(running, "clusterName")).isEqualTo("a");
      assertThat(status(running, "preemptionGates", 0, "position")).isEqualTo("Open");
      t.pass(9);
      t.engine.lifecycle().evict(id("w"), EvictionReason.NODE_FAILURES, "gone");

      GenericKubernetesResource told = t.write(running);

      assertThat(status(told, "clusterName")).isNull();
      assertThat(status(told, "nominatedClusterNames")).isNull();
      assertThat(status(told, "unhealthyNodes")).isNull();
      assertThat(status(told, "preemptionGates"))
          .isEqualTo(List.of(
              Map.of(
                  "name",
                  "one",
                  "position",
                  "Closed",
                  "lastTransitionTime",
                  "2026-01-31T12:00:09Z"),
              Map.of(
                  "name",
                  "two",
                  "position",
                  "Closed",
                  "lastTransitionTime",
                  "2026-01-30T00:00:00Z")));
    }
  }

  @Nested
  class PodsReady {
    private final TestEngine t = new TestEngine(
        Settings.builder()
            .podsReady(PodsReadyPolicy.builder()
                .timeout(Duration.ofSeconds(100))
                .recoveryTimeout(Duration.ofSeconds(50))
                .backoffLimitCount(1)
                .build())
            .build(),
        queue -> queue);

    private String ready(boolean ready) {
      t.pass(1);
      t.engine.lifecycle().setPodsReady(id("w"), ready);
      return condition(t.write(stored), "PodsReady");
    }

    @Test
    void goesThroughItsReasons() {
      t.run(job("w", 4));
      assertThat(ready(false)).startsWith("False WaitForStart @12:00:01");
      assertThat(ready(true)).startsWith("True Started @12:00:02");
      assertThat(ready(false)).startsWith("False WaitForRecovery @12:00:03");
      assertThat(ready(false)).startsWith("False WaitForRecovery @12:00:03");
      assertThat(ready(true)).startsWith("True Recovered @12:00:05");
    }

    @Test
    void aTimeoutIsCountedAndWaitsThenDeactivates() {
      t.run(job("w", 4));
      ready(false);
      t.pass(200);
      t.engine.tick();

      GenericKubernetesResource told = t.write(stored);

      assertThat(condition(told, "Evicted")).startsWith("True PodsReadyTimeout");
      assertThat(status(told, "requeueState", "count")).isEqualTo(1);
      assertThat(String.valueOf(status(told, "requeueState", "requeueAt")))
          .startsWith("2026-01-31T12:0");
      assertThat(status(told, "schedulingStats", "evictions", 0))
          .isEqualTo(
              Map.of("reason", "PodsReadyTimeout", "underlyingCause", "WaitForStart", "count", 1));

      t.engine.podsStopped(id("w"));
      assertThat(condition(t.write(told), "Requeued")).startsWith("False PodsReadyTimeout");
      t.pass(3600);
      t.engine.runCycle();
      t.pass(200);
      t.engine.tick();
      GenericKubernetesResource out = t.write(told);
      assertThat(condition(out, "Evicted"))
          .startsWith("True DeactivatedDueToRequeuingLimitExceeded");
      assertThat(status(out, "requeueState")).isNull();
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
      // The engine was rebuilt from less than what is stored.
      assertThat(condition(t.write(later), "Admitted")).startsWith("True Admitted @12:00:30");
      GenericKubernetesResource earlier =
          ObjectConditions.set(stored, "Admitted", true, "Admitted", "", START.minusSeconds(30));
      // Between two writes it was told to stop and has come back.
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
      t.update("w", workload -> workload.putReclaimablePods("main", 1));
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
  @EnumSource(FinishReason.class)
  void theFirstFinishCounts(FinishReason reason) {
    GenericKubernetesResource finished =
        WorkloadStatusWriter.finish(stored, reason, "Job finished successfully", START);
    assertThat(condition(finished, "Finished"))
        .isEqualTo("True " + reason + " @12:00:00: Job finished successfully");
    assertThat(WorkloadStatusWriter.finish(finished, FinishReason.FAILED, "late", START))
        .isSameAs(finished);
  }

  @ParameterizedTest
  @EnumSource(SliceFinishReason.class)
  void slicesFinishForTheReasonsOfTheEngine(SliceFinishReason reason) {
    assertThat(FinishReason.of(reason)).hasToString(reason.toString());
  }
}
