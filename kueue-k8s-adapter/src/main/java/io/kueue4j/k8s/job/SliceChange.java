package io.kueue4j.k8s.job;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.Optional;

/**
 * What is to be done about the workload of an elastic job that has been scaled, as Kueue's job
 * controller decides it.
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
 * <p>{@code current} is the slice that waits, if there is one, else the one that runs: there is at
 * most one of each, as the engine ends others and says so. Pods beyond those of the slice that runs
 * must not start before its replacement is admitted.
 *
 * <p>Rules: E-1, E-2, E-8.
 *
 * @param kind what is to be done
 * @param workload the workload to do it with; the current one if there is nothing to do
 */
public record SliceChange(Kind kind, Workload workload) {
  /** What is to be done. */
  public enum Kind {
    /** Nothing: the job has the pods that the slice has. */
    NONE,
    /** The slice is updated: it holds no quota yet, or the job has fewer pods now. */
    UPDATE,
    /**
     * Another slice is submitted that replaces the one that runs. It is younger than the job, so it
     * has no creation time but that of its submission.
     */
    REPLACE,
    /** The slice is finished and another one made: the job has other pod sets than before. */
    RECREATE
  }

  /**
   * {@return what is to be done}
   *
   * @param current the slice that counts for the job now
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
