package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * RayJobs of {@code ray.io}: a cluster, and the submitter of the job, which is a pod of its own or
 * a container of the head. A job for an existing cluster has no pods to admit. Rules: J-9, J-10.
 */
final class RayJobKind extends GenericJobKind {
  private static final RawPath CLUSTER = RawPath.of("spec.rayClusterSpec");
  private static final RawPath CLUSTER_SELECTOR = RawPath.of("spec.clusterSelector");
  private static final RawPath SUBMITTER = RawPath.of("spec.submitterPodTemplate");
  private static final RawPath SHUTDOWN = RawPath.of("spec.shutdownAfterJobFinishes");
  private static final String SUBMITTER_CONTAINER = "ray-job-submitter";
  private static final ResourceRequirements SUBMITTER_RESOURCES = new ResourceRequirements(
      null,
      Map.of("cpu", new Quantity("1"), "memory", new Quantity("1Gi")),
      Map.of("cpu", new Quantity("500m"), "memory", new Quantity("200Mi")));
  private static final DeclaredJobKind.StatusCheck ENDED = DeclaredJobKind.StatusCheck.value(
          "status.jobDeploymentStatus", "Failed", "Complete")
      .message("status.message");
  private static final DeclaredJobKind.StatusCheck SUCCEEDED =
      DeclaredJobKind.StatusCheck.value("status.jobStatus", "SUCCEEDED");
  private static final DeclaredJobKind.StatusCheck READY =
      DeclaredJobKind.StatusCheck.value("status.rayClusterStatus.state", "ready");
  private static final DeclaredJobKind.StatusCheck REFUSED = DeclaredJobKind.StatusCheck.value(
          "status.jobDeploymentStatus", "ValidationFailed")
      .message("status.message");

  private static final RawPath CLUSTER_NAME = RawPath.of("status.rayClusterName");

  private final JobKinds.RayClusters clusters;

  RayJobKind(JobKinds.RayClusters clusters) {
    super("ray.io", "RayJob", RawPath.of("spec.suspend"));
    this.clusters = clusters;
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    String mode = fields.text(RawPath.of("spec.submissionMode")).orElse("K8sJobMode");
    List<PlacedPodSet> cluster = RayPodSets.scaled(
        fields,
        CLUSTER,
        CLUSTER_NAME,
        clusters,
        RayPodSets.read(
            fields,
            CLUSTER,
            mode.equals("SidecarMode") ? ImmutableList.of(submitter("")) : ImmutableList.of()));
    return mode.equals("K8sJobMode")
        ? ImmutableList.<PlacedPodSet>builder()
            .addAll(cluster)
            .add(submitterPod(fields, cluster))
            .build()
        : cluster;
  }

  @Override
  void check(JobFields fields) {
    if (fields.isWritten(CLUSTER) && !fields.mapping(CLUSTER_SELECTOR).isEmpty()) {
      fields.problem(
          CLUSTER_SELECTOR, "chooses a cluster that exists; expected it, or rayClusterSpec, alone");
    }
    if (!fields.isWritten(CLUSTER)) {
      fields.problem(CLUSTER, "missing; expected the cluster that the job runs on");
    }
    if (!fields.bool(SHUTDOWN).orElse(false)) {
      fields.problem(
          SHUTDOWN, "false; expected true, or the cluster keeps its quota when the job has ended");
    }
    RayPodSets.check(fields, CLUSTER);
  }

  @Override
  public Optional<JobConversion.NotManaged> notManaged(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    if (!fields.isWritten(CLUSTER) && !fields.mapping(CLUSTER_SELECTOR).isEmpty()) {
      return Optional.of(new JobConversion.NotManaged(
          JobConversion.Reason.NO_PODS_OF_ITS_OWN,
          JobMetadata.describe(job)
              + " runs on a cluster that exists (spec.clusterSelector), which is admitted itself"));
    }
    return REFUSED
        .find(root(job))
        .map(message -> new JobConversion.NotManaged(
            JobConversion.Reason.ON_HOLD,
            JobMetadata.describe(job) + " is not valid for KubeRay: " + message));
  }

  @Override
  public String workloadName(GenericKubernetesResource job, String name, String uid) {
    return WorkloadNames.of(apiGroup(), kind(), name, uid, ElasticJobs.rayNameExtra(job));
  }

  @Override
  public boolean supportsPrebuiltWorkloads() {
    return true;
  }

  @Override
  public boolean groupsPodSets() {
    return true;
  }

  @Override
  public boolean supportsElasticJobs() {
    return true;
  }

  @Override
  public Optional<JobKind.Outcome> outcome(GenericKubernetesResource job) {
    return ENDED
        .find(root(job))
        .map(message -> new JobKind.Outcome(SUCCEEDED.holds(root(job)), message));
  }

  @Override
  public boolean isActive(GenericKubernetesResource job) {
    String status =
        new JobFields(job).text(RawPath.of("status.jobDeploymentStatus")).orElse("");
    return !status.isEmpty() && !status.equals("Suspended");
  }

  @Override
  public boolean podsReady(GenericKubernetesResource job) {
    return READY.holds(root(job));
  }

  /**
   * {@return the submitter pod} If the job has no template for it, KubeRay creates one with the
   * image of the head.
   */
  private static PlacedPodSet submitterPod(JobFields fields, List<PlacedPodSet> cluster) {
    PodTemplateSpec byDefault = new PodTemplateSpecBuilder()
        .withNewSpec()
        .withContainers(submitter(image(cluster.get(0).podSet().template())))
        .withRestartPolicy("Never")
        .endSpec()
        .build();
    PodTemplateSpec template = fields.isWritten(SUBMITTER) ? fields.template(SUBMITTER) : byDefault;
    return new PlacedPodSet(
        JobPodSet.of("submitter", SUBMITTER.text(), template, 1),
        InjectionPlace.template(SUBMITTER).withSkeleton(SUBMITTER, RawValues.of(byDefault)));
  }

  private static Container submitter(String image) {
    return new ContainerBuilder()
        .withName(SUBMITTER_CONTAINER)
        .withImage(Strings.emptyToNull(image))
        .withResources(SUBMITTER_RESOURCES)
        .build();
  }

  private static String image(PodTemplateSpec head) {
    return head.getSpec() == null
        ? ""
        : Elements.<Container>of(head.getSpec().getContainers()).stream()
            .findFirst()
            .map(container -> Strings.nullToEmpty(container.getImage()))
            .orElse("");
  }
}
