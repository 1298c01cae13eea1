package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.Credibility.Cell;
import io.kueue4j.core.simulation.Credibility.Moments;
import io.kueue4j.core.simulation.DurationGroup.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The jobs of a history by the groups that they are in. Does not change once it is created. */
final class JobGroups {
  private final Instant begin;
  private final Map<DurationKey, Integer> indices = new HashMap<>();
  private final List<List<Observation>> jobs = new ArrayList<>();
  private final Credibility credibility;
  private final Submissions submissions;

  /** Groups the jobs of a history; {@code user} gives the users of jobs that name none. */
  JobGroups(ImmutableList<SimulationJob> history, Function<Workload, String> user) {
    this.begin = history.stream()
        .map(JobGroups::earliestEnd)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MIN);
    List<SimulationJob> counted =
        history.stream().filter(job -> job.cancelAfter().isEmpty()).toList();
    List<ImmutableList<DurationKey>> groups = new ArrayList<>();
    ListMultimap<DurationKey, Instant> times =
        MultimapBuilder.hashKeys().arrayListValues().build();
    for (SimulationJob job : counted) {
      Workload workload = job.workload();
      ImmutableList<DurationKey> ofJob =
          DurationKey.of(workload, job.user().orElseGet(() -> user.apply(workload)));
      groups.add(ofJob);
      times.put(ofJob.get(0), submitted(job));
    }
    this.submissions = Submissions.of(times);
    Map<ImmutableList<DurationKey>, Cell> cells = new LinkedHashMap<>();
    for (int i = 0; i < counted.size(); i++) {
      SimulationJob job = counted.get(i);
      Instant begin = submissions.begin(groups.get(i).get(0), submitted(job));
      add(
          cells,
          DurationKey.of(groups.get(i), begin),
          observation(job.duration(), job.submitTime()));
    }
    this.credibility = new Credibility(
        ImmutableList.copyOf(cells.values()), DurationKey.LEVELS, DurationKey.PERIODS.size());
  }

  private static Instant submitted(SimulationJob job) {
    return job.workload().creationTime().orElse(job.submitTime());
  }

  /** {@return when a job of the history ended if it did not wait} */
  private static Instant earliestEnd(SimulationJob job) {
    return TimeMath.saturatedAdd(job.submitTime(), job.duration());
  }

  private Observation observation(Duration duration, Instant start) {
    return new Observation(TimeMath.saturatedMillis(duration), true, millisBefore(start));
  }

  /** {@return how long before the begin of the history a job started, at least 0} */
  private long millisBefore(Instant start) {
    return start.isBefore(begin) ? TimeMath.saturatedMillis(Duration.between(start, begin)) : 0;
  }

  private void add(
      Map<ImmutableList<DurationKey>, Cell> cells,
      ImmutableList<DurationKey> keys,
      Observation job) {
    Cell cell = cells.get(keys);
    if (cell == null) {
      cell = new Cell(ImmutableIntArray.copyOf(keys.stream().mapToInt(this::add)), new Moments());
      cells.put(keys, cell);
    }
    cell.logs().add(StrictMath.log((double) job.millis()));
    cell.groups().forEach(group -> jobs.get(group).add(job));
  }

  private int add(DurationKey key) {
    return indices.computeIfAbsent(key, unused -> {
      jobs.add(new ArrayList<>());
      return jobs.size() - 1;
    });
  }

  /** {@return a workload that still runs, as an observation} */
  Observation running(Durations.Running workload) {
    return new Observation(workload.ranMillis(), false, millisBefore(workload.since()));
  }

  /** {@return which of the jobs were submitted together} */
  Submissions submissions() {
    return submissions;
  }

  /** {@return the number of groups} */
  int size() {
    return jobs.size();
  }

  /** {@return the number of a group, from 0 on; null if it has no jobs} */
  @Nullable
  Integer index(DurationKey key) {
    return indices.get(key);
  }

  /** {@return the jobs of a group, all of which have finished} */
  List<Observation> jobs(DurationKey key) {
    Integer index = indices.get(key);
    return index == null ? ImmutableList.of() : jobs.get(index);
  }

  /** {@return the number of independent jobs that say as much as the jobs of a group} */
  double independent(DurationKey key) {
    Integer index = indices.get(key);
    return index == null ? 0 : credibility.independent(index);
  }

  /** {@return how much groups say about jobs of their own} */
  Credibility credibility() {
    return credibility;
  }
}
