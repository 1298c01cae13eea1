package io.kueue4j.k8s.job;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.Optional;

/**
 * The action that is required for the workload of an elastic job that has been scaled, as decided
 * by Kueue's job controller.
 *
 * <pre>{@code
 * Workload wanted = workloads.convert(job).orElseThrow().workload();
 * SliceChange change = SliceChange.between(current, engine.admission(current.id()).isPresent(), wanted);
 * switch (change.kind()) {
 *   case NONE -> {}
 *   case UPDATE -> engine.update(change.workload());
 *   case REPLACE -> engine.submit(change.workload());
 *   case RECREATE -> {
 *     engine.finish(current.id());
 *     engine.submit(change.workload());
 *   }
 * }
 * }</pre>
 *
 * <p>{@code current} is the pending elastic slice if there is one, otherwise the running one: there
 * is at most one of each, because the engine finishes others and returns that as a decision. Pods
 * beyond the pods of the running elastic slice must not start before its replacement is admitted.
 *
 * <p>Rules: E-1, E-2, E-8.
 *
 * @param kind the kind of action
 * @param workload the workload to act on; the current one if no action is required
 * @since 0.1.0
 */
public record SliceChange(Kind kind, Workload workload) {
  /** The kind of action. */
  public enum Kind {
    /** None: the job has the pods of the elastic slice. */
    NONE,
    /** Update the elastic slice: it holds no quota yet, or the job has fewer pods now. */
    UPDATE,
    /**
     * Submit another elastic slice that replaces the running one. It is younger than the job, so
     * its creation time is the time of its submission.
     */
    REPLACE,
    /** Finish the elastic slice and create another one: the pod sets of the job have changed. */
    RECREATE
  }

  /**
   * {@return the required action}
   *
   * @param current the current elastic slice of the job
   * @param holdsQuota whether it holds quota
   * @param wanted the workload of the job as it is now
   */
  public static SliceChange between(Workload current, boolean holdsQuota, Workload wanted) {
    if (!names(current).equals(names(wanted))) {
      return new SliceChange(Kind.RECREATE, wanted);
    }
    if (counts(current).equals(counts(wanted))) {
      return new SliceChange(Kind.NONE, current);
    }
    boolean grows = Streams.zip(
            counts(current).stream(), counts(wanted).stream(), (was, is) -> is > was)
        .anyMatch(Boolean::booleanValue);
    if (holdsQuota && grows) {
      return new SliceChange(
          Kind.REPLACE,
          Workload.builder()
              .from(wanted)
              .elastic(true)
              .creationTime(Optional.empty())
              .replaces(current.id())
              .sliceName(current.sliceName().orElse(current.name()))
              .build());
    }
    ImmutableList<PodSet> podSets = Streams.zip(
            current.podSets().stream(),
            counts(wanted).stream(),
            (podSet, count) -> PodSet.builder().from(podSet).count(count).build())
        .collect(toImmutableList());
    return new SliceChange(
        Kind.UPDATE, Workload.builder().from(current).podSets(podSets).build());
  }

  private static ImmutableList<String> names(Workload workload) {
    return workload.podSets().stream().map(PodSet::name).collect(toImmutableList());
  }

  private static ImmutableList<Integer> counts(Workload workload) {
    return workload.podSets().stream().map(PodSet::count).collect(toImmutableList());
  }
}
