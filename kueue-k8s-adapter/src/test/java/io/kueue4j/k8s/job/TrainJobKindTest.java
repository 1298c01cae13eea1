package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** TrainJobs, whose pods are defined in a runtime. */
class TrainJobKindTest {
  private static final RawPath PATCHES = RawPath.of("spec.runtimePatches");
  private static final JobEditor EDITOR = JobEditor.of(KindManifests.KINDS);

  private static GenericKubernetesResource mpi(String path, Object value) {
    GenericKubernetesResource job = KindManifests.with(
        "TrainJob", "spec.runtimeRef", Map.of("kind", "TrainingRuntime", "name", "mpi"));
    return KindManifests.with(job, RawPath.of(path), value);
  }

  private static GenericKubernetesResource start(GenericKubernetesResource job) {
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    return EDITOR.start(
        job,
        workload,
        Jobs.admission(workload, "spot"),
        Jobs.flavors(ResourceFlavor.builder()
            .name("spot")
            .putNodeLabels("c", "s")
            .addTolerations(Toleration.exists("spot"))
            .build()));
  }

  @Test
  void takesItsPodsFromTheRuntime() {
    assertThat(KindManifests.podSets(KindManifests.get("TrainJob")))
        .containsExactly(
            "dataset-initializer x1 {cpu=250}",
            "node x4 {cpu=2100, memory=1073741824, nvidia.com/gpu=8}");
    assertThat(KindManifests.podSets(KindManifests.without("TrainJob", "spec.trainer")))
        .containsExactly(
            "dataset-initializer x1 {cpu=250}", "node x1 {cpu=1100, memory=1073741824}");
  }

  @Test
  void theLauncherOfMpiMayBeANode() {
    assertThat(KindManifests.podSets(mpi("spec.trainer", Map.of("numNodes", 4))))
        .containsExactly("launcher x1 {cpu=1000}", "node x3 {cpu=1000}");
    assertThat(KindManifests.podSets(mpi("spec.trainer", Map.of("numNodes", 1))))
        .containsExactly("launcher x1 {cpu=1000}", "node x1 {cpu=1000}");
    assertThat(KindManifests.podSets(mpi(
            "spec.trainer", Map.of("resourcesPerNode", Map.of("requests", Map.of("cpu", 3))))))
        .containsExactly("launcher x1 {cpu=3000}", "node x1 {cpu=3000}");
  }

  @Test
  void aRuntimeThatIsNotThereIsNamed() {
    assertThat(KindManifests.violations(
            KindManifests.with("TrainJob", "spec.runtimeRef.name", "other")))
        .containsExactly(
            "spec.runtimeRef.name: there is no ClusterTrainingRuntime \"other\"; create"
                + " it, or name one that exists");
    GenericKubernetesResource elsewhere = mpi("spec.trainer", Map.of());
    elsewhere.getMetadata().setNamespace("team-b");
    assertThat(KindManifests.violations(elsewhere)).singleElement().asString().contains("\"mpi\"");
  }

  @Test
  void whatIsWrongWithARuntimeIsSaidOfTheReference() {
    GenericKubernetesResource broken = new GenericKubernetesResource();
    broken.setKind("ClusterTrainingRuntime");
    broken.setApiVersion("trainer.kubeflow.org/v1alpha1");
    broken.setMetadata(Jobs.job().buildMetadata());
    broken.getMetadata().setNamespace(null);
    broken.getMetadata().setName("torch-distributed");
    broken = KindManifests.with(
        broken, RawPath.of("spec.template.spec.replicatedJobs"), Map.of("name", "node"));
    JobWorkloads workloads = JobWorkloads.builder()
        .kinds(JobKinds.all(JobKinds.TrainingRuntimes.of(List.of(broken))))
        .build();
    JobConversion conversion =
        workloads.convert(KindManifests.without("TrainJob", "spec.runtimePatches"));
    assertThat(((JobConversion.Invalid) conversion).violations())
        .extracting(Object::toString)
        .containsExactly("TrainJob team-a/fine-tune: spec.runtimeRef.name: ClusterTrainingRuntime"
            + " torch-distributed: spec.template.spec.replicatedJobs: a mapping; expected a list");
  }

  @Test
  void aStartWritesOnePatchOfItsOwn() {
    GenericKubernetesResource started = start(KindManifests.get("TrainJob"));
    List<Map<String, Object>> patches = started.get("spec", "runtimePatches");
    assertThat(patches)
        .extracting(patch -> patch.get("manager"))
        .containsExactly("example.com/other", "kueue.x-k8s.io/manager");
    Object node = RawTree.get(
        patches.get(1),
        RawPath.of("trainingRuntimeSpec.template.spec.replicatedJobs").item(1));
    assertThat(RawTree.get(node, RawPath.of("name"))).isEqualTo("node");
    assertThat(RawTree.get(node, RawPath.of("template.spec.template.spec")))
        .as("what the flavors give, and not again what the runtime has")
        .isEqualTo(Map.of(
            "nodeSelector",
            Map.of("c", "s"),
            "tolerations",
            List.of(Map.of("key", "spot", "operator", "Exists"))));
    assertThat(KindManifests.podSets(started))
        .isEqualTo(KindManifests.podSets(KindManifests.get("TrainJob")));
  }

