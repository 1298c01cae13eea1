package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Violation;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kind of job whose objects have no class of their own. A start and a stop edit the relevant
 * fields in the tree of the object and leave everything else as it is.
 */
abstract class GenericJobKind implements JobKind<GenericKubernetesResource> {
  private final String apiGroup;
  private final String kind;
  private final RawPath suspend;

  GenericJobKind(String apiGroup, String kind, RawPath suspend) {
    this.apiGroup = apiGroup;
    this.kind = kind;
    this.suspend = suspend;
  }

  /** {@return the pod sets, in the order of the workload; reports problems to {@code fields}} */
  abstract List<PlacedPodSet> read(JobFields fields);

  /** Adds violations in values that can be read. */
  void check(JobFields fields) {}

  @Override
  public final Class<GenericKubernetesResource> type() {
    return GenericKubernetesResource.class;
  }

  @Override
  public final String apiGroup() {
    return apiGroup;
  }

  @Override
  public final String kind() {
    return kind;
  }

  @Override
  public boolean isSuspended(GenericKubernetesResource job) {
    return Boolean.TRUE.equals(RawTree.get(root(job), suspend));
  }

  @Override
  public GenericKubernetesResource withSuspend(GenericKubernetesResource job, boolean value) {
    return with(job, RawTree.with(root(job), suspend, value));
  }

  @Override
  public final List<JobPodSet> podSets(GenericKubernetesResource job) {
    return placed(job).stream().map(PlacedPodSet::podSet).collect(ImmutableList.toImmutableList());
  }

  @Override
  public GenericKubernetesResource withPodSets(
      GenericKubernetesResource job, List<JobPodSet> podSets) {
    List<PlacedPodSet> placed = placed(job);
    Object edited = root(job);
    for (int i = 0; i < placed.size(); i++) {
      edited = placed.get(i).place().write(edited, podSets.get(i).template());
    }
    return with(job, edited);
  }

  @Override
  public JobSnapshot.SavedFields savedFields(GenericKubernetesResource job) {
    return JobSnapshot.SavedFields.of(root(job), wholes(job), paths(job));
  }

  @Override
  public GenericKubernetesResource withSavedFields(
      GenericKubernetesResource job, JobSnapshot.SavedFields saved) {
    return with(job, saved.restore(root(job), wholes(job), paths(job)));
  }

  @Override
  public final List<Violation> malformed(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    // For the problems that reading finds.
    var unusedFlag = fields.bool(suspend);
    var unusedPodSets = read(fields);
    return fields.problems();
  }

  @Override
  public final List<Violation> violations(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    List<PlacedPodSet> placed = read(fields);
    if (placed.isEmpty() || placed.size() > JobSetKind.MAX_POD_SETS) {
      fields.problem(
          RawPath.of("spec"),
          placed.size() + " pod sets; expected 1 to " + JobSetKind.MAX_POD_SETS);
    }
    Set<String> names = new HashSet<>();
    for (PlacedPodSet each : placed) {
      if (!names.add(each.podSet().name())) {
        fields.problem(
            RawPath.of("spec"),
            "two pod sets are called \"" + each.podSet().name() + "\", the second of them at "
                + each.podSet().path());
      }
    }
    check(fields);
    return fields.problems();
  }

  /** {@return fields that a start writes in addition to the fields of the pod sets} */
  ImmutableList<RawPath> alsoWritten() {
    return ImmutableList.of();
  }

  /**
   * {@return objects that a start creates where they are missing, in addition to the skeletons of
   * the pod sets}
   */
  ImmutableList<RawPath> alsoMade(GenericKubernetesResource job) {
    return ImmutableList.of();
  }

  static Object root(GenericKubernetesResource job) {
    return job.getAdditionalProperties();
  }

  /**
   * {@return a copy of the job with the fields of {@code root}, except metadata, kind and version}
   */
  static GenericKubernetesResource with(GenericKubernetesResource job, Object root) {
    GenericKubernetesResource copy = new GenericKubernetesResource();
    copy.setApiVersion(job.getApiVersion());
    copy.setKind(job.getKind());
    copy.setMetadata(job.getMetadata());
    Map<String, Object> fields = new LinkedHashMap<>(RawTree.mapping(root));
    copy.setAdditionalProperties(fields);
    return copy;
  }

  private List<PlacedPodSet> placed(GenericKubernetesResource job) {
    JobFields fields = new JobFields(job);
    List<PlacedPodSet> placed = read(fields);
    fields.throwIfAny();
    return placed;
  }

  private ImmutableList<RawPath> wholes(GenericKubernetesResource job) {
    return Stream.concat(
            alsoMade(job).stream(),
            placed(job).stream()
                .flatMap(each -> each.place().skeleton().stream())
                .map(InjectionPlace.Skeleton::path))
        .distinct()
        .collect(ImmutableList.toImmutableList());
  }

  private ImmutableList<RawPath> paths(GenericKubernetesResource job) {
    ImmutableList.Builder<RawPath> paths = ImmutableList.builder();
    placed(job).forEach(each -> paths.addAll(each.place().fields()));
    return paths.addAll(alsoWritten()).build();
  }
}
