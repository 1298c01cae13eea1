package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Optional;

/**
 * JobKinds.RayClusters and RayServices of {@code ray.io}, which run until they are deleted. Rules:
 * J-9.
 */
final class RayClusterKind extends GenericJobKind {
  static final RayClusterKind CLUSTER = new RayClusterKind(
      "RayCluster",
      "spec",
      DeclaredJobKind.StatusCheck.value("status.state", "ready"),
      RawPath.of("status.rayClusterName"),
      JobKinds.RayClusters.none());
  private final RawPath spec;
  private final DeclaredJobKind.StatusCheck ready;
  private final RawPath clusterName;
  private final JobKinds.RayClusters clusters;

  private RayClusterKind(
      String kind,
      String spec,
      DeclaredJobKind.StatusCheck ready,
      RawPath clusterName,
      JobKinds.RayClusters clusters) {
    super("ray.io", kind, RawPath.of(spec + ".suspend"));
    this.spec = RawPath.of(spec);
    this.ready = ready;
    this.clusterName = clusterName;
    this.clusters = clusters;
  }

  /** {@return the kind RayService, with a finder of its clusters} */
  static RayClusterKind service(JobKinds.RayClusters clusters) {
    return new RayClusterKind(
        "RayService",
        "spec.rayClusterConfig",
        DeclaredJobKind.StatusCheck.condition("Ready"),
        RawPath.of("status.activeServiceStatus.rayClusterName"),
        clusters);
  }

  /** {@return this kind with another finder of clusters, if its jobs have clusters} */
  RayClusterKind with(JobKinds.RayClusters others) {
    return this == CLUSTER ? this : service(others);
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    return RayPodSets.scaled(
        fields, spec, clusterName, clusters, RayPodSets.read(fields, spec, ImmutableList.of()));
  }

  @Override
  void check(JobFields fields) {
    RayPodSets.check(fields, spec);
  }

  /**
   * {@return the name} A RayCluster has no cluster of its own, so the second part of the generation
   * is always absent.
   */
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
    return Optional.empty();
  }

  @Override
  public boolean isActive(GenericKubernetesResource job) {
    return ready.holds(root(job));
  }

  @Override
  public boolean podsReady(GenericKubernetesResource job) {
    return ready.holds(root(job));
  }
}
