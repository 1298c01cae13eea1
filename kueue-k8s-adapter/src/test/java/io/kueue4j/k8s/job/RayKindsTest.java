package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The containers that KubeRay adds to the pods of a cluster, and jobs without a cluster of their
 * own.
 */
class RayKindsTest {
  private static final String HEAD = "spec.headGroupSpec.template.spec.containers";

  private static GenericKubernetesResource cluster(String path, @Nullable Object value) {
    return KindManifests.with("RayCluster", path, value);
  }

  private static GenericKubernetesResource elastic(GenericKubernetesResource job) {
    job.getMetadata().getAnnotations().put("kueue.x-k8s.io/elastic-job", "true");
    return job;
  }

  private static String head(GenericKubernetesResource job) {
    return KindManifests.podSets(job).get(0);
  }

  @Test
  void theAutoscalerIsInTheHead() {
    assertThat(head(elastic(cluster("spec.enableInTreeAutoscaling", true))))
        .isEqualTo("head x1 {cpu=1500, memory=2684354560}");
    GenericKubernetesResource sized = KindManifests.with(
        elastic(cluster("spec.enableInTreeAutoscaling", true)),
        RawPath.of("spec.autoscalerOptions.resources.requests.cpu"),
        2);
    assertThat(head(sized)).isEqualTo("head x1 {cpu=3000, memory=2147483648}");
  }

  @Test
  void autoscalingNeedsAnElasticJob() {
    assertThat(KindManifests.violations(cluster("spec.enableInTreeAutoscaling", true)))
        .containsExactly("spec.enableInTreeAutoscaling: true, which changes the number of pods"
            + " after admission; expected false, or the annotation kueue.x-k8s.io/elastic-job:"
            + " \"true\"");
  }

  @Test
  void redisIsCleanedUpInThePlaceOfTheHead() {
    assertThat(head(cluster("spec.gcsFaultToleranceOptions", Map.of())))
        .as("the head is larger")
        .isEqualTo("head x1 {cpu=1000, memory=2147483648}");
    Map<String, Object> small =
        Map.of("name", "h", "resources", Map.of("requests", Map.of("cpu", "100m")));
    GenericKubernetesResource job = KindManifests.with(
        cluster("spec.gcsFaultToleranceOptions", Map.of("redisAddress", "r")),
        RawPath.of(HEAD),
        List.of(small));
    assertThat(head(job)).isEqualTo("head x1 {cpu=200, memory=268435456}");
    GenericKubernetesResource annotated =
        KindManifests.with(KindManifests.get("RayCluster"), RawPath.of(HEAD), List.of(small));
    assertThat(head(annotated)).isEqualTo("head x1 {cpu=100}");
    annotated.getMetadata().getAnnotations().put("ray.io/ft-enabled", "True");
    assertThat(head(annotated)).isEqualTo("head x1 {cpu=200, memory=268435456}");
  }

  @Test
  void aLimitIsNotHiddenByTheCleanUp() {
    Map<String, Object> limited =
        Map.of("name", "h", "resources", Map.of("limits", Map.of("cpu", 4)));
    GenericKubernetesResource job = KindManifests.with(
        cluster("spec.gcsFaultToleranceOptions", Map.of()), RawPath.of(HEAD), List.of(limited));
    assertThat(head(job)).isEqualTo("head x1 {cpu=4000, memory=268435456}");
  }

  @Test
  void aGroupOfWorkersIsNotCalledHead() {
    GenericKubernetesResource job = KindManifests.with(
        KindManifests.get("RayCluster"),
        RawPath.of("spec.workerGroupSpecs").item(0).field("groupName"),
        "Head");
    assertThat(KindManifests.violations(job))
        .contains(
            "spec.workerGroupSpecs[0].groupName: \"head\" is the pod set of the head; expected"
                + " another name");
  }

  @Test
  void hostsMultiplyReplicas() {
    GenericKubernetesResource job = KindManifests.with(
        KindManifests.get("RayCluster"),
        RawPath.of("spec.workerGroupSpecs").item(1).field("numOfHosts"),
        0);
    assertThat(KindManifests.podSets(job)).contains("tpu x2 {cpu=2000}");
  }

  @Test
  void aJobSubmitsAsConfigured() {
    assertThat(
            KindManifests.podSets(KindManifests.with("RayJob", "spec.submissionMode", "HTTPMode")))
        .containsExactly("head x1 {cpu=1000}", "workers x3 {cpu=1000}");
    assertThat(KindManifests.podSets(
            KindManifests.with("RayJob", "spec.submissionMode", "SidecarMode")))
        .containsExactly("head x1 {cpu=1500, memory=209715200}", "workers x3 {cpu=1000}");
    assertThat(KindManifests.podSets(
            KindManifests.with("RayJob", "spec.submitterPodTemplate", KindManifests.template("3"))))
        .contains("submitter x1 {cpu=3000}");
  }

