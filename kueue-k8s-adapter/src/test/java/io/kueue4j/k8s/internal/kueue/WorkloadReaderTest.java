package io.kueue4j.k8s.internal.kueue;

import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.FULL;
import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.MINIMAL;
import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.TEMPLATE;
import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.assertProblem;
import static io.kueue4j.k8s.internal.kueue.WorkloadManifests.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadReaderTest {
  private static PodSet.Builder podSet() {
    return PodSet.builder()
        .request("cpu", "1")
        .request("memory", "1Gi")
        .shape("{\"containers\":[{\"requests\":{\"cpu\":\"1\",\"memory\":\"1073741824\"}}]}");
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
    assertThat(Settings.defaults().violations(imported.workload())).isEmpty();
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
    assertThat(workload.expectedDuration()).contains(Duration.ofHours(2));
    assertThat(workload.active()).isFalse();
    assertThat(workload.admissionGates()).containsExactly("a.com/y", "b.com/x");
    assertThat(imported.status().reclaimablePods()).containsExactly(Map.entry("workers", 1));
    assertThat(imported.status().requeueAt()).hasValue(Instant.parse("2026-01-31T12:30:00Z"));
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
                    .resourceUsageAmount("cpu", 1000)
                    .resourceUsageAmount("memory", 1L << 30)
                    .build(),
                PodSetAssignment.builder()
                    .name("workers")
                    .count(3)
                    .putFlavors("cpu", "spot")
                    .putFlavors("memory", "spot")
                    .resourceUsageAmount("cpu", 3000)
                    .resourceUsageAmount("memory", 3L << 30)
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
  void readsTheIntervalOfCheckpoints() {
    String text = FULL.replace(
        "kueue.x-k8s.io/priority-boost: \"+5\"", "kueue4j.io/checkpoint-interval: PT30M");

    assertThat(read(text).workload().checkpointInterval()).contains(Duration.ofMinutes(30));
    assertProblem(text.replace("PT30M", "30m"))
        .hasMessageEndingWith(
            "\"30m\"; expected a duration above 0 as P1D or PT1H30M, at most P365000D");
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
      active: false            | active: never              | spec.active: "never"; expected true or false
      count: 4                 | count: four                | spec.podSets[1].count: "four"; expected a 32-bit integer
      cpu: 1,                  | cpu: one,                  | spec.podSets[0].template.spec.containers[0].resources.requests.cpu: "one" is not a quantity
      {containers              | {tolerations: [{key: a, operator: Foo}], containers | spec.podSets[0].template.spec.tolerations[0].operator: "Foo"; expected one of Exists, Equal, Lt, Gt
      "+5"                     | ""                         | metadata.annotations[kueue.x-k8s.io/priority-boost]: ""; expected a signed 32-bit integer
      "+5"                     | "99999999999"              | expected a signed 32-bit integer
      "+5"                     | "--5"                      | expected a signed 32-bit integer
      PT2H                     | 2h                         | metadata.annotations[kueue4j.io/expected-duration]: "2h"; expected a duration above 0 as P1D or PT1H30M
      PT2H                     | PT0S                       | metadata.annotations[kueue4j.io/expected-duration]: "PT0S"; expected a duration above 0
      PT2H                     | PT8760001H                 | expected a duration above 0 as P1D or PT1H30M, at most P365000D
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

  /** Kueue checks the pods of each Workload that it tries, whoever has created it. */
  @Test
  void podsThatCannotBeCreatedAreAProblemOfTheWorkload() {
    String text = MINIMAL.replace("{requests:", "{limits: {cpu: 500m}, requests:");

    assertThat(read(text).workload().admissibilityProblems())
        .singleElement()
        .asString()
        .contains("template.spec.containers[0]")
        .contains("cpu");
    assertThat(read(MINIMAL).workload().admissibilityProblems()).isEmpty();
  }

  @Test
  void podSetsAndTheirTemplatesAreRequired() {
    assertProblem(MINIMAL.replace("- {" + TEMPLATE + "}", ""))
        .hasMessageContaining("spec.podSets: missing; expected at least one pod set");
    assertProblem(MINIMAL.replace(TEMPLATE, "name: main"))
        .hasMessageContaining("spec.podSets[0].template: missing; expected a pod template");
  }

  @Test
  void anAmountThatLeftTheRangeNeedNotBeAMultiple() {
    String text = FULL.replace("memory: 3Gi}", "memory: 16Ei}");

    assertThat(read(text).admission().orElseThrow().podSetAssignments().get(1).resourceUsage())
        .containsEntry("memory", Long.MAX_VALUE);
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

  @Test
  void knowsWorkloadsOfSinglePods() {
    String pod = "{apiVersion: v1, kind: Pod, name: p, uid: u}";
    String job = "{apiVersion: batch/v1, kind: Job, name: p, uid: u}";
    assertThat(ownedBySinglePod("", pod)).isTrue();
    assertThat(ownedBySinglePod("", pod + ", " + pod)).isFalse();
    assertThat(ownedBySinglePod("", job)).isFalse();
    assertThat(ownedBySinglePod("", pod.replace("v1", "example.com/v1"))).isFalse();
    assertThat(ownedBySinglePod("", "")).isFalse();
    assertThat(ownedBySinglePod("kueue.x-k8s.io/is-group-workload: 'true'", pod))
        .isFalse();
  }

  @Test
  void doesNotNoteOtherAnnotationsOfAWorkloadOfASinglePod() {
    String pod = "{apiVersion: v1, kind: Pod, name: p, uid: u}";
    String metadata =
        "{name: job-a, annotations: {example.com/team: a}, ownerReferences: [" + pod + "]}";
    assertThat(read(MINIMAL.replace("{name: job-a}", metadata)).notes()).isEmpty();
  }

  @Test
  void knowsTheFieldsOfOwnersAndNotesOthers() {
    String owner = "{apiVersion: batch/v1, kind: Job, name: a, uid: u, controller: true, "
        + "blockOwnerDeletion: true}";
    assertThat(notesOfOwner(owner)).isEmpty();
    assertThat(notesOfOwner(owner.replace("name:", "nam:")))
        .singleElement()
        .asString()
        .contains("metadata.ownerReferences[0].nam: unknown field");
  }

  private static List<ManifestIssue> notesOfOwner(String owner) {
    return read(MINIMAL.replace("{name: job-a}", "{name: job-a, ownerReferences: [" + owner + "]}"))
        .notes();
  }

  private static boolean ownedBySinglePod(String annotation, String owners) {
    return read(MINIMAL.replace(
            "{name: job-a}",
            "{name: job-a, annotations: {" + annotation + "}, ownerReferences: [" + owners + "]}"))
        .workload()
        .ownedBySinglePod();
  }

  @ParameterizedTest
  @ValueSource(strings = {"job-b", "/job-b", "team/", "a/b/c", "''"})
  void refusesReplacementsThatAreNoKeys(String key) {
    assertProblem(annotated("kueue.x-k8s.io/workload-slice-replacement-for: " + key))
        .hasMessageContaining("expected namespace/name of a workload");
  }
}
