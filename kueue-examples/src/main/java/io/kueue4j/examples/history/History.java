package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ConfigObject;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Jobs that a cluster has run.
 *
 * @param source the file
 * @param start the time at which the history starts
 * @param jobs the jobs
 * @param machine what is known of the cluster
 * @param lines the lines that were left out
 */
public record History(
    String source,
    Instant start,
    ImmutableList<HistoryJob> jobs,
    Machine machine,
    SkippedLines lines) {
  /** The start of histories that do not know when they were recorded. */
  static final Instant UNKNOWN_START = Instant.parse("2026-01-01T00:00:00Z");

  /** The latest time of a history that gives times in seconds, the end of the year 9999. */
  static final long MAX_EPOCH_SECOND = 253_402_300_799L;

  /**
   * {@return the history of a cluster of which nothing else is known}
   *
   * @param source the file
   * @param jobs the jobs, submitted in milliseconds since the epoch
   * @param lines the lines that were left out
   */
  static History ofTimes(String source, List<HistoryJob> jobs, SkippedLines lines) {
    long first = jobs.stream().mapToLong(job -> job.times().submit()).min().orElse(0);
    return new History(
        source,
        Instant.ofEpochMilli(first),
        jobs.stream()
            .map(job -> job.withSubmit(job.times().submit() - first))
            .collect(toImmutableList()),
        Machine.unknown(),
        lines);
  }

  /**
   * {@return the same history without jobs that ran for less than so many milliseconds} Jobs that
   * follow only these follow none.
   */
  History withoutShorter(long leastMillis) {
    if (jobs.stream().noneMatch(job -> job.times().run() < leastMillis)) {
      return this;
    }
    Set<String> names = jobs.stream()
        .filter(job -> job.times().run() >= leastMillis)
        .map(HistoryJob::name)
        .collect(toImmutableSet());
    ImmutableList<HistoryJob> kept = jobs.stream()
        .filter(job -> names.contains(job.name()))
        .map(job ->
            job.withAfter(job.after().stream().filter(names::contains).collect(toImmutableList())))
        .collect(toImmutableList());
    return new History(source, start, kept, machine, lines);
  }

  /** {@return the same history with users who knew how long their jobs run} */
  History withExactEstimates() {
    return new History(
        source,
        start,
        jobs.stream().map(HistoryJob::withExactEstimate).collect(toImmutableList()),
        machine,
        lines);
  }

  /**
   * A cluster.
   *
   * @param processors the number of processors, if known
   * @param queues the names of queues, by what jobs call them
   * @param partitions the names of partitions, by what jobs call them
   * @param configuration the queues and nodes, if the history has them
   */
  public record Machine(
      OptionalLong processors,
      ImmutableMap<String, String> queues,
      ImmutableMap<String, String> partitions,
      List<ConfigObject> configuration) {
    /** {@return a cluster of which nothing is known} */
    static Machine unknown() {
      return of(ImmutableList.of());
    }

    /** {@return a cluster with this configuration} */
    static Machine of(List<ConfigObject> configuration) {
      return new Machine(OptionalLong.empty(), ImmutableMap.of(), ImmutableMap.of(), configuration);
    }
  }
}
