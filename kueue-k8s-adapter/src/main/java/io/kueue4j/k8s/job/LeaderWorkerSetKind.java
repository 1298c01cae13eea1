package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.topology.PodPlacer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * LeaderWorkerSets: each group is admitted separately, with the pod sets {@code leader} and
 * {@code worker}, or {@code main} if all its pods are equal. Rules: J-11.
 */
final class LeaderWorkerSetKind extends ServingKind {
  static final String FRAMEWORK = "leaderworkerset.x-k8s.io/leaderworkerset";

  private static final RawPath GROUP = RawPath.of("spec.leaderWorkerTemplate");
  private static final RawPath LEADER = GROUP.field("leaderTemplate");
  private static final RawPath WORKER = GROUP.field("workerTemplate");
  private static final String SET_NAME = "leaderworkerset.sigs.k8s.io/name";
  private static final String GROUP_INDEX = "leaderworkerset.sigs.k8s.io/group-index";
  private static final String WORKER_INDEX = "leaderworkerset.sigs.k8s.io/worker-index";
  private static final String WORKERS = "worker";

  /** The maximum number of groups that Kueue accepts. */
  private static final int MAX_REPLICAS = 1_000_000;

  LeaderWorkerSetKind() {
    super("leaderworkerset.x-k8s.io", "LeaderWorkerSet", FRAMEWORK);
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    int size = fields.count(GROUP.field("size")).orElse(1);
    if (!fields.isWritten(LEADER)) {
      return ImmutableList.of(placed(fields, "main", WORKER, size, true));
    }
    return ImmutableList.of(
        placed(fields, "leader", LEADER, 1, false),
        placed(fields, WORKERS, WORKER, Math.max(size - 1, 0), true));
  }

  @Override
  void check(JobFields fields) {
    int replicas = fields.count(REPLICAS).orElse(1);
    if (replicas > MAX_REPLICAS) {
      fields.problem(
          REPLICAS, replicas + "; expected at most " + MAX_REPLICAS + ", each is one workload");
    }
    if (fields.count(GROUP.field("size")).orElse(1) == 0) {
      fields.problem(GROUP.field("size"), "0; expected at least the leader");
    }
  }

  @Override
  public boolean groupsPodSets() {
    return true;
  }

  /** {@return one LeaderWorkerSet with one replica and a name of its own for each group} */
  @Override
  public List<GenericKubernetesResource> parts(GenericKubernetesResource job, String name) {
    Object group = RawTree.with(root(job), REPLICAS, 1);
    return numbered(replicas(new JobFields(job)), index -> {
      GenericKubernetesResource part = with(job, group);
      part.setMetadata(new ObjectMetaBuilder(JobMetadata.metadata(job))
          .withName(name + "-" + index)
          .build());
      return part;
    });
  }

  /**
   * {@return the membership} The labels set by the controller contain the group of a pod and its
   * index in the group.
   */
  @Override
  public Optional<JobKind.Membership> membership(GenericKubernetesResource job, Pod pod) {
    Map<String, String> labels = JobMetadata.labels(pod);
    String group = labels.get(GROUP_INDEX);
    if (group == null || !JobMetadata.name(job).equals(labels.get(SET_NAME))) {
      return Optional.empty();
    }
    List<JobPodSet> podSets = podSets(job);
    boolean leads = "0".equals(labels.get(WORKER_INDEX));
    return Optional.of(new JobKind.Membership(
        groupName(job, JobMetadata.name(job) + "-" + group),
        podSets.stream().mapToInt(JobPodSet::count).sum(),
        podSets.get(leads ? 0 : podSets.size() - 1).name(),
        false));
  }

  @Override
  ImmutableMap<String, String> marks(GenericKubernetesResource job, JobPodSet podSet) {
    ImmutableMap.Builder<String, String> marks = ImmutableMap.builder();
    marks.put(MetadataKeys.POD_GROUP_SERVING, "true");
    // The leader is number 0 of the group. In a pod set group the index includes it.
    if (podSet.name().equals(WORKERS)
        && TopologyAnnotations.group(podSet.template()).isEmpty()) {
      marks.put(PodPlacer.POD_INDEX_OFFSET, "1");
    }
    return marks.buildOrThrow();
  }

  private static PlacedPodSet placed(
      JobFields fields, String name, RawPath path, int count, boolean counted) {
    JobPodSet podSet = JobPodSet.of(name, path.text(), fields.template(path), count);
    return new PlacedPodSet(
        counted ? podSet.withIndex(JobPodSet.Index.of(WORKER_INDEX)) : podSet,
        InjectionPlace.template(path));
  }
}