  @Test
  void tolerationsThatAUserPatchesInAreNotRepeated() {
    GenericKubernetesResource job = patched(Map.of(
        "name",
        "node",
        "template",
        Map.of(
            "spec",
            Map.of(
                "template",
                Map.of(
                    "spec",
                    Map.of(
                        "tolerations", List.of(Map.of("key", "user", "operator", "Exists"))))))));
    List<Map<String, Object>> patches = start(job).get("spec", "runtimePatches");
    assertThat(RawTree.get(
            patches.get(1),
            RawPath.of("trainingRuntimeSpec.template.spec.replicatedJobs")
                .item(1)
                .fields("template.spec.template.spec.tolerations")))
        .isEqualTo(List.of(Map.of("key", "spot", "operator", "Exists")));
  }

  @Test
  void aPatchMayAddAJobThatTheRuntimeLacks() {
    GenericKubernetesResource job = patched(Map.of(
        "name",
        "extra",
        "template",
        Map.of("spec", Map.of("template", KindManifests.template("3")))));
    assertThat(KindManifests.podSets(job))
        .as("the jobs of a patch come first, as the API server merges them")
        .containsExactly(
            "extra x1 {cpu=3000}",
            "dataset-initializer x1 {cpu=250}",
            "node x4 {cpu=2100, memory=1073741824, nvidia.com/gpu=8}");
    Object kueue = RawTree.with(Map.of(), RawPath.of("manager"), "kueue.x-k8s.io/manager");
    GenericKubernetesResource prepared = KindManifests.with(
        job,
        PATCHES.item(1),
        RawTree.with(
            kueue,
            RawPath.of("trainingRuntimeSpec.template.spec.replicatedJobs"),
            List.of(Map.of("name", "node"))));
    GenericKubernetesResource started = start(prepared);
    assertThat(RawTree.all(
            GenericJobKind.root(started),
            PATCHES.item(1).fields("trainingRuntimeSpec.template.spec.replicatedJobs.*.name")))
        .as("a patch that lacks jobs is completed")
        .containsExactly("node", "extra", "dataset-initializer");
    assertThat(start(started)).isEqualTo(started);
    assertThat(EDITOR.stop(started, EDITOR.snapshot(prepared))).isEqualTo(prepared);
  }

  private static GenericKubernetesResource patched(Map<String, Object> replicatedJob) {
    Object patch = RawTree.with(Map.of(), RawPath.of("manager"), "example.com/user");
    return KindManifests.with(
        KindManifests.get("TrainJob"),
        PATCHES,
        List.of(RawTree.with(
            patch,
            RawPath.of("trainingRuntimeSpec.template.spec.replicatedJobs"),
            List.of(replicatedJob))));
  }

  @Test
  void aPatchThatAWebhookHasMadeIsFilledAndEmptiedAgain() {
    GenericKubernetesResource job = KindManifests.get("TrainJob");
    List<Object> patches =
        new ArrayList<>((List<?>) RawTree.get(GenericJobKind.root(job), PATCHES));
    patches.add(
        0,
        Map.of(
            "manager",
            "kueue.x-k8s.io/manager",
            "trainingRuntimeSpec",
            Map.of("template", Map.of("spec", Map.of()))));
    GenericKubernetesResource prepared = KindManifests.with(job, PATCHES, patches);
    GenericKubernetesResource started = start(prepared);
    assertThat(started.<List<Object>>get("spec", "runtimePatches")).hasSize(2);
    assertThat(EDITOR.stop(started, EDITOR.snapshot(prepared))).isEqualTo(prepared);
    assertThat(start(started)).isEqualTo(started);
  }

  @Test
  void readsTheStatus() {
    GenericKubernetesResource job = KindManifests.with(
        "TrainJob",
        "status.jobsStatus",
        List.of(
            Map.of("name", "dataset-initializer", "succeeded", 1),
            Map.of("name", "node", "active", 1, "ready", 1)));
    JobKind<GenericKubernetesResource> kind = KindManifests.KINDS.get(job);
    assertThat(kind.isActive(job)).isTrue();
    assertThat(kind.podsReady(job)).isTrue();
    assertThat(kind.reclaimablePods(job)).containsExactly(Map.entry("dataset-initializer", 1));
    assertThat(kind.outcome(KindManifests.with(
            job,
            RawPath.of("status.conditions"),
            List.of(Map.of("type", "Complete", "status", "True", "message", "done")))))
        .contains(new JobKind.Outcome(true, "done"));
    assertThat(kind.outcome(KindManifests.with(
            job,
            RawPath.of("status.conditions"),
            List.of(Map.of("type", "Failed", "status", "True")))))
        .contains(new JobKind.Outcome(false, ""));
  }
}
