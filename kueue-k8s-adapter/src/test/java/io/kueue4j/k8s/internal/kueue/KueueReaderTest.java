package io.kueue4j.k8s.internal.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KueueReaderTest {
  private static Manifests read(String text) {
    return ManifestReader.create().read(ManifestSource.of("test.yaml", text));
  }

  /** Reads one object; {@code body} are its fields beside the header, not indented. */
  private static Manifests read(String version, String kind, String body) {
    return read("apiVersion: kueue.x-k8s.io/%s\nkind: %s\nmetadata: {name: x}\n%s"
        .formatted(version, kind, body));
  }

  private static ConfigObject object(String version, String kind, String body) {
    Manifests manifests = read(version, kind, body);
    assertThat(manifests.notes()).isEmpty();
    assertThat(manifests.configObjects()).hasSize(1);
    return manifests.configObjects().get(0);
  }

  private static ClusterQueue queue(String version, String spec) {
    return (ClusterQueue) object(version, "ClusterQueue", "spec: {" + spec + "}");
  }

  private static AbstractThrowableAssert<?, ?> assertProblem(
      String version, String kind, String body) {
    return assertThatThrownBy(() -> read(version, kind, body))
        .isInstanceOf(ManifestException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1alpha1", "v1alpha2", "v1beta1", "v1beta2"})
  void objectsWithoutSpecHaveDefaults(String version) {
    assertThat(object(version, "ResourceFlavor", "")).isEqualTo(ResourceFlavor.of("x"));
    assertThat(object(version, "ResourceFlavor", "spec:\n")).isEqualTo(ResourceFlavor.of("x"));
    assertThat(object(version, "ClusterQueue", ""))
        .isEqualTo(ClusterQueue.builder().name("x").build());
    assertThat(object(version, "Cohort", "spec: {}"))
        .isEqualTo(Cohort.builder().name("x").build());
  }

  @Test
  void readsAFlavor() {
    assertThat(object("v1beta1", "ResourceFlavor", """
        spec:
          nodeLabels: {zone: a, "example.com/tier": "1"}
          nodeTaints:
          - {key: gpu, value: present, effect: NoSchedule}
          - {key: spot, effect: PreferNoSchedule}
          tolerations:
          - {key: gpu, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
          - {key: spot, value: "true"}
          topologyName: racks
        """))
        .isEqualTo(ResourceFlavor.builder()
            .name("x")
            .putNodeLabels("zone", "a")
            .putNodeLabels("example.com/tier", "1")
            .addNodeTaints(
                new Taint("gpu", "present", Taint.Effect.NO_SCHEDULE),
                new Taint("spot", "", Taint.Effect.PREFER_NO_SCHEDULE))
            .addTolerations(
                Toleration.builder()
                    .key("gpu")
                    .operator(Toleration.Operator.EXISTS)
                    .effect(Taint.Effect.NO_EXECUTE)
                    .tolerationSeconds(30)
                    .build(),
                Toleration.equal("spot", "true"))
            .topologyName("racks")
            .build());
  }

  @Test
  void readsAFlavorOf2022() {
    ResourceFlavor expected = ResourceFlavor.builder()
        .name("x")
        .putNodeLabels("zone", "a")
        .addNodeTaints(new Taint("spot", "", Taint.Effect.NO_EXECUTE))
        .build();
    String taints = "taints: [{key: spot, effect: NoExecute}]\n";

    assertThat(object("v1alpha1", "ResourceFlavor", "labels: {zone: a}\n" + taints))
        .isEqualTo(expected);
    assertThat(read("{apiVersion: kueue.x-k8s.io/v1alpha2, kind: ResourceFlavor, "
                + "metadata: {name: x, labels: {zone: a}}, taints: [{key: spot, effect: NoExecute}]}")
            .configObjects())
        .containsExactly(expected);
  }

  @Test
  void aFlavorOf2022WithASpecIsNoted() {
    assertThat(
            read("v1alpha1", "ResourceFlavor", "spec: {nodeLabels: {zone: a}}").notes())
        .extracting(ManifestIssue::field)
        .containsExactly("spec.nodeLabels");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      nodeTaints: [{key: a, effect: NoSchedul}] | spec.nodeTaints[0].effect: "NoSchedul"; expected one of NoSchedule, PreferNoSchedule, NoExecute; did you mean "NoSchedule"?
      nodeTaints: [{key: a}]                    | spec.nodeTaints[0].effect: missing; expected one of [NoSchedule, PreferNoSchedule, NoExecute]
      nodeTaints: [{effect: NoSchedule}]        | spec.nodeTaints[0].key: missing; expected text
      nodeTaints: {key: a}                      | spec.nodeTaints: a mapping; expected a list
      nodeTaints: [a]                           | spec.nodeTaints[0]: "a"; expected a mapping
      nodeLabels: {a: true}                     | spec.nodeLabels.a: true (a boolean); expected text, put it in quotes
      nodeLabels: {a.b/c: }                     | spec.nodeLabels[a.b/c]: nothing; expected text
      tolerations: [{operator: Gt}]             | spec.tolerations[0].operator: "Gt"; expected one of Exists, Equal
      tolerations: [{tolerationSeconds: 1s}]    | spec.tolerations[0].tolerationSeconds: "1s"; expected an integer
      topologyName: 5                           | spec.topologyName: 5 (a number); expected text, put it in quotes
      """)
  void namesWhatIsWrongWithAFlavor(String spec, String problem) {
    assertProblem("v1beta1", "ResourceFlavor", "spec: {" + spec + "}")
        .hasMessageStartingWith("test.yaml: document 1, line 4, column ")
        .hasMessageEndingWith(": " + problem);
  }

  @Test
  void readsAClusterQueue() {
    ClusterQueue queue = (ClusterQueue) object("v1beta2", "ClusterQueue", """
        spec:
          cohortName: research
          queueingStrategy: StrictFIFO
          namespaceSelector:
            matchLabels: {team: a}
            matchExpressions:
            - {key: tier, operator: In, values: [gold, silver]}
            - {key: legacy, operator: DoesNotExist}
          resourceGroups:
          - coveredResources: [cpu, memory]
            flavors:
            - name: spot
              resources:
              - {name: cpu, nominalQuota: 1e1, borrowingLimit: 500m, lendingLimit: "2"}
              - {name: memory, nominalQuota: 0.5Gi}
          - coveredResources: [gpu]
            flavors:
            - {name: a100, resources: [{name: gpu, nominalQuota: 010}]}
            - {name: h100, resources: [{name: gpu, nominalQuota: 9223372036854775807}]}
          flavorFungibility:
            whenCanBorrow: TryNextFlavor
            whenCanPreempt: TryNextFlavor
            preference: PreemptionOverBorrowing
          preemption:
            withinClusterQueue: LowerOrNewerEqualPriority
            reclaimWithinCohort: Any
            borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: -5}
          admissionChecksStrategy:
            admissionChecks:
            - {name: provision, onFlavors: [spot]}
            - {name: budget}
          stopPolicy: HoldAndDrain
          fairSharing: {weight: 500m}
        status: {whatever: 1}
        """);

    assertThat(queue.cohort()).hasValue("research");
    assertThat(queue.queueingStrategy()).isEqualTo(QueueingStrategy.STRICT_FIFO);
    assertThat(queue.namespaceSelector())
        .hasValue(new LabelSelector(
            ImmutableSortedMap.of("team", "a"),
            ImmutableList.of(
                LabelRequirement.in("tier", "gold", "silver"),
                new LabelRequirement(
                    "legacy", LabelRequirement.Operator.DOES_NOT_EXIST, ImmutableList.of()))));
    assertThat(queue.resourceGroups())
        .containsExactly(
            ResourceGroup.of(FlavorQuotas.of(
                "spot",
                ResourceQuota.of("cpu", "10").withBorrowingLimit("500m").withLendingLimit("2"),
                ResourceQuota.of("memory", "512Mi"))),
            ResourceGroup.of(
                FlavorQuotas.of("a100", ResourceQuota.ofAmount("gpu", 8)),
                FlavorQuotas.of("h100", ResourceQuota.ofAmount("gpu", Amount.UNLIMITED))));
    assertThat(queue.flavorFungibility())
        .isEqualTo(new FlavorFungibility(
            FlavorFungibility.Policy.TRY_NEXT_FLAVOR,
            FlavorFungibility.Policy.TRY_NEXT_FLAVOR,
            Optional.of(FlavorFungibility.Preference.PREEMPTION_OVER_BORROWING)));
    assertThat(queue.preemption())
        .isEqualTo(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .borrowWithinCohort(Preemption.Policy.LOWER_PRIORITY)
            .maxPriorityThreshold(-5)
            .build());
    assertThat(queue.admissionChecks())
        .containsExactly(
            new AdmissionCheckRule("provision", ImmutableList.of("spot")),
            new AdmissionCheckRule("budget", ImmutableList.of()));
    assertThat(queue.stopPolicy()).isEqualTo(StopPolicy.HOLD_AND_DRAIN);
    assertThat(queue.fairSharingWeight()).isEqualTo(0.5);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,1", "64,64", "all,2147483647"})
  void theDepthOfBackfillingIsAnAnnotation(String text, int depth) {
    ClusterQueue queue = (ClusterQueue) read(annotated(text)).configObjects().get(0);
    assertThat(queue.backfillDepth()).hasValue(depth);
    assertThat(BackfillAnnotations.depthText(depth)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "many", "", "1.5"})
  void namesWhatIsNoDepthOfBackfilling(String text) {
    assertThatThrownBy(() -> read(annotated(text)))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("metadata.annotations[kueue4j.io/backfill-depth]: \"" + text
            + "\"; expected 0, 1, 2 and so on, or all");
  }

  @Test
  void aDepthWithoutBackfillIsLocated() {
    Manifests manifests = read(annotated("1"));
    Violation violation =
        Settings.defaults().violations(manifests.configObjects().get(0)).get(0);
    assertThat(manifests.locate(violation))
        .get()
        .asString()
        .contains("line ")
        .endsWith("metadata.annotations[kueue4j.io/backfill-depth]: 1 without backfill in the"
            + " settings; expected none, or set Settings.backfill (--backfill)");
  }

  private static String annotated(String depth) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q, annotations: {kueue4j.io/backfill-depth: "%s", example.com/other: x}}
        spec: {namespaceSelector: {}}
        """.formatted(depth);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1alpha1", "v1alpha2", "v1beta1", "v1beta2"})
  void noSelectorMatchesNothingAndAnEmptyOneEverything(String version) {
    assertThat(queue(version, "").namespaceSelector()).isEmpty();
    assertThat(queue(version, "namespaceSelector: ").namespaceSelector()).isEmpty();
    assertThat(queue(version, "namespaceSelector: null").namespaceSelector()).isEmpty();
    assertThat(queue(version, "namespaceSelector: {}").namespaceSelector())
        .hasValue(LabelSelector.everything());
  }

  @Test
  void fieldsAreNamedByTheVersion() {
    String v1beta1 = "cohort: all, admissionChecks: [a, b], "
        + "flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}";
    String v1beta2 = "cohortName: all, "
        + "admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]}, "
        + "flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: MayStopSearch}";

    assertThat(queue("v1beta1", v1beta1)).isEqualTo(queue("v1beta2", v1beta2));
    assertThat(queue("v1beta1", "cohort: ''").cohort()).isEmpty();
    assertProblem("v1beta2", "ClusterQueue", "spec: {flavorFungibility: {whenCanBorrow: Borrow}}")
        .hasMessageContaining("\"Borrow\"; expected one of MayStopSearch, TryNextFlavor");
    assertProblem(
            "v1beta1",
            "ClusterQueue",
            "spec: {admissionChecks: [a], admissionChecksStrategy: {admissionChecks: []}}")
        .hasMessageContaining("given beside admissionChecksStrategy; keep one of them");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1beta2"})
  void readsAdmissionModes(String version) {
    assertThat(queue(version, "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}")
            .admissionMode())
        .isEqualTo(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
    assertThat(queue(version, "admissionScope: {admissionMode: NoAdmissionFairSharing}"))
        .isEqualTo(queue(version, ""))
        .extracting(ClusterQueue::admissionMode)
        .isEqualTo(AdmissionMode.NO_ADMISSION_FAIR_SHARING);
    assertProblem(version, "ClusterQueue", "spec: {admissionScope: {}}")
        .hasMessageContaining("spec.admissionScope.admissionMode: missing; expected one of"
            + " [UsageBasedAdmissionFairSharing, NoAdmissionFairSharing]");
    assertProblem(version, "ClusterQueue", "spec: {admissionScope: {admissionMode: Usage}}")
        .hasMessageContaining("spec.admissionScope.admissionMode: \"Usage\"; expected one of"
            + " UsageBasedAdmissionFairSharing, NoAdmissionFairSharing");
  }

  private static final String CHECK =
      "spec: {controllerName: example.com/c, parameters: {apiGroup: example.com, kind: K, name: p}}\n";

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1beta2"})
  void readsAnAdmissionCheck(String version) {
    assertThat(object(version, "AdmissionCheck", CHECK))
        .isEqualTo(AdmissionCheck.of("x", "example.com/c"));
    assertThat(read(version, "AdmissionCheck", CHECK).notes()).isEmpty();
    assertThat(read(
                version,
                "AdmissionCheck",
                "spec: {controllerName: c, retryDelayMinutes: 15, retries: 1}")
            .notes())
        .extracting(ManifestIssue::field)
        .containsExactly("spec.retries");
    assertProblem(version, "AdmissionCheck", "spec: {controllerName: ''}")
        .hasMessageContaining("spec.controllerName: empty; expected text");
    assertProblem(version, "AdmissionCheck", "spec: {controllerName: c, parameters: {kind: K}}")
        .hasMessageContaining("spec.parameters.name: missing; expected text");
  }

  @ParameterizedTest
  @CsvSource({
    "'{type: Active, status: \"True\"}', true",
    "'{type: Active, status: \"False\"}', false",
    "'{type: Active, status: Unknown}', false",
    "'{type: Other, status: \"True\"}', true"
  })
  void anAdmissionCheckIsActiveIfItsControllerSaysSo(String condition, boolean active) {
    String status = CHECK + "status: {conditions: [" + condition + "]}";
    assertThat(object("v1beta2", "AdmissionCheck", status))
        .isEqualTo(new AdmissionCheck("x", "example.com/c", active));
  }

  @Test
  void aStoredAdmissionCheckIsNotTakenForGranted() {
    assertThat(
            ManifestReader.create().read(ManifestSource.of("stored.yaml", """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: AdmissionCheck
                metadata: {name: x, uid: 0a1b}
                spec: {controllerName: example.com/c}
                """)).configObjects())
        .containsExactly(new AdmissionCheck("x", "example.com/c", false));
  }

  @Test
  void concurrentAdmissionIsReadWhereItIs() {
    assertThat(queue(
                "v1beta2",
                "concurrentAdmissionPolicy: {migration: {mode: TryPreferredFlavors,"
                    + " constraints: {lastAcceptableFlavorName: spot}}}")
            .concurrentAdmissionPolicy())
        .contains(ConcurrentAdmissionPolicy.upTo("spot"));
    assertThat(
            queue("v1beta2", "concurrentAdmissionPolicy: {migration: {mode: RetainFirstAdmission}}")
                .concurrentAdmissionPolicy())
        .contains(
            ConcurrentAdmissionPolicy.of(ConcurrentAdmissionPolicy.Mode.RETAIN_FIRST_ADMISSION));
    assertThat(queue("v1beta2", "").concurrentAdmissionPolicy()).isEmpty();
    assertProblem("v1beta2", "ClusterQueue", "spec: {concurrentAdmissionPolicy: {migration: {}}}")
        .hasMessageContaining("spec.concurrentAdmissionPolicy.migration.mode: missing; expected one"
            + " of [TryPreferredFlavors, RetainFirstAdmission]");
    assertProblem(
            "v1beta2",
            "ClusterQueue",
            "spec: {concurrentAdmissionPolicy: {migration: {mode: Stay}}}")
        .hasMessageContaining("spec.concurrentAdmissionPolicy.migration.mode: \"Stay\"; expected"
            + " one of TryPreferredFlavors, RetainFirstAdmission");
  }

  @Test
  void anUnknownVersionIsReadAsTheNewestAndNoted() {
    Manifests manifests = read("v1", "ClusterQueue", "spec: {cohortName: all}");

    assertThat(((ClusterQueue) manifests.configObjects().get(0)).cohort()).hasValue("all");
    assertThat(manifests.notes())
        .extracting(ManifestIssue::message)
        .containsExactly("version v1 is not known, read as v1beta2");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      queueingStrategy: FIFO                                           | spec.queueingStrategy: "FIFO"; expected one of StrictFIFO, BestEffortFIFO
      stopPolicy: Holt                                                 | spec.stopPolicy: "Holt"; expected one of None, Hold, HoldAndDrain; did you mean "Hold"?
      fairSharing: {weight: much}                                      | spec.fairSharing.weight: "much" is not a quantity, expected for example 2, 500m, 1.5, 10Gi or 2e3
      preemption: {withinClusterQueue: Any}                            | spec.preemption.withinClusterQueue: "Any"; expected one of Never, LowerPriority, LowerOrNewerEqualPriority
      preemption: {borrowWithinCohort: {maxPriorityThreshold: 1.5}}    | spec.preemption.borrowWithinCohort.maxPriorityThreshold: 1.5 (a number); expected a 32-bit integer
      preemption: {borrowWithinCohort: {maxPriorityThreshold: "1"}}    | spec.preemption.borrowWithinCohort.maxPriorityThreshold: "1"; expected a 32-bit integer
      namespaceSelector: {matchExpressions: [{key: a}]}                | spec.namespaceSelector.matchExpressions[0].operator: missing; expected one of [In, NotIn, Exists, DoesNotExist]
      namespaceSelector: {matchExpressions: [{key: a, operator: Gt}]}  | spec.namespaceSelector.matchExpressions[0].operator: "Gt"; expected one of In, NotIn, Exists, DoesNotExist
      namespaceSelector: all                                           | spec.namespaceSelector: "all"; expected a mapping
      resourceGroups: [{coveredResources: [1]}]                        | spec.resourceGroups[0].coveredResources[0]: 1 (a number); expected text, put it in quotes
      resourceGroups: [{flavors: [{}]}]                                | spec.resourceGroups[0].flavors[0].name: missing; expected text
      resourceGroups: [{flavors: [{name: ''}]}]                        | spec.resourceGroups[0].flavors[0].name: empty; expected text
      resourceGroups: [{flavors: [{name: a, resources: [{name: cpu}]}]}] | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: missing; expected a quantity such as 2, 500m or 10Gi
      resourceGroups: [{flavors: [{name: a, resources: [{name: cpu, nominalQuota: 1K}]}]}] | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: "1K" is not a quantity, expected for example 2, 500m, 1.5, 10Gi or 2e3
      """)
  void namesWhatIsWrongWithAClusterQueue(String spec, String problem) {
    assertProblem("v1beta1", "ClusterQueue", "spec: {" + spec + "}")
        .hasMessageStartingWith("test.yaml: document 1, line 4, column ")
        .hasMessageEndingWith(": " + problem);
  }

  @Test
  void allProblemsOfAnObjectAreFoundAtOnce() {
    assertProblem("v1beta1", "ClusterQueue", """
        spec:
          stopPolicy: 1
          queueingStrategy: x
          cohort: [a]
        """)
        .isInstanceOfSatisfying(
            ManifestException.class,
            e -> assertThat(e.problems()).extracting(ManifestIssue::line).containsExactly(5, 6, 7));
  }

  @Test
  void aNameIsRequired() {
    assertThatThrownBy(() -> read("{apiVersion: kueue.x-k8s.io/v1beta1, kind: Cohort}"))
        .hasMessageContaining("metadata.name: missing; expected text");
    assertThatThrownBy(() -> read(
            "{apiVersion: kueue.x-k8s.io/v1beta1, kind: Cohort, metadata: {generateName: a-}}"))
        .hasMessageContaining("metadata.name: missing; expected text");
  }

  @Test
  void readsLocalQueues() {
    String text = "{apiVersion: kueue.x-k8s.io/%s, kind: %s, "
        + "metadata: {name: x, namespace: team}, spec: {clusterQueue: all%s}}";

    assertThat(read(text.formatted(
                "v1beta2", "LocalQueue", ", stopPolicy: Hold, fairSharing: {weight: 2}"))
            .configObjects())
        .containsExactly(LocalQueue.builder()
            .namespace("team")
            .name("x")
            .clusterQueue("all")
            .stopPolicy(StopPolicy.HOLD)
            .fairSharingWeight(2)
            .build());
    assertThat(read(text.formatted("v1alpha1", "Queue", "")).configObjects())
        .containsExactly(LocalQueue.of("team", "x", "all"));
    assertProblem("v1beta1", "LocalQueue", "spec: {}")
        .hasMessageContaining("spec.clusterQueue: missing; expected text");
  }

  @Test
  void readsCohorts() {
    Cohort expected = Cohort.builder()
        .name("x")
        .parent("root")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("default", ResourceQuota.of("cpu", "1").withLendingLimit("2"))))
        .fairSharingWeight(3)
        .build();
    String spec = "spec: {%s: root, fairSharing: {weight: 3}, resourceGroups: "
        + "[{coveredResources: [cpu], flavors: [{name: default, resources: "
        + "[{name: cpu, nominalQuota: 1, lendingLimit: 2}]}]}]}";

    assertThat(object("v1alpha1", "Cohort", spec.formatted("parent"))).isEqualTo(expected);
    assertThat(object("v1alpha1", "Cohort", spec.formatted("parentName"))).isEqualTo(expected);
    assertThat(object("v1beta1", "Cohort", spec.formatted("parentName"))).isEqualTo(expected);
    assertThat(object("v1beta2", "Cohort", spec.formatted("parentName"))).isEqualTo(expected);
    assertThat(read("v1beta1", "Cohort", "spec: {parent: root}").notes())
        .extracting(ManifestIssue::message)
        .containsExactly("unknown field; did you mean \"parentName\"?");
  }

  @Test
  void readsPriorityClasses() {
    assertThat(object("v1beta1", "WorkloadPriorityClass", "value: -7\ndescription: low"))
        .isEqualTo(new WorkloadPriorityClass("x", -7));
    assertProblem("v1beta1", "WorkloadPriorityClass", "")
        .hasMessageContaining("value: missing; expected the priority, a 32-bit integer");
    assertProblem("v1beta1", "WorkloadPriorityClass", "value: 3000000000")
        .hasMessageContaining("value: 3000000000 (a number); expected a 32-bit integer");
  }
}
