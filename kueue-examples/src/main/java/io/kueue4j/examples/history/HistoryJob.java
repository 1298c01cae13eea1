package io.kueue4j.examples.history;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job of a history. Times are in milliseconds since the start of the history; {@code -1} and
 * empty text stand for what is unknown.
 *
 * @param name the name, unique in the history
 * @param times when it was submitted, and how long it waited and ran
 * @param labels who submitted it, and where
 * @param podSets its pods
 * @param priority its priority
 * @param after the names of the jobs that precede it
 * @param checkpoints how it saves its progress
 * @param created the creation time of its workload, if it differs from the submission
 */
public record HistoryJob(
    String name,
    Times times,
    Labels labels,
    List<PodSet> podSets,
    int priority,
    ImmutableList<String> after,
    Optional<Checkpoints> checkpoints,
    Optional<Instant> created) {
  /** {@return a job of priority 0 without dependencies and checkpoints} */
  static HistoryJob of(String name, Times times, Labels labels, List<PodSet> podSets) {
    return new HistoryJob(
        name, times, labels, podSets, 0, ImmutableList.of(), Optional.empty(), Optional.empty());
  }

  /** {@return the same job after these} */
  HistoryJob withAfter(ImmutableList<String> jobs) {
    return new HistoryJob(name, times, labels, podSets, priority, jobs, checkpoints, created);
  }

  /** {@return the same job of a user who knew how long it runs} */
  HistoryJob withExactEstimate() {
    long estimate = Math.max(1, times.run);
    Times exact =
        new Times(times.submit, times.waited, times.run, estimate, times.think, times.cancel);
    return new HistoryJob(name, exact, labels, podSets, priority, after, checkpoints, created);
  }

  /** {@return the same job with that submit time} */
  public HistoryJob withSubmit(long submit) {
    Times moved =
        new Times(submit, times.waited, times.run, times.estimate, times.think, times.cancel);
    return new HistoryJob(name, moved, labels, podSets, priority, after, checkpoints, created);
  }

  /**
   * The times of a job, in milliseconds.
   *
   * @param submit the time from the start of the history to the submission
   * @param waited how long it waited, until it started or was cancelled
   * @param run how long it runs if it is not cancelled
   * @param estimate how long its user expected it to run
   * @param think the time from the end of the preceding jobs to the submission, at least 0
   * @param cancel how long after its submission it is cancelled; unknown if it is not
   */
  public record Times(long submit, long waited, long run, long estimate, long think, long cancel) {
    /** The longest time of a history, a century. */
    static final long MAX_SECONDS = 100L * 366 * 86_400;

    /**
     * {@return the times of a job whose wait and estimate are unknown, and that is not cancelled}
     */
    static Times of(long submit, long run) {
      return new Times(submit, -1, run, -1, 0, -1);
    }

    /** {@return whether it is cancelled at some time} */
    boolean isCancelled() {
      return cancel >= 0;
    }

    /** {@return whether it was cancelled before it started in the history} */
    boolean neverStarted() {
      return isCancelled() && cancel <= Math.max(0, waited);
    }
  }

  /**
   * What a mapping goes by.
   *
   * @param user the user
   * @param group the group of the user
   * @param queue the queue
   * @param partition the partition of the machine
   */
  public record Labels(String user, String group, String queue, String partition) {
    // What a record has by default starts slowly, and each line of a log is looked up by this.

    @Override
    public int hashCode() {
      return 31 * (31 * (31 * user.hashCode() + group.hashCode()) + queue.hashCode())
          + partition.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Labels labels
          && user.equals(labels.user)
          && group.equals(labels.group)
          && queue.equals(labels.queue)
          && partition.equals(labels.partition);
    }
  }
}
