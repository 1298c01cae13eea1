package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The jobs of a simulation by number, with their times in milliseconds. Shared by all its runs. */
final class Trace implements JobTimes {
  private final ImmutableList<SimulationJob> jobs;
  private final Map<WorkloadId, Integer> numbers;
  private final long[] submitMillis;
  private final long[] durationMillis;
  private final long[] thinkMillis;

  /** The jobs that follow each job. */
  private final ImmutableListMultimap<Integer, Integer> dependents;

  private final int[] independent;

  /**
   * Checks the jobs and numbers them in their order.
   *
   * @throws IllegalArgumentException if two have the same id, one follows an unknown job, jobs
   *     follow each other in a circle, or a time cannot be counted in milliseconds
   */
  Trace(ImmutableList<SimulationJob> jobs) {
    int size = jobs.size();
    this.jobs = jobs;
    this.numbers = Maps.newHashMapWithExpectedSize(size);
    this.submitMillis = new long[size];
    this.durationMillis = new long[size];
    this.thinkMillis = new long[size];
    for (int i = 0; i < size; i++) {
      SimulationJob job = jobs.get(i);
      Integer other = numbers.put(job.id(), i);
      checkArgument(
          other == null,
          "job %s is in the trace twice, at positions %s and %s; expected each id once",
          job.id(),
          other,
          i);
      submitMillis[i] = millis(job.submitTime(), job);
      durationMillis[i] = millis(job.duration(), job);
      thinkMillis[i] = millis(job.thinkTime(), job);
    }
    this.dependents = findDependents();
    this.independent = IntStream.range(0, size)
        .filter(job -> jobs.get(job).after().isEmpty())
        .boxed()
        .sorted(Comparator.comparingLong(job -> submitMillis[job]))
        .mapToInt(job -> job)
        .toArray();
    checkAcyclic();
  }

  /**
   * {@return the milliseconds since the epoch}
   *
   * @throws IllegalArgumentException if they do not fit into 64 bits
   */
  static long millis(Instant time, Object what) {
    return millis(Duration.between(Instant.EPOCH, time), what);
  }

  /**
   * {@return the whole milliseconds of a duration}
   *
   * @throws IllegalArgumentException if they do not fit into 64 bits
   */
  static long millis(Duration duration, Object what) {
    long millis = TimeMath.saturatedMillis(duration);
    checkArgument(
        millis != Long.MAX_VALUE && millis != Long.MIN_VALUE,
        "%s has a time of %s s; expected one whose milliseconds fit into 64 bits",
        what instanceof SimulationJob job ? "job " + job.id() : what,
        duration.toSeconds());
    return millis;
  }

  private ImmutableListMultimap<Integer, Integer> findDependents() {
    ImmutableListMultimap.Builder<Integer, Integer> dependents = ImmutableListMultimap.builder();
    for (int job = 0; job < jobs.size(); job++) {
      for (WorkloadId before : jobs.get(job).after()) {
        Integer number = numbers.get(before);
        checkArgument(
            number != null,
            "job %s is to start after %s, which is not in the trace; add it, or remove the dependency",
            jobs.get(job).id(),
            before);
        dependents.put(number, job);
      }
    }
    return dependents.build();
  }

  /** Takes away the jobs that can be submitted, one after another; none may remain. */
  private void checkAcyclic() {
    int[] waitingFor = predecessors();
    Deque<Integer> ready = new ArrayDeque<>(Ints.asList(independent));
    int count = 0;
    while (!ready.isEmpty()) {
      count++;
      for (int dependent : dependents.get(ready.remove())) {
        if (--waitingFor[dependent] == 0) {
          ready.add(dependent);
        }
      }
    }
    if (count < jobs.size()) {
      String circle = IntStream.range(0, jobs.size())
          .filter(job -> waitingFor[job] > 0)
          .limit(5)
          .mapToObj(job -> jobs.get(job).id().toString())
          .toList()
          .toString();
      throw new IllegalArgumentException((jobs.size() - count)
          + " jobs follow each other in a circle or follow such jobs, among them " + circle
          + "; expected dependencies without circles");
    }
  }

  /** {@return whether both have jobs of the same ids in the same order} */
  boolean hasSameJobs(Trace other) {
    return this == other
        || Lists.transform(jobs, SimulationJob::id)
            .equals(Lists.transform(other.jobs, SimulationJob::id));
  }

  ImmutableList<SimulationJob> jobs() {
    return jobs;
  }

  int size() {
    return jobs.size();
  }

  SimulationJob job(int number) {
    return jobs.get(number);
  }

  /** {@return the number of the job with that id, null if it is not in the trace} */
  @Nullable
  Integer number(WorkloadId job) {
    return numbers.get(job);
  }

  /** {@return the number of a job that is in the trace} */
  int knownNumber(WorkloadId job) {
    return checkNotNull(numbers.get(job), "job %s is not in the trace", job);
  }

  /** {@return the qualified name of the LocalQueue of a workload} */
  static String localQueue(Workload workload) {
    return workload.namespace() + "/" + workload.queueName();
  }

  @Override
  public long submitMillis(int job) {
    return submitMillis[job];
  }

  @Override
  public long durationMillis(int job) {
    return durationMillis[job];
  }

  long thinkMillis(int job) {
    return thinkMillis[job];
  }

  @Override
  public int independentCount() {
    return independent.length;
  }

  @Override
  public int independent(int i) {
    return independent[i];
  }

  /** {@return for each job how many others it follows} */
  int[] predecessors() {
    return jobs.stream().mapToInt(job -> job.after().size()).toArray();
  }

  /** {@return the jobs that follow a job} */
  ImmutableList<Integer> dependents(int job) {
    return dependents.get(job);
  }

  /** {@return the earliest submission, {@code otherwise} if there are no jobs} */
  long firstSubmission(long otherwise) {
    return Arrays.stream(submitMillis).min().orElse(otherwise);
  }
}