  @Test
  void theTemplateOfTheSubmitterComesAndGoesWithTheJob() {
    GenericKubernetesResource job = KindManifests.get("RayJob");
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    JobEditor editor = JobEditor.of(JobKinds.all());
    GenericKubernetesResource started = editor.start(
        job,
        workload,
        Jobs.admission(workload, "spot"),
        Jobs.flavors(
            ResourceFlavor.builder().name("spot").putNodeLabels("c", "s").build()));
    assertThat(started.<String>get("spec", "submitterPodTemplate", "spec", "nodeSelector", "c"))
        .isEqualTo("s");
    List<Map<String, Object>> containers =
        started.get("spec", "submitterPodTemplate", "spec", "containers");
    assertThat(containers.get(0))
        .containsEntry("name", "ray-job-submitter")
        .containsEntry("image", "ray:2.9");
    assertThat(started.<Boolean>get("spec", "suspend")).isFalse();
    GenericKubernetesResource stopped = editor.stop(started, editor.snapshot(job));
    assertThat(stopped.<Object>get("spec", "submitterPodTemplate")).isNull();
  }

  @Test
  void aJobForAnotherClusterIsNotManaged() {
    GenericKubernetesResource both =
        KindManifests.with("RayJob", "spec.clusterSelector", Map.of("ray.io/cluster", "c"));
    assertThat(KindManifests.violations(both))
        .containsExactly("spec.clusterSelector: chooses a cluster that exists; expected it, or"
            + " rayClusterSpec, alone");
    GenericKubernetesResource other = GenericJobKind.with(
        both, RawTree.without(GenericJobKind.root(both), RawPath.of("spec.rayClusterSpec")));
    assertThat(KindManifests.WORKLOADS.convert(other))
        .isEqualTo(new JobConversion.NotManaged(
            JobConversion.Reason.NO_PODS_OF_ITS_OWN,
            "RayJob team-a/rayjob runs on a cluster that exists (spec.clusterSelector), which is"
                + " admitted itself"));
  }

  @Test
  void aJobNeedsAClusterThatGoesWithIt() {
    assertThat(KindManifests.violations(KindManifests.without("RayJob", "spec.rayClusterSpec")))
        .contains("spec.rayClusterSpec: missing; expected the cluster that the job runs on");
    assertThat(KindManifests.violations(
            KindManifests.without("RayJob", "spec.shutdownAfterJobFinishes")))
        .containsExactly("spec.shutdownAfterJobFinishes: false; expected true, or the cluster keeps"
            + " its quota when the job has ended");
  }

  private static JobWorkloads withCluster(GenericKubernetesResource cluster) {
    return JobWorkloads.builder()
        .kinds(JobKinds.all().withRayClusters(JobKinds.RayClusters.of(List.of(cluster))))
        .build();
  }

  private static GenericKubernetesResource live(Object... groups) {
    GenericKubernetesResource live = cluster("spec.workerGroupSpecs", List.of(groups));
    live.getMetadata().setName("live");
    return live;
  }

  private static GenericKubernetesResource scaledJob() {
    GenericKubernetesResource job =
        elastic(KindManifests.with("RayJob", "spec.rayClusterSpec.enableInTreeAutoscaling", true));
    return KindManifests.with(job, RawPath.of("status.rayClusterName"), "live");
  }

  private static List<Integer> counts(JobWorkloads workloads, GenericKubernetesResource job) {
    return workloads.convert(job).orElseThrow().workload().podSets().stream()
        .map(PodSet::count)
        .toList();
  }

  @Test
  void theWorkersOfAScaledClusterCount() {
    JobWorkloads workloads =
        withCluster(live(Map.of("groupName", "Workers", "replicas", 5, "numOfHosts", 2)));
    assertThat(counts(workloads, scaledJob())).containsExactly(1, 10, 1);
    assertThat(counts(KindManifests.WORKLOADS, scaledJob()))
        .as("of a cluster that is not known")
        .containsExactly(1, 3, 1);
    assertThat(counts(withCluster(live(Map.of("groupName", "workers"))), scaledJob()))
        .as("of a cluster that does not say")
        .containsExactly(1, 3, 1);
    assertThat(counts(
            workloads,
            KindManifests.with(
                elastic(KindManifests.get("RayJob")), RawPath.of("status.rayClusterName"), "live")))
        .as("of a job that Ray does not scale")
        .containsExactly(1, 3, 1);
    GenericKubernetesResource service = KindManifests.with(
        elastic(KindManifests.with(
            "RayService", "spec.rayClusterConfig.enableInTreeAutoscaling", true)),
        RawPath.of("status.activeServiceStatus.rayClusterName"),
        "live");
    assertThat(counts(
            workloads,
            KindManifests.with(
                service,
                RawPath.of("spec.rayClusterConfig.workerGroupSpecs"),
                List.of(Map.of("groupName", "workers", "template", KindManifests.template("1"))))))
        .containsExactly(1, 10);
  }

