package io.kueue4j.k8s.internal.kueue;

import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.FULL;
import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.MINIMAL;
import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.assertProblem;
import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import io.kueue4j.core.model.WorkloadStatus.PreemptionGateState;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The history of a workload, as read from its status. */
class WorkloadHistoryReaderTest {
  @Test
  void aReservationWithoutAdmissionIsAProblem() {
    assertProblem(MINIMAL + """
        status:
          conditions:
          - {type: QuotaReserved, status: "True", lastTransitionTime: "2026-01-31T11:00:00Z"}
        """)
        .hasMessageContaining("QuotaReserved is True but there is no admission");
  }

  private static String evicted(String condition) {
    return FULL.replace("  conditions:\n", """
          conditions:
          - {type: Evicted, status: "True", lastTransitionTime: "2026-01-31T12:10:00Z", reason: Preempted}
          - {type: Preempted, %s}
        """.formatted(condition));
  }

  @Test
  void readsWhoWasToldToStopAndStillHoldsItsQuota() {
    ImportedWorkload imported = read(
        evicted(
            "status: \"True\", lastTransitionTime: \"2026-01-31T12:10:00Z\", reason: InCohortReclamation"));

    assertThat(imported.admission()).isPresent();
    assertThat(imported.preempted())
        .hasValue(new PreemptedCondition(
            PreemptionReason.IN_COHORT_RECLAMATION, Instant.parse("2026-01-31T12:10:00Z")));
  }

