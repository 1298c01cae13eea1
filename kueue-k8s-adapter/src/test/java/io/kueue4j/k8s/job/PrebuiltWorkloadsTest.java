package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that use a Workload created by another controller. */
class PrebuiltWorkloadsTest {
  private static final String KEY = "kueue.x-k8s.io/prebuilt-workload-name";

  private static List<String> violations(HasMetadata job) {
    return KindManifests.WORKLOADS
        .convert(job)
        .match(
            converted -> List.<String>of(),
            notManaged -> List.of(notManaged.message()),
            invalid -> invalid.violations().stream()
                .map(violation -> violation.field() + ": " + violation.problem())
                .toList());
  }

  private static GenericKubernetesResource labelled(String kind, String name) {
    GenericKubernetesResource job = KindManifests.get(kind);
    job.getMetadata().getLabels().put(KEY, name);
    return job;
  }

  @Test
  void aJobHasTheWorkloadThatItNames() {
    assertThat(JobWorkloads.prebuiltWorkload(Jobs.job().build())).isEmpty();
    HasMetadata job = Jobs.labelled(KEY, "mine");
    assertThat(JobWorkloads.prebuiltWorkload(job)).contains("mine");
    assertThat(KindManifests.WORKLOADS.convert(job).orElseThrow().workload().name())
        .isEqualTo("mine");
  }

  @Test
  void theAnnotationWinsOverTheLabel() {
    HasMetadata job = Jobs.labelled(KEY, "label");
    job.getMetadata().setAnnotations(Map.of(KEY, "annotation"));
    assertThat(KindManifests.WORKLOADS.convert(job).orElseThrow().workload().name())
        .isEqualTo("annotation");
  }

  @Test
  void aNameThatNoWorkloadCanHaveIsRefused() {
    String expected = ": \"workload name\"; expected the name of a Workload: lower-case letters,"
        + " digits, '-' and '.'";
    assertThat(violations(Jobs.labelled(KEY, "workload name")))
        .containsExactly("metadata.labels[" + KEY + "]" + expected);
    assertThat(violations(Jobs.annotated(KEY, "workload name")))
        .containsExactly("metadata.annotations[" + KEY + "]" + expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JAXJob", "SparkApplication"})
  void someKindsHaveNone(String kind) {
    assertThat(violations(labelled(kind, "mine")))
        .containsExactly("metadata.labels[" + KEY + "]: not supported for " + kind + "; remove it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TFJob",
        "PyTorchJob",
        "XGBoostJob",
        "PaddleJob",
        "MPIJob",
        "RayCluster",
        "RayJob",
        "RayService",
        "AppWrapper",
        "TrainJob"
      })
  void othersHave(String kind) {
    assertThat(KindManifests.WORKLOADS
            .convert(labelled(kind, "mine"))
            .orElseThrow()
            .workload())
        .extracting(Workload::name)
        .isEqualTo("mine");
  }

  @Test
  void thePodsOfAGroupNameTheGroup() {
    Pod pod = new PodBuilder(PodGroup.member(Jobs.pod("a"), "group", 1, "role"))
        .editMetadata()
        .addToLabels(KEY, "other")
        .endMetadata()
        .build();
    String expected =
        "metadata.labels[" + KEY + "]: \"other\"; expected the name of the pod group, \"group\"";
    assertThat(violations(pod)).containsExactly(expected);
    assertThat(violations(PodGroup.of(List.of(pod)))).containsExactly(expected);
  }

  @Test
  void aWorkloadOfOtherPodsIsOfNoUse() {
    Workload job =
        KindManifests.WORKLOADS.convert(Jobs.job().build()).orElseThrow().workload();
    assertThat(PrebuiltWorkloads.differences(job, job)).isEmpty();
    assertThat(PrebuiltWorkloads.differences(job, with(job, "main", 2, 1000)))
        .containsExactly("pod set main has 3 pods, in the Workload 2");
    assertThat(PrebuiltWorkloads.differences(job, with(job, "main", 3, 2000)))
        .containsExactly("a pod of pod set main requests {cpu=1000}, in the Workload {cpu=2000}");
    assertThat(PrebuiltWorkloads.differences(job, with(job, "other", 3, 1000)))
        .containsExactly("the job has the pod sets [main], the Workload [other]");
  }

  @Test
  void aWorkloadWithAnotherTopologyIsOfNoUse() {
    Workload plain =
        KindManifests.WORKLOADS.convert(Jobs.job().build()).orElseThrow().workload();
    Workload rack = placed(plain, TopologyRequest.required("rack"));
    Workload pair = placed(
        plain,
        TopologyRequest.builder()
            .required("rack")
            .sliceTopology("host")
            .sliceSize(2)
            .build());
    Workload layer = placed(
        plain,
        TopologyRequest.builder()
            .required("rack")
            .addSliceConstraints(new SliceConstraint("host", 2))
            .build());

    assertThat(PrebuiltWorkloads.topologyDifferences(rack, rack)).isEmpty();
    assertThat(PrebuiltWorkloads.topologyDifferences(pair, layer)).isEmpty();
    for (Workload other : List.of(plain, pair, placed(plain, TopologyRequest.preferred("rack")))) {
      assertThat(PrebuiltWorkloads.topologyDifferences(rack, other))
          .containsExactly("pods of pod set main request another topology than in the Workload");
    }
  }

  @ParameterizedTest
  @CsvSource({"V0_19, true", "V0_19_7, true", "V0_20, false"})
  void theVersionDecidesOnTopologies(KueueVersion version, boolean isUsable) {
    JobReferences references =
        JobReferences.create(Settings.builder().kueueVersion(version).build());
    HasMetadata job = Jobs.labelled(KEY, "mine");
    String workload = """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: mine, namespace: %s}
        spec:
          queueName: q
          podSets:
          - name: main
            count: 3
            topologyRequest: {required: rack}
            template:
              spec:
                containers: [{name: c, resources: {requests: {cpu: "1"}}}]
        """.formatted(job.getMetadata().getNamespace());
    ManifestReader.create()
        .read(ManifestSource.of("x.yaml", workload))
        .items()
        .forEach(references::put);

    assertThat(
            references.resolve(job, references.workloads().build().convert(job))
                instanceof JobConversion.Converted)
        .isEqualTo(isUsable);
  }

  /** A start of pods that an administrator has placed adds an annotation to the job. */
  @Test
  void anAddedRequestForAnyPlaceIsNoDifference() {
    Workload plain =
        KindManifests.WORKLOADS.convert(Jobs.job().build()).orElseThrow().workload();
    Workload anywhere = placed(plain, TopologyRequest.anywhere());

    assertThat(PrebuiltWorkloads.topologyDifferences(anywhere, plain)).isEmpty();
    assertThat(PrebuiltWorkloads.topologyDifferences(plain, anywhere)).hasSize(1);
  }

  private static Workload placed(Workload workload, TopologyRequest request) {
    return Workload.builder()
        .from(workload)
        .podSets(ImmutableList.of(PodSet.builder()
            .from(workload.podSets().get(0))
            .topologyRequest(request)
            .build()))
        .build();
  }

  private static Workload with(Workload workload, String podSet, int count, long cpu) {
    return Workload.builder()
        .from(workload)
        .podSets(ImmutableList.of(
            PodSet.builder().name(podSet).count(count).requestAmount("cpu", cpu).build()))
        .build();
  }
}
