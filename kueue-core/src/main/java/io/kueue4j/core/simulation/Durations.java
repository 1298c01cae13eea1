package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How long workloads run, as far as it is known: exactly, or by the history of similar ones.
 * Immutable.
 *
 * <pre>{@code
 * Durations durations = Durations.fixed(announced)
 *     .or(Durations.empirical(history))
 *     .or(Durations.maximumExecutionTimes());
 * }</pre>
 *
 * <p>Durations are of a whole run, from admission to end. An estimation conditions them on the time
 * that a workload has already run. No duration is longer than the
 * {@linkplain Workload#maximumExecutionTime() maximum execution time} of the workload. A workload
 * of unknown duration counts as running for ever.
 *
 * @since 0.1.0
 */
public final class Durations {
  private final Models models;

  private Durations(Models models) {
    this.models = models;
  }

  /** What durations an estimation has, by its jobs. */
  private interface Models {
    Model of(ImmutableList<Running> running, ImmutableList<Submitted> jobs, SampleNumbers numbers);
  }

  /** The durations of one estimation. Not thread-safe. */
  interface Model {
    /**
     * {@return the durations of a workload, null if nothing is known about it}
     *
     * @param workload the workload
     * @param submitted when it was or is submitted
     */
    @Nullable
    Source source(Workload workload, Instant submitted);
  }

  /** The durations of a workload, and of equal ones that are submitted at about the same time. */
  interface Source {
    /**
     * {@return a duration in milliseconds}
     *
     * @param sample the number of the sample
     * @param normal the random number of the workload in the sample, with the standard normal
     *     distribution
     * @param ranMillis how long the workload has run; the duration is longer
     */
    long draw(int sample, double normal, long ranMillis);
  }

  /**
   * A workload that runs.
   *
   * @param workload the workload
   * @param since when it started
   * @param ranMillis how long it has run
   */
  record Running(Workload workload, Instant since, long ranMillis) {
    /** {@return when the workload was submitted, as far as it is known} */
    Instant submitted() {
      return workload.creationTime().orElse(since);
    }
  }

  /**
   * A workload.
   *
   * @param workload the workload
   * @param time when it was or is submitted
   */
  record Submitted(Workload workload, Instant time) {}

  /**
   * {@return the durations for one estimation}
   *
   * @param running what runs at its start
   * @param jobs its jobs
   * @param numbers the numbers of its samples
   */
  Model model(
      ImmutableList<Running> running, ImmutableList<Submitted> jobs, SampleNumbers numbers) {
    return models.of(running, jobs, numbers);
  }

  /** {@return no durations: every workload runs for ever, or for its maximum execution time} */
  public static Durations unknown() {
    return of((workload, submitted) -> null);
  }

  /** {@return durations that are exactly known, of the workloads with these ids} */
  public static Durations fixed(Map<WorkloadId, Duration> durations) {
    ImmutableMap<WorkloadId, Duration> known = ImmutableMap.copyOf(durations);
    return fixed(workload -> Optional.ofNullable(known.get(workload.id())));
  }

  /** {@return durations that are exactly known where {@code duration} gives one} */
  public static Durations fixed(Function<Workload, Optional<Duration>> duration) {
    return of((workload, submitted) -> duration
        .apply(workload)
        .map(TimeMath::saturatedMillis)
        .<Source>map(millis -> (sample, normal, ran) -> millis)
        .orElse(null));
  }

  /**
   * {@return durations equal to the maximum execution time of each workload that has one; without
   * these, it is an upper bound only}
   */
  public static Durations maximumExecutionTimes() {
    return fixed(Workload::maximumExecutionTime);
  }

  /**
   * {@return durations distributed as the durations of similar jobs that have finished, where users
   * are namespaces}
   *
   * @param history jobs that have finished, with their durations
   * @see #empirical(Iterable, Function)
   */
  public static Durations empirical(Iterable<SimulationJob> history) {
    return empirical(history, Workload::namespace);
  }

  /**
   * {@return durations distributed as the durations of similar jobs that have finished}
   *
   * <p>Similar are jobs of the same user, LocalQueue and name whose pods request the same, then
   * jobs of the same user, LocalQueue and name, of the same user and name, LocalQueue and name,
   * user and LocalQueue, user, LocalQueue, and all. Names are compared without numbers and
   * generated suffixes: {@code train-17-x4kzq} is {@code train}.
   *
   * <p>The durations of a workload are a mixture of the durations of these groups. A group of n
   * jobs has the share n / (n + k) of what narrower groups leave; k is the variance of the
   * logarithms of durations within such groups, divided by that between them (the credibility of
   * Bühlmann, 1967). If jobs that request the same run equally long, few of them count as much as
   * many others; if requests make no difference, the wider group counts. Of a workload that has run
   * for a time, the mixture has longer durations only, so that a group in which hardly any job runs
   * as long counts less.
   *
   * <p>Equal jobs that are submitted at about the same time often run equally long, all for a short
   * or all for a long time. So the jobs of the narrowest group that were submitted together, each
   * less than an hour after another one, are a group of the mixture; so are the submissions that
   * began on the same day, and in the same week. As far as these have not finished, the jobs of
   * each submission, day and week have a random effect in common, which moves their places in the
   * distribution. How much is a variance component of the history: what the logarithms of durations
   * vary between submissions of a day, days of a week, and weeks.
   *
   * <p>Jobs that are {@linkplain SimulationJob#cancelAfter cancelled} do not count: how long they
   * would have run is unknown.
   *
   * <p>Workloads that still run count as well, as jobs that last longer than they have run so far
   * (Kaplan and Meier, 1958). The history begins with the first end of one of its jobs: of what
   * started before, only the long ones are known, and they count from the age on that they had
   * then. How uncertain a distribution is, since it comes from few jobs, is part of the result:
   * each sample weights the jobs of a group anew (the Bayesian bootstrap of Rubin, 1981, and Lo,
   * 1993), in the same way for all workloads of the group. Beyond the longest of all jobs,
   * durations follow the Pareto distribution of the long jobs.
   *
   * @param history jobs that have finished, with their durations
   * @param user the user of a workload, to be compared with {@link SimulationJob#user()} or, where
   *     that is absent, with what this function gives for the workload of the job
   */
  public static Durations empirical(
      Iterable<SimulationJob> history, Function<Workload, String> user) {
    return new Durations(new EmpiricalDurations(ImmutableList.copyOf(history), user)::model);
  }

  /**
   * {@return these durations, and the durations of {@code others} for workloads that these do not
   * know}
   */
  public Durations or(Durations others) {
    return new Durations((running, jobs, numbers) -> {
      Model mine = model(running, jobs, numbers);
      Model other = others.model(running, jobs, numbers);
      return (workload, submitted) -> {
        Source known = mine.source(workload, submitted);
        return known == null ? other.source(workload, submitted) : known;
      };
    });
  }

  private static Durations of(Model model) {
    return new Durations((running, jobs, numbers) -> model);
  }
}
