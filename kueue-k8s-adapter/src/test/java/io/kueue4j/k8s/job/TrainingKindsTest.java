package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kubeflow's jobs, AppWrappers and SparkApplications beyond their pod sets. */
class TrainingKindsTest {
  private static PriorityClass priority(String name, int value) {
    return new PriorityClassBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withValue(value)
        .build();
  }

  private static GenericKubernetesResource start(GenericKubernetesResource job) {
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    return JobEditor.of(JobKinds.all())
        .start(
            job,
            workload,
            Jobs.admission(workload, "spot"),
            Jobs.flavors(
                ResourceFlavor.builder().name("spot").putNodeLabels("c", "s").build()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TFJob", "PyTorchJob", "XGBoostJob", "PaddleJob", "JAXJob", "MPIJob"})
  void readsTheStatusOfKubeflow(String kind) {
    JobKind<GenericKubernetesResource> jobKind = JobKinds.all().get(KindManifests.get(kind));
    GenericKubernetesResource running = KindManifests.with(
        kind,
        "status",
        Map.of(
            "replicaStatuses",
            Map.of("Master", Map.of(), "Worker", Map.of("active", 2)),
            "conditions",
            List.of(Map.of("type", "Running", "status", "True"))));
    assertThat(jobKind.isActive(running)).isTrue();
    assertThat(jobKind.podsReady(running)).isTrue();
    assertThat(jobKind.outcome(running)).isEmpty();
    assertThat(jobKind.outcome(KindManifests.with(
            kind,
            "status.conditions",
            List.of(
                Map.of("type", "Running", "status", "False"),
                Map.of("type", "Failed", "status", "True", "message", "exit 1")))))
        .contains(new JobKind.Outcome(false, "exit 1"));
    assertThat(jobKind.outcome(KindManifests.with(
            kind, "status.conditions", List.of(Map.of("type", "Succeeded", "status", "True")))))
        .contains(new JobKind.Outcome(true, ""));
    assertThat(jobKind.podSets(running))
        .allSatisfy(podSet -> assertThat(podSet.index())
            .contains(JobPodSet.Index.of("training.kubeflow.org/replica-index")));
  }

  @Test
  void anUnknownTypeOfReplicasIsNotOverlooked() {
    assertThat(KindManifests.violations(KindManifests.with(
            "PyTorchJob", "spec.pytorchReplicaSpecs.worker", Map.of("replicas", 8))))
        .containsExactly("spec.pytorchReplicaSpecs.worker: not known, so that its pods would have"
            + " no quota; expected [Master, Worker]");
    assertThat(KindManifests.violations(
            KindManifests.without("JAXJob", "spec.jaxReplicaSpecs.Worker")))
        .containsExactly("spec: 0 pod sets; expected 1 to 18");
  }

  @Test
  void thePriorityOfTheRunPolicyComesFirst() {
    JobWorkloads workloads = JobWorkloads.builder()
        .kinds(JobKinds.all())
        .addPriorityClasses(priority("policy", 3), priority("worker", 2), priority("launcher", 1))
        .build();
    GenericKubernetesResource job = KindManifests.with(
        "MPIJob", "spec.mpiReplicaSpecs.Worker.template.spec.priorityClassName", "worker");
    assertThat(workloads.convert(job).orElseThrow().workload().priority()).isEqualTo(2);
    job = KindManifests.with(
        job,
        RawPath.of("spec.mpiReplicaSpecs.Launcher.template.spec.priorityClassName"),
        "launcher");
    assertThat(workloads.convert(job).orElseThrow().workload().priority()).isEqualTo(1);
    job = KindManifests.with(
        job, RawPath.of("spec.runPolicy.schedulingPolicy.priorityClass"), "policy");
    assertThat(workloads.convert(job).orElseThrow().workload().priority()).isEqualTo(3);
  }

  @Test
  void aWrappedObjectIsNotTouched() {
    GenericKubernetesResource job = KindManifests.get("AppWrapper");
    GenericKubernetesResource started = start(job);
    RawPath first = RawPath.of("spec.components").item(0);
    assertThat(RawTree.get(GenericJobKind.root(started), first.field("template")))
        .isEqualTo(RawTree.get(GenericJobKind.root(job), first.field("template")));
    assertThat(
            RawTree.get(GenericJobKind.root(started), first.field("podSetInfos").item(1)))
        .as("what the template has already is not said again")
        .isEqualTo(Map.of(
            "labels",
            Map.of(
                "kueue.x-k8s.io/podset", "wrapped-1",
                "kueue.x-k8s.io/local-queue-name", "lq",
                "kueue.x-k8s.io/cluster-queue-name", "cq"),
            "annotations",
            Map.of(
                "kueue.x-k8s.io/workload",
                KindManifests.WORKLOADS.convert(job).orElseThrow().workload().name()),
            "nodeSelector",
            Map.of("c", "s")));
    assertThat(RawTree.has(
            GenericJobKind.root(started),
            RawPath.of("spec.components").item(1).field("podSetInfos")))
        .as("a component without pods")
        .isFalse();
  }

  @Test
  void anAppWrapperConflictsWithWhatItsTemplatesSay() {
    GenericKubernetesResource job = KindManifests.get("AppWrapper");
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    assertThat(catchThrowableOfType(
            JobStartException.class,
            () -> JobEditor.of(JobKinds.all())
                .start(
                    job,
                    workload,
                    Jobs.admission(workload, "spot"),
                    Jobs.flavors(ResourceFlavor.builder()
                        .name("spot")
                        .putNodeLabels("zone", "other")
                        .build()))))
        .hasMessageStartingWith("pod set wrapped-1: "
            + "spec.components[0].template.spec.pytorchReplicaSpecs.Worker.template"
            + ".spec.nodeSelector[zone] is \"z\", the admission needs \"other\"");
  }

  @Test
  void theDeclaredPathOfATemplateMustLeadToOne() {
    RawPath path =
        RawPath.of("spec.components").item(2).field("podSets").item(0).field("path");
    for (String wrong : List.of(
        "",
        "spec.groups[0]",
        "template.spec.groups[1].pods",
        "template.x",
        "template.spec.groups[a].pods",
        "template.spec.groups[0][0]")) {
      assertThat(KindManifests.violations(
              KindManifests.with(KindManifests.get("AppWrapper"), path, wrong)))
          .as(wrong)
          .isNotEmpty()
          .allSatisfy(problem ->
              assertThat(problem).startsWith("spec.components[2].podSets[0].path: \"" + wrong));
    }
  }

  @Test
  void theNumberOfAnAppWrapperPodSetIsThatOfItsTemplate() {
    AppWrapperKind kind = new AppWrapperKind();
    assertThat(kind.podSets(KindManifests.get("AppWrapper")))
        .extracting(JobPodSet::name)
        .containsExactly("wrapped-0", "wrapped-1", "wrapped-2", "wrapped-3");
    assertThat(kind.podSets(KindManifests.get("AppWrapper")).get(3).index())
        .contains(JobPodSet.Index.of("batch.kubernetes.io/job-completion-index"));
    assertThat(kind.outcome(KindManifests.with("AppWrapper", "status.phase", "Succeeded")))
        .contains(new JobKind.Outcome(true, "AppWrapper finished successfully"));
    GenericKubernetesResource failed = KindManifests.with("AppWrapper", "status.phase", "Failed");
    assertThat(kind.outcome(failed)).contains(new JobKind.Outcome(false, "AppWrapper failed"));
    assertThat(kind.outcome(KindManifests.with(
            failed,
            RawPath.of("status.conditions"),
            List.of(Map.of("type", "ResourcesDeployed", "status", "True")))))
        .as("still deleting")
        .isEmpty();
  }

  @Test
  void aStartMovesTheNodeSelectorOfASparkApplication() {
    GenericKubernetesResource started = start(KindManifests.get("SparkApplication"));
    assertThat(started.<Object>get("spec", "nodeSelector")).isNull();
    assertThat(started.<Map<String, String>>get("spec", "driver", "nodeSelector"))
        .containsExactly(Map.entry("zone", "z"), Map.entry("c", "s"));
    assertThat(started.<Map<String, String>>get("spec", "executor", "nodeSelector"))
        .containsExactly(Map.entry("zone", "z"), Map.entry("c", "s"));
    assertThat(started.<Map<String, String>>get("spec", "executor", "labels"))
        .containsEntry("team", "a")
        .containsEntry("kueue.x-k8s.io/podset", "executor");
    assertThat(started.<Object>get("spec", "driver", "template")).isNull();
  }

  @Test
  void sparkRunsInTheClusterWithAFixedNumberOfExecutors() {
    assertThat(KindManifests.violations(
            KindManifests.with("SparkApplication", "spec.dynamicAllocation.enabled", true)))
        .containsExactly("spec.dynamicAllocation.enabled: true, which changes the number of"
            + " executors after admission; expected false");
    assertThat(
            KindManifests.violations(KindManifests.with("SparkApplication", "spec.mode", "client")))
        .containsExactly("spec.mode: \"client\"; expected cluster: other drivers run elsewhere");
    assertThat(KindManifests.violations(
            KindManifests.with("SparkApplication", "spec.driver.memory", "much")))
        .singleElement()
        .asString()
        .startsWith("spec.driver.memory: ")
        .contains("much");
  }

  @Test
  void readsMemoryAsJavaWritesIt() {
    assertThat(SparkPods.kubernetesMemory("512m")).isEqualTo("512Mi");
    assertThat(SparkPods.kubernetesMemory(" 2GB ")).isEqualTo("2Gi");
    assertThat(SparkPods.kubernetesMemory("1t")).isEqualTo("1Ti");
    assertThat(SparkPods.kubernetesMemory("64Kb")).isEqualTo("64Ki");
    assertThat(SparkPods.kubernetesMemory("1Gi")).isEqualTo("1Gi");
    assertThat(SparkPods.kubernetesMemory("100")).isEqualTo("100");
  }

  @Test
  void sparkIsReadyWhenItsExecutorsAre() {
    SparkApplicationKind kind = new SparkApplicationKind();
    GenericKubernetesResource running =
        KindManifests.with("SparkApplication", "status.applicationState.state", "RUNNING");
    assertThat(kind.isActive(running)).isTrue();
    assertThat(kind.podsReady(running)).isFalse();
    assertThat(kind.podsReady(KindManifests.with(
            running,
            RawPath.of("status.executorState"),
            Map.of("e-1", "RUNNING", "e-2", "COMPLETED", "e-3", "PENDING"))))
        .isTrue();
    assertThat(kind.outcome(KindManifests.with(
            "SparkApplication",
            "status.applicationState",
            Map.of("state", "SUBMISSION_FAILED", "errorMessage", "no image"))))
        .contains(new JobKind.Outcome(false, "no image"));
    assertThat(kind.outcome(
            KindManifests.with("SparkApplication", "status.applicationState.state", "COMPLETED")))
        .contains(new JobKind.Outcome(true, ""));
  }
}