  @Test
  void aScaledClusterHasTheGroupsOfItsJob() {
    JobConversion conversion =
        withCluster(live(Map.of("groupName", "other", "replicas", 5))).convert(scaledJob());
    assertThat(((JobConversion.Invalid) conversion).violations())
        .extracting(violation -> violation.field() + ": " + violation.problem())
        .containsExactly("spec.rayClusterSpec.workerGroupSpecs: no group \"other\"; expected a"
            + " group of the RayCluster live");
  }

  @Test
  void aHeadWithoutContainersIsNamed() {
    List<Object> nothing = new ArrayList<>();
    nothing.add(null);
    for (@Nullable Object containers : Arrays.<@Nullable Object>asList(null, List.of(), nothing)) {
      assertThat(KindManifests.violations(cluster(HEAD, containers)))
          .singleElement()
          .asString()
          .startsWith(HEAD);
    }
  }

  @Test
  void readsTheStatus() {
    RayJobKind kind = new RayJobKind(JobKinds.RayClusters.none());
    assertThat(kind.isActive(KindManifests.get("RayJob"))).isFalse();
    GenericKubernetesResource running =
        KindManifests.with("RayJob", "status.jobDeploymentStatus", "Running");
    assertThat(kind.isActive(running)).isTrue();
    assertThat(kind.outcome(running)).isEmpty();
    assertThat(
            kind.isActive(KindManifests.with("RayJob", "status.jobDeploymentStatus", "Suspended")))
        .isFalse();
    assertThat(kind.outcome(KindManifests.with(
            "RayJob",
            "status",
            Map.of(
                "jobDeploymentStatus", "Complete", "jobStatus", "SUCCEEDED", "message", "done"))))
        .contains(new JobKind.Outcome(true, "done"));
    assertThat(kind.outcome(KindManifests.with("RayJob", "status.jobDeploymentStatus", "Failed")))
        .contains(new JobKind.Outcome(false, ""));
    assertThat(
            kind.podsReady(KindManifests.with("RayJob", "status.rayClusterStatus.state", "ready")))
        .isTrue();
    assertThat(RayClusterKind.CLUSTER.podsReady(cluster("status.state", "ready")))
        .isTrue();
    assertThat(RayClusterKind.CLUSTER.outcome(cluster("status.state", "failed")))
        .isEmpty();
    GenericKubernetesResource service = KindManifests.with(
        "RayService", "status.conditions", List.of(Map.of("type", "Ready", "status", "True")));
    assertThat(RayClusterKind.service(JobKinds.RayClusters.none()).isActive(service))
        .isTrue();
    assertThat(RayClusterKind.service(JobKinds.RayClusters.none()).outcome(service))
        .isEmpty();
  }

  @Test
  void aJobThatKubeRayRefusesIsOnHold() {
    GenericKubernetesResource job = KindManifests.with(
        "RayJob",
        "status",
        Map.of("jobDeploymentStatus", "ValidationFailed", "message", "no entrypoint"));
    assertThat(KindManifests.WORKLOADS.convert(job))
        .isEqualTo(new JobConversion.NotManaged(
            JobConversion.Reason.ON_HOLD,
            "RayJob team-a/rayjob is not valid for KubeRay: no entrypoint"));
  }

  @Test
  void anElasticJobIsCalledByTheGenerationOfItsClusterToo() {
    for (String kind : List.of("RayCluster", "RayJob", "RayService")) {
      GenericKubernetesResource job = elastic(KindManifests.get(kind));
      job.getMetadata().setGeneration(3L);
      String name = job.getMetadata().getName();
      assertThat(KindManifests.WORKLOADS.convert(job).orElseThrow().workload())
          .satisfies(workload -> assertThat(workload.elastic()).isTrue())
          .extracting(Workload::name)
          .isEqualTo(WorkloadNames.of("ray.io", kind, name, "", "3"));
      job.getMetadata().getAnnotations().put("kueue.x-k8s.io/raycluster-generation", "2");
      assertThat(KindManifests.WORKLOADS.convert(job).orElseThrow().workload().name())
          .isEqualTo(WorkloadNames.of("ray.io", kind, name, "", "3_2"));
      job.getMetadata().getAnnotations().remove("kueue.x-k8s.io/elastic-job");
      assertThat(KindManifests.WORKLOADS.convert(job).orElseThrow().workload().name())
          .isEqualTo(WorkloadNames.of("ray.io", kind, name, ""));
    }
  }
}
