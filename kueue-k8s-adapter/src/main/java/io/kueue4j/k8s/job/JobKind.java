package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Violation;
import java.util.List;
import java.util.Optional;

/**
 * What admission must know of one kind of job: where its pods are written, how it is suspended, how
 * far it is.
 *
 * <p>Everything that all jobs have in common (queue, priority, gates, node selectors …) is done
 * elsewhere, once. Implementations are stateless, never modify the job that they are given, and
 * take fields that are not written for what the API server would default them to.
 *
 * @param <J> the class of its objects
 */
public interface JobKind<J extends HasMetadata> {
  /** {@return the class of its objects} */
  Class<J> type();

  /** {@return the API group without version, for example {@code batch}} */
  String apiGroup();

  /** {@return the kind, for example {@code Job}} */
  String kind();

  /** {@return whether the job is suspended, completely} */
  boolean isSuspended(J job);

  /** {@return a copy of the job that is suspended or not} */
  J withSuspend(J job, boolean suspend);

  /** {@return its pods, in the order of the job} */
  ImmutableList<JobPodSet> podSets(J job);

  /**
   * {@return a copy of the job with the templates of {@code podSets}, and with their count fields
   * where they have any}
   *
   * @param podSets those of {@link #podSets} of the same job, in the same order, edited
   */
  J withPodSets(J job, ImmutableList<JobPodSet> podSets);

  /**
   * {@return {@code podSet} with the count fields of an admission of {@code count} pods; asked only
   * if the pod set has a minimum}
   */
  default JobPodSet resize(J job, JobPodSet podSet, int count) {
    return podSet;
  }

  /** {@return how the job ended, absent if it has not} */
  Optional<JobOutcome> outcome(J job);

  /** {@return whether any of its pods exists and has not ended} */
  boolean isActive(J job);

  /** {@return whether all its pods are ready or have succeeded} */
  boolean podsReady(J job);

  /**
   * {@return pods that will not run again and need no quota any more, by pod set; those without any
   * are left out}
   */
  default ImmutableSortedMap<String, Integer> reclaimablePods(J job) {
    return ImmutableSortedMap.of();
  }

  /** {@return whether jobs of this kind may be scaled while they run, as slices; rule E-2} */
  default boolean supportsElasticJobs() {
    return false;
  }

  /**
   * {@return whether pod sets of jobs of this kind may be placed together, so that a group that a
   * lone pod set names is an error; of other kinds it means nothing; rule T-90}
   */
  default boolean groupsPodSets() {
    return false;
  }

  /** {@return whether jobs of this kind may name a Workload that exists; rule J-27} */
  default boolean supportsPrebuiltWorkloads() {
    return false;
  }

  /** {@return rules of this kind that the job breaks so that no workload may be made of it} */
  default ImmutableList<Violation> violations(J job) {
    return ImmutableList.of();
  }

  /**
   * {@return fields of other forms than they must have, so that the pod sets cannot be read; those
   * of a job that has any cannot be asked for}
   */
  default ImmutableList<Violation> malformed(J job) {
    return ImmutableList.of();
  }

  /**
   * {@return the fields that a start writes, where the pod sets do not say how those are written:
   * of objects that have no class}
   */
  default SavedFields savedFields(J job) {
    return SavedFields.none();
  }

  /** {@return a copy of the job with the fields as they were when {@code saved} was taken} */
  default J withSavedFields(J job, SavedFields saved) {
    return job;
  }

  /** {@return why the job, in its present state, is none of admission's business} */
  default Optional<JobConversion.NotManaged> notManaged(J job) {
    return Optional.empty();
  }

  /**
   * {@return the jobs that are admitted in the place of this one, each by itself: only itself,
   * unless it is of a kind whose pods come in groups}
   *
   * <p>They differ in nothing but their names. The list may make each when it is asked for.
   *
   * @param name the name of the job, which may have been made for it
   */
  default List<? extends HasMetadata> parts(J job, String name) {
    return ImmutableList.of(job);
  }

  /** {@return the name of the workload of a job of this name, a uid that may be empty} */
  default String workloadName(J job, String name, String uid) {
    return WorkloadNames.of(apiGroup(), kind(), name, uid, ElasticJobs.nameExtra(job));
  }

  /**
   * {@return whether its pods exist before they are admitted, so that not the job is started but
   * they are: as {@link PodGroup}s, or as pods of their own}
   */
  default boolean startsByPods() {
    return false;
  }

  /**
   * {@return the group that a pod is to be admitted with, if the job has made it and its pods are
   * admitted in groups; asked only if the job {@link #startsByPods}}
   */
  default Optional<PodMembership> membership(J job, Pod pod) {
    return Optional.empty();
  }

  /** {@return whether a job that runs can be suspended; one that cannot is stopped by deletion} */
  default boolean isStoppable() {
    return true;
  }

  /**
   * {@return the pod priority class that this kind of job names outside its templates; it wins over
   * those of the templates}
   */
  default Optional<String> priorityClassName(J job) {
    return Optional.empty();
  }

  /**
   * {@return labels of the templates that belong to this kind's own controller and survive a stop}
   */
  default ImmutableSet<String> managedLabels() {
    return ImmutableSet.of();
  }
}