  @Test
  void noneIsEvictedThatHoldsNoQuotaOrRunsAgain() {
    String fields =
        "status: \"True\", lastTransitionTime: \"2026-01-31T12:10:00Z\", reason: InClusterQueue";
    String stopped = MINIMAL + """
        status:
          conditions:
          - {type: Evicted, status: "True", reason: Preempted}
          - {type: Preempted, FIELDS}
        """.replace("FIELDS", fields);

    assertThat(read(stopped).preempted()).isEmpty();
    assertThat(read(evicted("status: \"False\"")).preempted()).isEmpty();
    assertThat(read(evicted(fields)
                .replace("type: Evicted, status: \"True\"", "type: Evicted, status: \"False\""))
            .preempted())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      status: "True", reason: InClusterQueue | lastTransitionTime: missing; expected reason and time of the eviction
      status: "True", lastTransitionTime: "2026-01-31T12:10:00Z" | reason: missing; expected reason and time of the eviction
      status: "True", lastTransitionTime: "2026-01-31T12:10:00Z", reason: InClusterQueu | reason: "InClusterQueu"; expected one of InClusterQueue,
      """)
  void whoWasToldToStopWasToldWhyAndWhen(String condition, String problem) {
    assertProblem(evicted(condition)).hasMessageContaining("status.conditions[1]." + problem);
  }

  @Test
  void readsThePositionsOfPreemptionGates() {
    String gates = MINIMAL + """
        status:
          preemptionGates:
          - {name: shut, position: Closed, lastTransitionTime: "2026-01-31T11:00:00Z"}
          - {name: open, position: Open, lastTransitionTime: "2026-01-31T11:30:00Z"}
        """;
    assertThat(read(gates).status().preemptionGates())
        .containsExactly(
            new PreemptionGateState("open", true, Instant.parse("2026-01-31T11:30:00Z")),
            new PreemptionGateState("shut", false, Instant.parse("2026-01-31T11:00:00Z")));
    assertProblem(gates.replace("position: Open", "position: open"))
        .hasMessageContaining(
            "status.preemptionGates[1].position: \"open\"; expected one of Closed, Open");
  }

  @Test
  void aConditionThatIsFalseReservesNothing() {
    assertThat(read(MINIMAL + """
        status:
          conditions:
          - {type: QuotaReserved, status: "False", lastTransitionTime: "2026-01-31T11:00:00Z"}
        """).admission()).isEmpty();
  }

  @Test
  void readsWhatHadHappened() {
    WorkloadStatus status = read(FULL.replace("  conditions:\n", """
          accumulatedPastExecutionTimeSeconds: 90
          unhealthyNodes: [{name: n1}, {name: n2}]
          schedulingStats:
            evictions:
            - {reason: PodsReadyTimeout, underlyingCause: WaitForStart, count: 2}
            - {reason: Preempted, underlyingCause: "", count: 1}
            - {reason: NodeFailures, count: 0}
          admissionChecks:
          - name: budget
            state: Retry
            lastTransitionTime: "2026-01-31T11:00:00Z"
            message: no money
            requeueAfterSeconds: 30
            retryCount: 2
            podSetUpdates:
            - name: workers
              labels: {a: b}
              nodeSelector: {pool: spot}
              tolerations: [{key: spot, operator: Exists}]
          conditions:
          - {type: Evicted, status: "False", reason: QuotaReserved, message: "Previously: x"}
          - {type: PodsReady, status: Unknown}
          - {type: Mine, status: "True"}
        """)).status();

    assertThat(status)
        .isEqualTo(WorkloadStatus.builder()
            .accumulatedPastExecutionTime(Duration.ofSeconds(90))
            .addUnhealthyNodes("n1", "n2")
            .requeueCount(2)
            .requeueAt(Instant.parse("2026-01-31T12:30:00Z"))
            .putReclaimablePods("workers", 1)
            .addAllEvictions(List.of(
                new EvictionCount(
                    EvictionReason.PODS_READY_TIMEOUT,
                    Optional.of(EvictionCause.WAIT_FOR_START),
                    2),
                new EvictionCount(EvictionReason.PREEMPTED, Optional.empty(), 1)))
            .addAdmissionChecks(AdmissionCheckState.builder()
                .name("budget")
                .state(CheckState.RETRY)
                .lastTransitionTime(Instant.parse("2026-01-31T11:00:00Z"))
                .message("no money")
                .requeueAfter(Duration.ofSeconds(30))
                .retryCount(2)
                .addPodSetUpdates(PodSetUpdate.builder()
                    .name("workers")
                    .putLabels("a", "b")
                    .putNodeSelector("pool", "spot")
                    .addTolerations(Toleration.exists("spot"))
                    .build())
                .build())
            .addConditions(
                new WorkloadCondition(
                    ConditionType.EVICTED, false, "QuotaReserved", "Previously: x", Instant.EPOCH),
                new WorkloadCondition(
                    ConditionType.QUOTA_RESERVED,
                    true,
                    "QuotaReserved",
                    "",
                    Instant.parse("2026-01-31T12:00:05Z")),
                new WorkloadCondition(
                    ConditionType.REQUEUED, false, "", "", Instant.parse("2026-01-31T11:00:00Z")))
            .build());
  }

  @ParameterizedTest
  @CsvSource({
    "v1beta1, accumulatedPastExexcutionTimeSeconds",
    "v1beta2, accumulatedPastExecutionTimeSeconds"
  })
  void theTimeForWhichItRanHasTwoNames(String version, String field) {
    assertThat(read(MINIMAL.replace("v1beta2", version) + "status: {" + field + ": 7}")
            .status()
            .accumulatedPastExecutionTime())
        .isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void readsATimeLimitAndPlacesThatAreStillToBeFound() {
    ImportedWorkload imported =
        read(FULL.replace("active: false", "maximumExecutionTimeSeconds: 60")
            .replace("    count: 3\n", "    count: 3\n      delayedTopologyRequest: Pending\n"));
    assertThat(imported.workload().maximumExecutionTime()).contains(Duration.ofMinutes(1));
    assertThat(imported.admission().orElseThrow().podSetAssignments())
        .extracting(PodSetAssignment::delayedTopologyRequest)
        .containsExactly(
            Optional.empty(), Optional.of(PodSetAssignment.DelayedTopologyRequest.PENDING));
    assertThat(imported.notes()).isEmpty();
  }

  @Test
  void namesWhatIsWrongWithTheHistory() {
    assertProblem(FULL.replace("active: false", "maximumExecutionTimeSeconds: 0"))
        .hasMessageContaining("spec.maximumExecutionTimeSeconds: 0; expected 1 second or more");
    assertProblem(FULL.replace("count: 2, requeueAt", "count: x, requeueAt"))
        .hasMessageContaining("status.requeueState.count: \"x\"; expected a 32-bit integer");
    assertProblem(FULL.replace(
            "  reclaimablePods:",
            "  admissionChecks: [{name: a, state: Done}]\n  reclaimablePods:"))
        .hasMessageContaining(
            "status.admissionChecks[0].state: \"Done\"; expected one of Pending,");
  }

  @Test
  void anUnhealthyNodeHasAName() {
    assertProblem(FULL.replace("  reclaimablePods:", "  unhealthyNodes: [{}]\n  reclaimablePods:"))
        .hasMessageContaining("status.unhealthyNodes[0].name: missing");
  }

  private static AdmissionEngine engine(Settings settings) {
    AdmissionEngine engine = AdmissionEngine.builder()
        .settings(settings)
        .clock(() -> Instant.parse("2026-01-31T12:00:10Z"))
        .build();
    engine.apply(
        ResourceFlavor.of("spot"),
        Namespace.of("team", Map.of()),
        ClusterQueue.builder()
            .name("research")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
                "spot", ResourceQuota.of("cpu", "8"), ResourceQuota.of("memory", "8Gi"))))
            .build(),
        LocalQueue.of("team", "main", "research"));
    return engine;
  }

  private static final String CHARGED = FULL.replace(
      "{cpu: spot}, resourceUsage: {cpu: 1", "{cpu: spot, memory: spot}, resourceUsage: {cpu: 1");

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeactivatedOneHoldsItsQuotaIfTheEngineSaysSo(boolean holds) {
    AdmissionEngine engine =
        engine(Settings.builder().holdsQuotaUntilStopped(holds).build());
    ImportedWorkload stopping = read(CHARGED);
    stopping.restoreTo(engine);
    WorkloadId id = WorkloadId.of("team", "job-a");
    assertThat(engine.isStopping(id)).isTrue();
    assertThat(engine.admission(id).isPresent()).isEqualTo(holds);
  }

  @Test
  void goesOnInAnEngine() {
    AdmissionEngine engine = engine(Settings.defaults());
    ImportedWorkload running = read(CHARGED.replace("active: false", "active: true"));
    assertThat(running.restoreTo(engine).isEmpty()).isFalse();
    assertThat(engine.admission(WorkloadId.of("team", "job-a"))).isEqualTo(running.admission());
    // It waits for the requeue condition no longer than necessary.
    engine.finish(WorkloadId.of("team", "job-a"));
    ImportedWorkload waiting =
        read(MINIMAL.replace("name: job-a", "name: job-b, namespace: team") + """
        status:
          conditions:
          - {type: Requeued, status: "False", reason: PodsReadyTimeout, message: m,
             lastTransitionTime: "2026-01-31T11:00:00Z"}
          requeueState: {count: 1, requeueAt: "2026-01-31T12:00:05Z"}
        """);
    waiting.restoreTo(engine);
    assertThat(engine.runCycle().admitted()).hasSize(1);
  }
}
