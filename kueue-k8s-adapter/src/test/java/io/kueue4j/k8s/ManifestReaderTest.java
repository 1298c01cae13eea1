package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestReaderTest {
  private static Manifests read(String text) {
    return ManifestReader.create().read(ManifestSource.of("test.yaml", text));
  }

  private static ImmutableList<String> notes(String text) {
    return read(text).notes().stream()
        .map(ManifestIssue::toString)
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void keepsTheOrderOfSourcesAndDocuments() {
    Manifests manifests = ManifestReader.create()
        .read(
            ManifestSource.of("a.yaml", """
                # comment
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: one}}
                ---
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: two}}
                """),
            ManifestSource.of(
                "b.json",
                "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"three\"}}"));

    assertThat(manifests.items())
        .extracting(Manifest::name)
        .extracting(name -> name.orElse(""))
        .containsExactly("one", "two", "three");
    assertThat(manifests.items())
        .extracting(Manifest::source)
        .containsExactly("a.yaml", "a.yaml", "b.json");
    assertThat(manifests.items()).extracting(Manifest::document).containsExactly(1, 3, 1);
    assertThat(manifests.items("", "Pod")).hasSize(3);
    assertThat(manifests.items("batch", "Job")).isEmpty();
    assertThat(manifests.notes()).isEmpty();
  }

  @Test
  void flattensLists() {
    Manifests manifests = read("""
        apiVersion: v1
        kind: List
        items:
        - {apiVersion: v1, kind: Pod, metadata: {name: one}}
        - apiVersion: batch/v1
          kind: JobList
          items:
          - {metadata: {name: two}}
          - {apiVersion: batch/v1, kind: Job, metadata: {name: three}}
        """);

    assertThat(manifests.items())
        .extracting(
            item -> item.apiVersion() + " " + item.kind() + " " + item.name().orElse(""))
        .containsExactly("v1 Pod one", "batch/v1 Job two", "batch/v1 Job three");
    assertThat(manifests.items()).extracting(Manifest::line).containsExactly(4, 8, 9);
  }

  @Test
  void anEmptyListHasNoObjects() {
    assertThat(read("{apiVersion: v1, kind: List}").items()).isEmpty();
    assertThat(read("# only a comment\n").items()).isEmpty();
  }

  @Test
  void namespacesAreFilledInWhereAKindHasThem() {
    ManifestReader reader = ManifestReader.builder().defaultNamespace("team").build();
    Manifests manifests = reader.read(ManifestSource.of("test.yaml", """
        {apiVersion: v1, kind: Pod, metadata: {name: a}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: b, namespace: other}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: c, namespace: other}}
        ---
        {apiVersion: example.com/v1, kind: Thing, metadata: {name: d}}
        ---
        {apiVersion: example.com/v1, kind: Thing, metadata: {name: e, namespace: other}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: f}}
        """));

    assertThat(manifests.items())
        .extracting(item -> item.namespace().orElse("-"))
        .containsExactly("team", "other", "-", "-", "other", "team");
    assertThat(manifests.notes())
        .extracting(ManifestIssue::toString)
        .contains("test.yaml: document 3, line 5, column 61: metadata.namespace: "
            + "ignored: a Node lives in no namespace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n\t\n", "\n"})
  void anEmptySourceIsAProblem(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ManifestException.class)
        .hasMessage("test.yaml: document 1, line 1, column 1: empty; expected a Kubernetes object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"just text", "[1, 2]", "- a\n- b", "42"})
  void aDocumentThatIsNoMappingIsAProblem(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith("test.yaml: document 1, line 1, column 1: ")
        .hasMessageEndingWith("expected a Kubernetes object, which is a mapping");
  }

  @Test
  void gathersTheProblemsOfAllSources() {
    assertThatThrownBy(() -> ManifestReader.create()
            .read(
                ManifestSource.of("a.yaml", "kind: Pod\n---\napiVersion: v1\n"),
                ManifestSource.of("b.yaml", "a: [\n"),
                ManifestSource.of("c.yaml", "{apiVersion: a/b/c, kind: Pod}"),
                ManifestSource.of("d.yaml", "{apiVersion: v1, kind: 3, metadata: {name: [x]}}")))
        .isInstanceOfSatisfying(ManifestException.class, e -> {
          assertThat(e.problems()).hasSize(5);
          assertThat(String.valueOf(e.getMessage()).lines()).hasSize(5);
        })
        .hasMessageContaining("a.yaml: document 1, line 1, column 1: apiVersion: missing; ")
        .hasMessageContaining("a.yaml: document 2, line 3, column 1: kind: missing; ")
        .hasMessageContaining("b.yaml: document 1, line 2, column 1: not YAML: ")
        .hasMessageContaining("apiVersion: \"a/b/c\"; expected group/version")
        .hasMessageContaining("kind: 3 (a number); expected text, put it in quotes");
  }

  @Test
  void aProblemInTheHeaderIsReportedOnce() {
    assertThatThrownBy(() -> read("{apiVersion: v1, kind: Namespace, metadata: {name: 5}}"))
        .isInstanceOf(ManifestException.class)
        .hasMessage("test.yaml: document 1, line 1, column 52: metadata.name: "
            + "5 (a number); expected text, put it in quotes");
  }

  @Test
  void labelsAreText() {
    assertThatThrownBy(
            () -> read("{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {b.c/d: 1}}}"))
        .isInstanceOf(ManifestException.class)
        .hasMessage("test.yaml: document 1, line 1, column 65: metadata.labels[b.c/d]: "
            + "1 (a number); expected text, put it in quotes");
  }

  @Test
  void notesUnknownFieldsOfBoundKindsAtEveryDepth() {
    assertThat(notes("""
            apiVersion: batch/v1
            kind: Job
            metadata: {name: a, lables: {x: z}}
            spec:
              paralelism: 3
              template:
                spec:
                  containers:
                  - name: main
                  - name: second
                    resorces: {requests: {cpu: 1}}
                    totallyDifferent: 1
                  nodeSelector: {anything: goes}
            status: {}
            """))
        .containsExactly(
            "test.yaml: document 1, line 3, column 21: metadata.lables: "
                + "unknown field; did you mean \"labels\"?",
            "test.yaml: document 1, line 5, column 15: spec.paralelism: "
                + "unknown field; did you mean \"parallelism\"?",
            "test.yaml: document 1, line 11, column 9: spec.template.spec.containers[1].resorces: "
                + "unknown field; did you mean \"resources\"?",
            "test.yaml: document 1, line 12, column 27: "
                + "spec.template.spec.containers[1].totallyDifferent: unknown field");
  }

  @Test
  void notesUnknownFieldsOfQueues() {
    assertThat(notes("""
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: a, anotations: {}}
            sepc: {}
            spec:
              cohort: research
              preemption: {withinClusterqueue: Never}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - name: default
                  resources:
                  - {name: cpu, nominalQuota: 1, nominalquota: 1}
            """))
        .extracting(note -> note.replace("test.yaml: document 1, ", ""))
        .containsExactly(
            "line 3, column 21: metadata.anotations: unknown field; did you mean \"annotations\"?",
            "line 4, column 1: sepc: unknown field; did you mean \"spec\"?",
            "line 6, column 11: spec.cohort: unknown field; did you mean \"cohortName\"?",
            "line 7, column 36: spec.preemption.withinClusterqueue: "
                + "unknown field; did you mean \"withinClusterQueue\"?",
            "line 13, column 52: spec.resourceGroups[0].flavors[0].resources[0].nominalquota: "
                + "unknown field; did you mean \"nominalQuota\"?");
  }

  @Test
  void notesUnknownKinds() {
    assertThat(notes("{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor}"))
        .containsExactly("test.yaml: document 1, line 1, column 46: kind: passed over: "
            + "ServiceMonitor of monitoring.coreos.com/v1 is not known");
    assertThat(notes("{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cluster}")).hasSize(1);
  }

  @Test
  void notesKindsOfNoConcernOnlyWhenAsked() {
    String text = """
        {apiVersion: kueue.x-k8s.io/v1beta1, kind: MultiKueueConfig, metadata: {name: a}}
        ---
        {apiVersion: v1, kind: ResourceQuota, metadata: {name: b}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: c}}
        """;

    assertThat(read(text).notes()).isEmpty();
    assertThat(ManifestReader.builder()
            .noteUnusedKinds(true)
            .build()
            .read(ManifestSource.of("test.yaml", text))
            .notes())
        .extracting(ManifestIssue::message)
        .containsExactly(
            "not taken into account yet: MultiKueueConfig of kueue.x-k8s.io/v1beta1",
            "not taken into account yet: ResourceQuota of v1");
  }

  @Test
  void notesAQueueThatIsNamedByAnAnnotation() {
    String job = "{apiVersion: batch/v1, kind: Job, metadata: {name: a, %s}}";
    String queue = ": {kueue.x-k8s.io/queue-name: q}";

    assertThat(notes(job.formatted("annotations" + queue)))
        .singleElement()
        .asString()
        .contains("metadata.annotations[kueue.x-k8s.io/queue-name]: the queue is named by");
    assertThat(notes(job.formatted("annotations" + queue + ", labels" + queue))).isEmpty();
  }

  @Test
  void readsNamespaces() {
    Manifests manifests =
        read("{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {team: x}}}");

    assertThat(manifests.configObjects()).containsExactly(Namespace.of("a", Map.of("team", "x")));
    assertThatThrownBy(() -> read("{apiVersion: v1, kind: Namespace}"))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("metadata.name: missing; expected text");
  }

  /** A kind of the caller. */
  static final class Gang implements Namespaced {
    @JsonProperty
    public String apiVersion = "";

    @JsonProperty
    public String kind = "";

    @JsonProperty
    public ObjectMeta metadata = new ObjectMeta();

    @JsonProperty
    public int members;
  }

  @Test
  void readsKindsOfTheCaller() {
    ManifestReader reader =
        ManifestReader.builder().kind("example.com", "Gang", Gang.class).build();

    Manifests manifests = reader.read(ManifestSource.of(
        "test.yaml",
        "{apiVersion: example.com/v1, kind: Gang, metadata: {name: a}, members: 3, membres: 4}"));

    assertThat(manifests.items().get(0).as(Gang.class).members).isEqualTo(3);
    assertThat(manifests.items().get(0).namespace()).hasValue("default");
    assertThat(manifests.notes())
        .extracting(ManifestIssue::message)
        .containsExactly("unknown field; did you mean \"members\"?");
  }

  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata:
        name: research
      spec:
        fairSharing: {weight: -1}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: default
            resources:
            - name: cpu
              nominalQuota: 1
              borrowingLimit: 2
        admissionChecksStrategy:
          admissionChecks:
          - name: check
            onFlavors: [other]
      """;

  @Test
  void locatesViolationsOfTheEngine() {
    Manifests manifests = read(QUEUES);
    ClusterQueue queue = (ClusterQueue) manifests.configObjects().get(0);

    assertThat(Settings.defaults().violations(queue))
        .extracting(violation -> manifests.locate(violation).orElseThrow().toString())
        .containsExactly(
            "test.yaml: document 1, line 14, column 25: "
                + "spec.resourceGroups[0].flavors[0].resources[0].borrowingLimit: "
                + "given, but the queue is in no cohort; remove it or set a cohort",
            "test.yaml: document 1, line 6, column 25: spec.fairSharing.weight: "
                + "-1.0; expected 0, or more than 1e-9",
            "test.yaml: document 1, line 18, column 7: "
                + "spec.admissionChecksStrategy.admissionChecks[0].onFlavors: "
                + "\"other\" is not a flavor of the queue; expected one of [default]");
    assertThat(manifests
            .locate(new Violation("ClusterQueue research", "name", "x"))
            .orElseThrow())
        .extracting(ManifestIssue::line)
        .isEqualTo(4);
    assertThat(manifests.locate(new Violation("ClusterQueue other", "name", "x")))
        .isEmpty();
  }

  @Test
  void locatesViolationsInTheLastOfObjectsOfTheSameName() {
    Manifests manifests = read(QUEUES + "---\n" + QUEUES);

    assertThat(manifests.locate(new Violation("ClusterQueue research", "fairSharing.weight", "x")))
        .map(ManifestIssue::document)
        .hasValue(2);
  }

  @Test
  void locatesViolationsInWorkloads() {
    Manifests manifests = read("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: a, namespace: team}
        spec:
          podSets:
          - {name: main, count: -1}
        """);

    assertThat(manifests
            .locate(new Violation("Workload team/a", "podSets[0].count", "negative"))
            .orElseThrow())
        .hasToString("test.yaml: document 1, line 6, column 25: spec.podSets[0].count: negative");
  }

  @Test
  void refusesAnEmptyDefaultNamespace() {
    assertThatThrownBy(() -> ManifestReader.builder().defaultNamespace(""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void violationsOfJobsAreLocatedByTheFieldsOfTheJob() {
    Manifests manifests = ManifestReader.create().read(ManifestSource.of("job.yaml", """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train, namespace: team}
                spec:
                  template:
                    spec: {containers: [{name: main}]}
                """));

    assertThat(manifests.locate(new Violation("Job team/train", "spec.template.spec", "wrong")))
        .hasValueSatisfying(issue -> assertThat(issue.toString())
            .isEqualTo("job.yaml: document 1, line 6, column 5: spec.template.spec: wrong"));
  }
}
