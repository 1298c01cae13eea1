package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Workload objects for jobs, as Kueue creates them, by example. */
class WorkloadWriterTest {
  private static final JobWorkloads WORKLOADS = JobWorkloads.builder()
      .addWorkloadPriorityClasses(new WorkloadPriorityClass("high", 7))
      .addPriorityClasses(
          new PriorityClassBuilder()
              .withNewMetadata()
              .withName("urgent")
              .endMetadata()
              .withValue(50)
              .build(),
          new PriorityClassBuilder()
              .withNewMetadata()
              .withName("usual")
              .endMetadata()
              .withValue(5)
              .withGlobalDefault(true)
              .build())
      .build();

  private static final Job JOB = Jobs.job()
      .editMetadata()
      .withUid("0a1b-22")
      .addToLabels("team", "a")
      .addToAnnotations("provreq.kueue.x-k8s.io/ValidUntilSeconds", "60")
      .addToAnnotations("kueue.x-k8s.io/admission-gated-by", "b.com/y,a.com/x")
      .addToAnnotations("kueue.x-k8s.io/job-min-parallelism", "2")
      .addToLabels("kueue.x-k8s.io/priority-class", "high")
      .addToLabels("kueue.x-k8s.io/max-exec-time-seconds", "90")
      .addToAnnotations("unrelated", "x")
      .endMetadata()
      .editSpec()
      .editTemplate()
      .editOrNewMetadata()
      .withName("not of the workload")
      .addToLabels("app", "train")
      .addToLabels("batch.kubernetes.io/job-name", "train")
      .addToLabels("batch.kubernetes.io/controller-uid", "0a1b-22")
      .addToLabels("job-name", "train")
      .addToAnnotations("note", "n")
      .endMetadata()
      .endTemplate()
      .endSpec()
      .build();

  private static final Splitter STEPS = Splitter.on(CharMatcher.anyOf(".[]")).omitEmptyStrings();

  private static Workload workload(Job job) {
    return WORKLOADS.convert(job).orElseThrow().workload();
  }

  private static GenericKubernetesResource write(KueueApiVersion version, Job job) {
    return WorkloadWriter.of(version, WORKLOADS).write(job, workload(job));
  }

  private static @Nullable Object get(GenericKubernetesResource object, String path) {
    @Nullable Object node = object.getAdditionalProperties();
    for (String step : STEPS.split(path)) {
      node = node instanceof List<?> list
          ? list.get(Integer.parseInt(step))
          : RawTree.mapping(node).get(step);
    }
    return node;
  }

  private static Object yaml(String text) {
    Manifest manifest = ManifestReader.create()
        .read(ManifestSource.of(
            "test.yaml",
            "{apiVersion: x/v1, kind: X, metadata: {name: x}}\n---\n" + text.indent(0)))
        .items()
        .get(1);
    return manifest.as(GenericKubernetesResource.class);
  }

