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

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.StopPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The status of a workload with quota through its life, as Kueue stores it, by example. */
class WorkloadStatusLifeTest {
  private final GenericKubernetesResource stored = workload("v1beta2", "w", 4);

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
      // It keeps its assignment until it has stopped.
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
    void aPreemptionIsReportedUntilTheNextReservation() {
      t.run(job("w", 8));
      GenericKubernetesResource running = t.write(stored);
      t.pass(3);
      t.run(job("high", 4, workload -> workload.priority(7).uid("uid-high")));

      GenericKubernetesResource evicted = t.write(running);

      String message = "Preempted to accommodate workload ns/high (UID: uid-high) in ClusterQueue"
          + " cq due to prioritization in the ClusterQueue; preemptor path: /cq;"
          + " preemptee path: /cq";
      assertThat(condition(evicted, "Evicted")).isEqualTo("True Preempted @12:00:03: " + message);
      assertThat(condition(evicted, "Preempted"))
          .isEqualTo("True InClusterQueue @12:00:03: " + message);
      assertThat(condition(evicted, "Admitted")).startsWith("True");

      t.engine.podsStopped(id("w"));
      t.engine.runCycle();
      t.engine.finish(id("high"));
      t.pass(60);
      t.engine.runCycle();
      GenericKubernetesResource back = t.write(evicted);
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
      GenericKubernetesResource evicted = t.write(stored);
      assertThat(condition(evicted, "Evicted")).startsWith("True ClusterQueueStopped");
      t.engine.podsStopped(id("w"));
      assertThat(condition(t.write(evicted), "Requeued")).startsWith("False ClusterQueueStopped");
      t.stopQueue(StopPolicy.NONE);
      assertThat(condition(t.write(evicted), "Requeued")).startsWith("True ClusterQueueRestarted");
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

      GenericKubernetesResource evicted = t.write(running);

      assertThat(status(evicted, "clusterName")).isNull();
      assertThat(status(evicted, "nominatedClusterNames")).isNull();
      assertThat(status(evicted, "unhealthyNodes")).isNull();
      assertThat(status(evicted, "preemptionGates"))
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

    @CanIgnoreReturnValue
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

      GenericKubernetesResource evicted = t.write(stored);

      assertThat(condition(evicted, "Evicted")).startsWith("True PodsReadyTimeout");
      assertThat(status(evicted, "requeueState", "count")).isEqualTo(1);
      assertThat(String.valueOf(status(evicted, "requeueState", "requeueAt")))
          .startsWith("2026-01-31T12:0");
      assertThat(status(evicted, "schedulingStats", "evictions", 0))
          .isEqualTo(
              Map.of("reason", "PodsReadyTimeout", "underlyingCause", "WaitForStart", "count", 1));

      t.engine.podsStopped(id("w"));
      assertThat(condition(t.write(evicted), "Requeued")).startsWith("False PodsReadyTimeout");
      t.pass(3600);
      t.engine.runCycle();
      t.pass(200);
      t.engine.tick();
      GenericKubernetesResource out = t.write(evicted);
      assertThat(condition(out, "Evicted"))
          .startsWith("True DeactivatedDueToRequeuingLimitExceeded");
      assertThat(status(out, "requeueState")).isNull();
    }
  }
}
