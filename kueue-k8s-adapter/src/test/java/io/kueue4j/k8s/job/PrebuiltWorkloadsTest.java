package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    assertThat(PrebuiltWorkloads.nameOf(Jobs.job().build())).isEmpty();
    HasMetadata job = Jobs.labelled(KEY, "mine");
    assertThat(PrebuiltWorkloads.nameOf(job)).contains("mine");
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

  private static Workload with(Workload workload, String podSet, int count, long cpu) {
    return Workload.builder()
        .from(workload)
        .podSets(ImmutableList.of(
            PodSet.builder().name(podSet).count(count).requestAmount("cpu", cpu).build()))
        .build();
  }
}