  private static String json(Object object) {
    try {
      return Jobs.MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aJobBecomesAWorkload() {
    assertThat(json(write(KueueApiVersion.V1BETA2, JOB)))
        .isEqualTo(json(yaml("""
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata:
              annotations:
                kueue.x-k8s.io/admission-gated-by: a.com/x,b.com/y
                provreq.kueue.x-k8s.io/ValidUntilSeconds: "60"
              finalizers: [kueue.x-k8s.io/resource-in-use]
              labels: {kueue.x-k8s.io/job-uid: 0a1b-22}
              name: %s
              namespace: team-a
              ownerReferences:
              - apiVersion: batch/v1
                kind: Job
                blockOwnerDeletion: true
                controller: true
                name: train
                uid: 0a1b-22
            spec:
              podSets:
              - name: main
                template:
                  spec:
                    containers:
                    - {image: i, name: c, resources: {requests: {cpu: "1"}}}
                  metadata:
                    labels: {app: train, batch.kubernetes.io/job-name: train}
                    annotations: {note: "n"}
                count: 3
                minCount: 2
                topologyRequest: {podIndexLabel: batch.kubernetes.io/job-completion-index}
              queueName: lq
              priorityClassRef:
                {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
              priority: 7
              active: true
              maximumExecutionTimeSeconds: 90
            """.formatted(WorkloadNames.of("batch", "Job", "train", "0a1b-22")))));
  }

  @Test
  void v1beta1NamesThePriorityClassInTwoFields() {
    GenericKubernetesResource written = write(KueueApiVersion.V1BETA1, JOB);
    assertThat(written.getApiVersion()).isEqualTo("kueue.x-k8s.io/v1beta1");
    assertThat(get(written, "spec.priorityClassName")).isEqualTo("high");
    assertThat(get(written, "spec.priorityClassSource"))
        .isEqualTo("kueue.x-k8s.io/workloadpriorityclass");
    assertThat(get(written, "spec.priorityClassRef")).isNull();
  }

  @Test
  void ofPodsTheClassIsNamedToo() {
    Job urgent = Jobs.job()
        .editSpec()
        .editTemplate()
        .editSpec()
        .withPriorityClassName("urgent")
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
    GenericKubernetesResource written = write(KueueApiVersion.V1BETA2, urgent);
    assertThat(get(written, "spec.priority")).isEqualTo(50);
    assertThat(get(written, "spec.priorityClassRef"))
        .isEqualTo(Map.of("group", "scheduling.k8s.io", "kind", "PriorityClass", "name", "urgent"));
    GenericKubernetesResource byDefault =
        write(KueueApiVersion.V1BETA1, Jobs.job().build());
    assertThat(get(byDefault, "spec.priority")).isEqualTo(5);
    assertThat(get(byDefault, "spec.priorityClassName")).isEqualTo("usual");
    assertThat(get(byDefault, "spec.priorityClassSource"))
        .isEqualTo("scheduling.k8s.io/priorityclass");
  }

  @Test
  void withoutAUidTheJobIsNoOwner() {
    GenericKubernetesResource written =
        write(KueueApiVersion.V1BETA2, Jobs.job().build());
    assertThat(written.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(written.getMetadata().getLabels()).isNullOrEmpty();
  }

  @Test
  void labelsAreCopiedOnRequest() {
    GenericKubernetesResource written = WorkloadWriter.of(KueueApiVersion.V1BETA2, WORKLOADS)
        .withLabelKeysToCopy(List.of("team", "absent"))
        .write(JOB, workload(JOB));
    assertThat(written.getMetadata().getLabels())
        .isEqualTo(Map.of("team", "a", "kueue.x-k8s.io/job-uid", "0a1b-22"));
  }

  @Test
  void ofEnvironmentVariablesTheLastOfANameCounts() {
    Job job = Jobs.job()
        .editSpec()
        .editTemplate()
        .editSpec()
        .editFirstContainer()
        .addToEnv(
            new EnvVarBuilder().withName("A").withValue("1").build(),
            new EnvVarBuilder().withName("B").withValue("2").build(),
            new EnvVarBuilder().withName("A").withValue("3").build())
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
    assertThat(get(
            write(KueueApiVersion.V1BETA2, job), "spec.podSets[0].template.spec.containers[0].env"))
        .isEqualTo(List.of(Map.of("name", "A", "value", "3"), Map.of("name", "B", "value", "2")));
  }

  @Test
  void whatOnlyTheWorkloadKnowsIsAnnotated() {
    Workload slice = Workload.builder()
        .from(workload(JOB))
        .elastic(true)
        .replaces(WorkloadId.of("team-a", "job-train-1"))
        .sliceName("job-train-0")
        .priorityBoost(-4)
        .expectedDuration(Duration.ofMinutes(90))
        .admissionGates(List.of())
        .build();
    assertThat(WorkloadWriter.of(KueueApiVersion.V1BETA2, WORKLOADS)
            .write(JOB, slice)
            .getMetadata()
            .getAnnotations())
        .isEqualTo(Map.of(
            "kueue.x-k8s.io/elastic-job", "true",
            "kueue.x-k8s.io/workload-slice-replacement-for", "team-a/job-train-1",
            "kueue.x-k8s.io/workload-slice-name", "job-train-0",
            "kueue.x-k8s.io/priority-boost", "-4",
            "kueue4j.io/expected-duration", "PT1H30M",
            "provreq.kueue.x-k8s.io/ValidUntilSeconds", "60"));
  }

  @Test
  void aPlaceIsAskedForInFull() {
    Workload placed = Workload.builder()
        .from(workload(JOB))
        .podSets(List.of(PodSet.builder()
            .name("main")
            .count(4)
            .group("together")
            .topologyRequest(TopologyRequest.builder()
                .preferred("rack")
                .sliceTopology("host")
                .sliceSize(2)
                .addSliceConstraints(new TopologyRequest.SliceConstraint("block", 4))
                .podIndexLabel("index")
                .subGroupIndexLabel("sub")
                .subGroupCount(2)
                .build())
            .build()))
        .build();
    GenericKubernetesResource written =
        WorkloadWriter.of(KueueApiVersion.V1BETA2, WORKLOADS).write(JOB, placed);
    assertThat(get(written, "spec.podSets[0].topologyRequest"))
        .isEqualTo(Map.of(
            "preferred", "rack",
            "podIndexLabel", "index",
            "subGroupIndexLabel", "sub",
            "subGroupCount", 2,
            "podSetGroupName", "together",
            "podSetSliceRequiredTopology", "host",
            "podSetSliceSize", 2,
            "podsetSliceRequiredTopologyConstraints",
                List.of(Map.of("topology", "block", "size", 4))));
    assertThat(get(
            WorkloadWriter.of(KueueApiVersion.V1BETA1, WORKLOADS).write(JOB, placed),
            "spec.podSets[0].topologyRequest.podsetSliceRequiredTopologyConstraints"))
        .isNull();
  }

  @Test
  void podsOfAGroupShareTheirWorkload() {
    List<Pod> pods = Stream.of("a", "b")
        .map(name -> PodGroup.member(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("ns")
                .withUid("uid-" + name)
                .addToLabels(MetadataKeys.QUEUE_NAME, "lq")
                .endMetadata()
                .withSpec(Jobs.template("1").getSpec())
                .build(),
            "group",
            2,
            "role"))
        .toList();
    PodGroup group = PodGroup.of(pods);
    JobWorkloads workloads = KindManifests.WORKLOADS;

    GenericKubernetesResource written = WorkloadWriter.of(KueueApiVersion.V1BETA2, workloads)
        .write(group, workloads.convert(group).orElseThrow().workload());

    assertThat(written.getMetadata().getName()).isEqualTo("group");
    assertThat(written.getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getKind, OwnerReference::getUid, OwnerReference::getController)
        .containsExactly(tuple("Pod", "uid-a", null), tuple("Pod", "uid-b", null));
    assertThat(written.getMetadata().getAnnotations())
        .containsEntry("kueue.x-k8s.io/is-group-workload", "true");
    assertThat(get(written, "spec.podSets[0].count")).isEqualTo(2);
  }

  @Test
  void aPodSetThatTheJobLacksIsRefused() {
    Workload other =
        Workload.of("team-a", "w", "lq", PodSet.builder().name("driver").build());
    assertThatThrownBy(
            () -> WorkloadWriter.of(KueueApiVersion.V1BETA2, WORKLOADS).write(JOB, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("workload team-a/w has the pod set driver, expected one of its job: [main]");
    assertThatThrownBy(() -> WorkloadWriter.of(KueueApiVersion.V1ALPHA2, WORKLOADS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("v1alpha2");
  }

  @Nested
  class Updating {
    private final GenericKubernetesResource object = write(KueueApiVersion.V1BETA2, JOB);

    @Test
    void writesWhatMayChange() {
      object.setAdditionalProperty("status", Map.of("conditions", List.of()));
      String before = json(object);
      Workload changed = Workload.builder()
          .from(workload(JOB))
          .active(false)
          .priority(9)
          .queueName("other")
          .maximumExecutionTime(Duration.ofSeconds(5))
          .podSets(List.of(
              PodSet.builder().from(workload(JOB).podSets().get(0)).count(2).build()))
          .build();

      GenericKubernetesResource updated = WorkloadWriter.update(object, changed);

      assertThat(get(updated, "spec.active")).isEqualTo(false);
      assertThat(get(updated, "spec.priority")).isEqualTo(9);
      assertThat(get(updated, "spec.queueName")).isEqualTo("other");
      assertThat(get(updated, "spec.maximumExecutionTimeSeconds")).isEqualTo(5);
      assertThat(get(updated, "spec.podSets[0].count")).isEqualTo(2);
      assertThat(get(updated, "spec.podSets[0].template"))
          .isEqualTo(get(object, "spec.podSets[0].template"));
      assertThat(get(updated, "status")).isEqualTo(Map.of("conditions", List.of()));
      assertThat(updated.getMetadata()).isEqualTo(object.getMetadata());
      assertThat(json(object)).isEqualTo(before);
    }

    @Test
    void changesNothingWithoutNeed() {
      assertThat(WorkloadWriter.update(object, workload(JOB))).isEqualTo(object);
    }

    @Test
    void endsATimeLimit() {
      Workload unlimited = Workload.builder()
          .from(workload(JOB))
          .maximumExecutionTime(Optional.empty())
          .build();
      assertThat(get(WorkloadWriter.update(object, unlimited), "spec.maximumExecutionTimeSeconds"))
          .isNull();
    }
  }
}
