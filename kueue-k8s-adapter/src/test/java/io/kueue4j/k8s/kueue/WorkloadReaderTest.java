package io.kueue4j.k8s.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionCause;
import io.kueue4j.core.model.EvictionCount;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetUpdate;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadValidator;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.yaml.Manifest;
import io.kueue4j.k8s.yaml.ManifestException;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadReaderTest {
  /** Only the requests of the first container count. */
  private static PodSet.Builder convert(PodTemplateSpec template) {
    PodSet.Builder podSet = PodSet.builder();
    Container container = template.getSpec().getContainers().get(0);
    if (container.getImage() != null && container.getImage().equals("broken")) {
      throw new IllegalArgumentException("containers[0].image: broken");
    }
    container
        .getResources()
        .getRequests()
        .forEach((resource, quantity) -> podSet.request(resource, quantity.toString()));
    return podSet;
  }

  private static Manifest manifest(String text) {
    return ManifestReader.create()
        .read(ManifestSource.of("workload.yaml", text))
        .items()
        .get(0);
  }

  private static ImportedWorkload read(String text) {
    return new WorkloadReader(WorkloadReaderTest::convert).read(manifest(text));
  }

  private static AbstractThrowableAssert<?, ?> assertProblem(String text) {
    return assertThatThrownBy(() -> read(text)).isInstanceOf(ManifestException.class);
  }

  private static final String TEMPLATE =
      "template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]}}";

  private static final String MINIMAL = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: job-a}
      spec:
        queueName: main
        podSets:
        - {TEMPLATE}
      """.replace("TEMPLATE", TEMPLATE);

  private static final String FULL = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata:
        name: job-a
        namespace: team
        uid: 0a1b
        creationTimestamp: "2026-01-31T12:00:00Z"
        annotations:
          kueue.x-k8s.io/admission-gated-by: "b.com/x, a.com/y,"
          kueue.x-k8s.io/priority-boost: "+5"
      spec:
        queueName: main
        priority: 100
        priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
        active: false
        podSets:
        - name: driver
          TEMPLATE
          topologyRequest: {podSetGroupName: together}
        - name: workers
          count: 4
          minCount: 2
          TEMPLATE
      status:
        admission:
          clusterQueue: research
          podSetAssignments:
          - {name: driver, flavors: {cpu: spot}, resourceUsage: {cpu: 1, memory: 1Gi}}
          - name: workers
            count: 3
            flavors: {cpu: spot, memory: spot}
            resourceUsage: {cpu: 3000m, memory: 3Gi}
        conditions:
        - {type: QuotaReserved, status: "True", lastTransitionTime: 2026-01-31T13:00:05+01:00, reason: QuotaReserved}
        - {type: Requeued, status: "False", lastTransitionTime: "2026-01-31T11:00:00Z"}
        reclaimablePods: [{name: workers, count: 1}]
        requeueState: {count: 2, requeueAt: "2026-01-31T12:30:00Z"}
      """.replace("TEMPLATE", TEMPLATE);

  private static PodSet.Builder podSet() {
    return PodSet.builder().request("cpu", "1").request("memory", "1Gi");
  }

  @Test
  void readsWhatKeepsAWorkloadFromFlavorsAndFromPreempting() {
    Workload workload = read(MINIMAL
            .replace(
                "{name: job-a}",
                "{name: job-a, annotations:"
                    + " {kueue.x-k8s.io/workload-allowed-resource-flavors: 'spot, reserved'}}")
            .replace("queueName: main", "queueName: main\n  preemptionGates: [{name: a.com/g}]"))
        .workload();

    assertThat(workload.allowedFlavors()).containsExactly("reserved", "spot");
    assertThat(workload.preemptionGates()).containsExactly("a.com/g");
  }

  @Test
  void readsAWorkloadThatWaits() {
    ImportedWorkload imported = read(MINIMAL);

    assertThat(imported.workload())
        .isEqualTo(Workload.builder()
            .namespace("default")
            .name("job-a")
            .queueName("main")
            .addPodSets(podSet().build())
            .build());
    assertThat(imported.admission()).isEmpty();
    assertThat(imported.notes()).isEmpty();
    assertThat(WorkloadValidator.validate(imported.workload())).isEmpty();
  }

  @Test
  void readsAWorkloadThatIsAdmitted() {
    ImportedWorkload imported = read(FULL);

    Workload workload = imported.workload();
    assertThat(workload.id()).isEqualTo(WorkloadId.of("team", "job-a"));
    assertThat(workload.uid()).isEqualTo("0a1b");
    assertThat(workload.creationTime()).hasValue(Instant.parse("2026-01-31T12:00:00Z"));
    assertThat(workload.priority()).isEqualTo(100);
    assertThat(workload.priorityClass()).hasValue("high");
    assertThat(workload.priorityBoost()).isEqualTo(5);
    assertThat(workload.active()).isFalse();
    assertThat(workload.admissionGates()).containsExactly("a.com/y", "b.com/x");
    assertThat(workload.reclaimablePods()).containsExactly(Map.entry("workers", 1));
    assertThat(workload.requeueAt()).hasValue(Instant.parse("2026-01-31T12:30:00Z"));
    assertThat(workload.requeued()).isFalse();
    assertThat(workload.podSets())
        .containsExactly(
            podSet().name("driver").group("together").build(),
            podSet().name("workers").count(4).minCount(2).build());
    assertThat(imported.admission())
        .hasValue(Admission.builder()
            .workload(WorkloadId.of("team", "job-a"))
            .clusterQueue("research")
            .quotaReservedTime(Instant.parse("2026-01-31T12:00:05Z"))
            .addPodSetAssignments(
                PodSetAssignment.builder()
                    .name("driver")
                    .count(1)
                    .putFlavors("cpu", "spot")
                    .putResourceUsage("cpu", 1000)
                    .putResourceUsage("memory", 1L << 30)
                    .build(),
                PodSetAssignment.builder()
                    .name("workers")
                    .count(3)
                    .putFlavors("cpu", "spot")
                    .putFlavors("memory", "spot")
                    .putResourceUsage("cpu", 3000)
                    .putResourceUsage("memory", 3L << 30)
                    .build())
            .build());
    assertThat(imported.notes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "kueue.x-k8s.io/workloadpriorityclass, high",
    "scheduling.k8s.io/priorityclass, ''",
    "'', ''"
  })
  void readsThePriorityClassOfV1beta1(String source, String expected) {
    String text = MINIMAL
        .replace("v1beta2", "v1beta1")
        .replace(
            "queueName: main",
            "queueName: main\n  priority: 3\n  priorityClassName: high\n  priorityClassSource: \""
                + source + "\"");

    ImportedWorkload imported = read(text);

    assertThat(imported.workload().priority()).isEqualTo(3);
    assertThat(imported.workload().priorityClass().orElse("")).isEqualTo(expected);
    assertThat(imported.notes()).hasSize(source.isEmpty() ? 1 : 0);
  }

  @Test
  void thePodPriorityClassIsOfNoConcern() {
    String text = FULL.replace(
        "{group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}",
        "{group: scheduling.k8s.io, kind: PriorityClass, name: high}");

    assertThat(read(text).workload().priorityClass()).isEmpty();
    assertThat(read(text).workload().priority()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      queueName: main          | queueName: ""              | spec.queueName: empty; expected text
      name: job-a              | generateName: job-         | metadata.name: missing; expected text
      priority: 100            | priority: high             | spec.priority: "high"; expected a 32-bit integer
      priority: 100            | active: true               | "active" is given twice
      '  priority: 100'        | ''                         | spec.priority: missing; expected the value of the priority class
      kind: WorkloadPriority   | kind: Priority             | spec.priorityClassRef: PriorityClass of kueue.x-k8s.io; expected
      active: false            | active: no                 | spec.active: "no"; expected true or false
      count: 4                 | count: four                | spec.podSets[1].count: "four"; expected a 32-bit integer
      cpu: 1,                  | cpu: one,                  | spec.podSets[0].template.spec.containers[0].resources.requests.cpu: "one" is not a quantity
      {name: c,                | {image: broken,            | spec.podSets[0].template: containers[0].image: broken
      "+5"                     | ""                         | metadata.annotations[kueue.x-k8s.io/priority-boost]: ""; expected a signed 32-bit integer
      "+5"                     | "99999999999"              | expected a signed 32-bit integer
      "+5"                     | "--5"                      | expected a signed 32-bit integer
      "2026-01-31T12:00:00Z"   | yesterday                  | metadata.creationTimestamp: "yesterday"; expected a time such as 2026-01-31T12:00:00Z
      type: QuotaReserved      | type: Admitted             | status.admission: without a condition QuotaReserved that is True; expected both or none
      lastTransitionTime: 2026 | lastChange: 2026           | status.conditions[0].lastTransitionTime: missing; expected when quota was reserved
      {name: driver, flavors   | {name: other, flavors      | status.admission.podSetAssignments[0].name: there is no pod set "other"; expected one of [driver, workers]
      {name: driver, flavors   | {name: workers, flavors    | status.admission.podSetAssignments[1].name: "workers" is assigned twice
      {name: driver, flavors   | {name: workers, flavors    | status.admission.podSetAssignments: nothing for the pod sets [driver]
      cpu: 3000m               | cpu: 3001m                 | status.admission.podSetAssignments[1].resourceUsage: 3001m of cpu for 3 pods; expected a multiple of the count
      cpu: 3000m               | cpu: x                     | status.admission.podSetAssignments[1].resourceUsage.cpu: "x" is not a quantity
      clusterQueue: research   | queue: research            | status.admission.clusterQueue: missing; expected text
      """)
  void namesWhatIsWrong(String from, String to, String problem) {
    assertThat(FULL).contains(from);

    assertProblem(FULL.replace(from, to))
        .hasMessageContaining("workload.yaml: document 1, line ")
        .hasMessageContaining(problem);
  }

  @Test
  void podSetsAndTheirTemplatesAreRequired() {
    assertProblem(MINIMAL.replace("- {" + TEMPLATE + "}", ""))
        .hasMessageContaining("spec.podSets: missing; expected at least one pod set");
    assertProblem(MINIMAL.replace(TEMPLATE, "name: main"))
        .hasMessageContaining("spec.podSets[0].template: missing; expected a pod template");
  }

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
  void nobodyIsToldToStopWhoHoldsNoQuotaOrRunsAgain() {
    String told =
        "status: \"True\", lastTransitionTime: \"2026-01-31T12:10:00Z\", reason: InClusterQueue";
    String stopped = MINIMAL + """
        status:
          conditions:
          - {type: Evicted, status: "True", reason: Preempted}
          - {type: Preempted, TOLD}
        """.replace("TOLD", told);

    assertThat(read(stopped).preempted()).isEmpty();
    assertThat(read(evicted("status: \"False\"")).preempted()).isEmpty();
    assertThat(read(evicted(told)
                .replace("type: Evicted, status: \"True\"", "type: Evicted, status: \"False\""))
            .preempted())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      status: "True", reason: InClusterQueue | lastTransitionTime: missing; expected why, and when, it was told to stop
      status: "True", lastTransitionTime: "2026-01-31T12:10:00Z" | reason: missing; expected why, and when, it was told to stop
      status: "True", lastTransitionTime: "2026-01-31T12:10:00Z", reason: InClusterQueu | reason: "InClusterQueu"; expected one of InClusterQueue,
      """)
  void whoWasToldToStopWasToldWhyAndWhen(String condition, String problem) {
    assertProblem(evicted(condition)).hasMessageContaining("status.conditions[1]." + problem);
  }

  @Test
  void anAmountThatLeftTheRangeNeedNotBeAMultiple() {
    String text = FULL.replace("memory: 3Gi}", "memory: 16Ei}");

    assertThat(read(text).admission().orElseThrow().podSetAssignments().get(1).resourceUsage())
        .containsEntry("memory", Long.MAX_VALUE);
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
  void notesWhatIsNotTakenIntoAccount() {
    String text = FULL.replace("podSetGroupName: together", "required: rack, requird: rack")
        .replace("active: false", "actve: false")
        .replace("{name: c,", "{name: c, imag: x,")
        .replace(
            "reclaimablePods",
            "schedulingStats: {evictions: [{reason: Bored, count: 1}]}\n  reclaimablePods");

    assertThat(read(text).notes())
        .extracting(ManifestIssue::field)
        .containsExactly(
            "spec.actve",
            "spec.podSets[0].template.spec.containers[0].imag",
            "spec.podSets[0].topologyRequest.requird",
            "spec.podSets[1].template.spec.containers[0].imag",
            "status.schedulingStats.evictions[0].reason");
  }

  @Test
  void readsWhatHadHappened() {
    WorkloadStatus status = read(FULL.replace("  conditions:\n", """
          accumulatedPastExecutionTimeSeconds: 90
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
            .requeueCount(2)
            .requeueAt(Instant.parse("2026-01-31T12:30:00Z"))
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
  void goesOnInAnEngine() {
    AdmissionEngine engine = AdmissionEngine.builder()
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
    ImportedWorkload running = read(FULL.replace("active: false", "active: true")
        .replace(
            "{cpu: spot}, resourceUsage: {cpu: 1",
            "{cpu: spot, memory: spot}, resourceUsage: {cpu: 1"));
    assertThat(running.restoreTo(engine).isEmpty()).isFalse();
    assertThat(engine.admission(WorkloadId.of("team", "job-a"))).isEqualTo(running.admission());
    // It waits until it is told that it may be tried again no longer than it must.
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{apiVersion: kueue.x-k8s.io/v1alpha1, kind: Workload, metadata: {name: a}}",
        "{apiVersion: v1, kind: Pod, metadata: {name: a}}"
      })
  void refusesOtherObjects(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected Workload of kueue.x-k8s.io/v1beta1 or v1beta2");
  }

  private static String annotated(String annotation) {
    return MINIMAL.replace("{name: job-a}", "{name: job-a, annotations: {" + annotation + "}}");
  }

  @Test
  void readsSlicesOfElasticJobs() {
    Workload slice = read(annotated(
            "kueue.x-k8s.io/elastic-job: 'true', kueue.x-k8s.io/workload-slice-name: first, "
                + "kueue.x-k8s.io/workload-slice-replacement-for: team/job-b"))
        .workload();

    assertThat(slice.elastic()).isTrue();
    assertThat(slice.replaces()).contains(WorkloadId.of("team", "job-b"));
    assertThat(slice.sliceName()).contains("first");
    Workload ordinary = read(annotated("kueue.x-k8s.io/elastic-job: 'false'")).workload();
    assertThat(ordinary.elastic()).isFalse();
    assertThat(ordinary.replaces()).isEmpty();
    assertThat(ordinary.sliceName()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"job-b", "/job-b", "team/", "a/b/c", "''"})
  void refusesReplacementsThatAreNoKeys(String key) {
    assertProblem(annotated("kueue.x-k8s.io/workload-slice-replacement-for: " + key))
        .hasMessageContaining("expected namespace/name of a workload");
  }
}
