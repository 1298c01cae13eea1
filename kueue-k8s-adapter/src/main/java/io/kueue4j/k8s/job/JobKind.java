package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Reads and edits one kind of job: its pod sets, its suspension, its progress.
 *
 * <p>What all jobs have in common (queue, priority, gates, node selectors …) is handled elsewhere.
 * Implementations are stateless, never modify the given job, and treat absent fields as the API
 * server's defaults.
 *
 * @param <J> the class of its objects
 * @since 0.1.0
 */
public interface JobKind<J extends HasMetadata> {
  /**
   * {@return this kind as Kueue reads it with these settings: its version and its feature gates}
   */
  default JobKind<J> forSettings(Settings settings) {
    return this;
  }

  /**
   * {@return whether the API server lets the affinity of the pod templates of a suspended job
   * change}
   */
  default boolean acceptsAffinity() {
    return true;
  }

  /** {@return the class of its objects} */
  Class<J> type();

  /** {@return the API group without version, for example {@code batch}} */
  String apiGroup();

  /** {@return the kind, for example {@code Job}} */
  String kind();

  /** {@return whether the job is completely suspended} */
  boolean isSuspended(J job);

  /** {@return a copy of the job with the given suspension} */
  J withSuspend(J job, boolean suspend);

  /** {@return its pod sets, in the order of the job} */
  List<JobPodSet> podSets(J job);

  /**
   * {@return a copy of the job with the templates of {@code podSets}, and their count fields if
   * they have any}
   *
   * @param podSets the edited result of {@link #podSets} of the same job, in the same order
   */
  J withPodSets(J job, List<JobPodSet> podSets);

  /**
   * {@return {@code podSet} with the count fields for an admission of {@code count} pods; called
   * only if the pod set has a minimum}
   */
  default JobPodSet resize(J job, JobPodSet podSet, int count) {
    return podSet;
  }

  /** {@return how the job ended, empty if it has not} */
  Optional<Outcome> outcome(J job);

  /** {@return whether any of its pods exists and has not finished} */
  boolean isActive(J job);

  /** {@return whether all its pods are ready or have succeeded} */
  boolean podsReady(J job);

  /**
   * {@return the pods that will not run again and need no quota, by pod set; pod sets without any
   * are absent}
   */
  default SortedMap<String, Integer> reclaimablePods(J job) {
    return ImmutableSortedMap.of();
  }

  /** {@return the value of {@link #reclaimablePods}, at most the pods of {@code workload}} */
  default SortedMap<String, Integer> reclaimablePods(J job, Workload workload) {
    SortedMap<String, Integer> ended = reclaimablePods(job);
    return workload.podSets().stream()
        .filter(podSet -> ended.getOrDefault(podSet.name(), 0) > 0)
        .collect(ImmutableSortedMap.toImmutableSortedMap(
            Comparator.naturalOrder(),
            PodSet::name,
            podSet -> Math.min(ended.getOrDefault(podSet.name(), 0), podSet.count())));
  }

  /**
   * {@return whether jobs of this kind may be scaled while they run, as elastic slices; rule E-2}
   */
  default boolean supportsElasticJobs() {
    return false;
  }

  /**
   * {@return whether pod sets of jobs of this kind may be placed together, so that a group with one
   * pod set is a violation; for other kinds such a group is ignored; rule T-90}
   */
  default boolean groupsPodSets() {
    return false;
  }

  /** {@return whether jobs of this kind may name an existing Workload; rule J-27} */
  default boolean supportsPrebuiltWorkloads() {
    return false;
  }

  /** {@return violations of rules of this kind that prevent the conversion of the job} */
  default List<Violation> violations(J job) {
    return ImmutableList.of();
  }

  /**
   * {@return fields of invalid form, which prevent reading the pod sets; if there are any,
   * {@link #podSets} must not be called}
   */
  default List<Violation> malformed(J job) {
    return ImmutableList.of();
  }

  /**
   * {@return the fields that a start writes, for objects without a class, whose pod sets do not
   * retain the notation}
   */
  default JobSnapshot.SavedFields savedFields(J job) {
    return JobSnapshot.SavedFields.none();
  }

  /** {@return a copy of the job with the fields restored to {@code saved}} */
  default J withSavedFields(J job, JobSnapshot.SavedFields saved) {
    return job;
  }

  /** {@return why the job, in its present state, is not managed} */
  default Optional<JobConversion.NotManaged> notManaged(J job) {
    return Optional.empty();
  }

  /**
   * {@return the jobs that are admitted in place of this one, each separately: only the job itself,
   * unless its kind has pods in groups}
   *
   * <p>They differ only in their names. The list may create its elements on access.
   *
   * @param name the name of the job, which may have been generated
   */
  default List<? extends HasMetadata> parts(J job, String name) {
    return ImmutableList.of(job);
  }

  /** {@return the name of the workload of a job with this name and uid, which may be empty} */
  default String workloadName(J job, String name, String uid) {
    return WorkloadNames.of(apiGroup(), kind(), name, uid, ElasticJobs.nameExtra(job));
  }

  /**
   * {@return whether its pods exist before they are admitted, so that the pods are started and not
   * the job: as {@link PodGroup}s, or each as a job}
   */
  default boolean startsByPods() {
    return false;
  }

  /**
   * {@return the group that a pod is to be admitted with, if the job has created the pod and its
   * pods are admitted in groups; called only if the job {@link #startsByPods}}
   */
  default Optional<Membership> membership(J job, Pod pod) {
    return Optional.empty();
  }

  /** {@return whether a running job can be suspended; otherwise it is stopped by deletion} */
  default boolean isStoppable() {
    return true;
  }

  /**
   * {@return the pod priority class that the job names outside its templates; it overrides the
   * classes of the templates}
   */
  default Optional<String> priorityClassName(J job) {
    return Optional.empty();
  }

  /**
   * {@return labels of the templates that belong to this kind's own controller and are kept by a
   * stop}
   */
  default Set<String> managedLabels() {
    return ImmutableSet.of();
  }

  /**
   * How a job ended.
   *
   * @param succeeded whether it succeeded
   * @param message the job's own message, may be empty
   * @since 0.1.0
   */
  public record Outcome(boolean succeeded, String message) {}

  /**
   * The membership of a pod that another object has created in a {@link PodGroup}, which is
   * admitted in place of that object. Immutable.
   *
   * <p>Rules: J-11.
   *
   * @param group the name of the group
   * @param totalCount the number of pods in the group
   * @param role the pod set of the pod
   * @param fastAdmission whether the group is complete as soon as its first pod exists: the others
   *     are equal and are created when the first runs
   * @since 0.1.0
   */
  public record Membership(String group, int totalCount, String role, boolean fastAdmission) {

    /**
     * {@return a copy of a pod, not bound to a node yet, that waits for admission with its group}
     */
    public Pod applyTo(Pod pod) {
      Pod member = PodGroup.member(pod, group, totalCount, role);
      return fastAdmission
          ? new PodBuilder(member)
              .withMetadata(new ObjectMetaBuilder(member.getMetadata())
                  .addToAnnotations(MetadataKeys.POD_GROUP_FAST_ADMISSION, "true")
                  .build())
              .build()
          : member;
    }
  }
}
