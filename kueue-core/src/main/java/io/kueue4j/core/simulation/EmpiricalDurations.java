package io.kueue4j.core.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.internal.simulation.SampleNumbers;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.Credibility.Cell;
import io.kueue4j.core.simulation.Credibility.Moments;
import io.kueue4j.core.simulation.DurationGroup.Observation;
import io.kueue4j.core.simulation.DurationMixture.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Durations as those of similar jobs: of groups of jobs from the most similar ones to all. */
final class EmpiricalDurations extends Durations {
  /** The number of groups of a workload. */
  private static final int LEVELS = 8;

  private final ImmutableList<SimulationJob> history;
  private final Function<Workload, String> user;

  /** What similar jobs have in common; null for what does not matter. */
  private record Key(
      @Nullable String user,
      @Nullable String queue,
      @Nullable String name,
      @Nullable ImmutableList<PodShape> pods) {}

  /** What the pods of a pod set request. */
  private record PodShape(int count, ImmutableMap<String, Long> requests) {}

  EmpiricalDurations(ImmutableList<SimulationJob> history, Function<Workload, String> user) {
    this.history = history;
    this.user = user;
  }

  /** {@return the groups of a workload, the narrowest first} */
  private static ImmutableList<Key> keys(Workload workload, String user) {
    String queue = workload.namespace() + "/" + workload.queueName();
    String name = JobNames.stem(workload.name());
    ImmutableList<PodShape> pods = workload.podSets().stream()
        .map(podSet -> new PodShape(podSet.count(), podSet.requests()))
        .collect(toImmutableList());
    return ImmutableList.of(
        new Key(user, queue, name, pods),
        new Key(user, queue, name, null),
        new Key(user, null, name, null),
        new Key(null, queue, name, null),
        new Key(user, queue, null, null),
        new Key(user, null, null, null),
        new Key(null, queue, null, null),
        new Key(null, null, null, null));
  }

  @Override
  Model model(ImmutableList<Running> running, SampleNumbers numbers) {
    JobGroups groups = new JobGroups(numbers);
    Instant begin = history.stream()
        .map(EmpiricalDurations::earliestEnd)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MIN);
    for (SimulationJob job : history) {
      if (job.cancelAfter().isEmpty()) {
        groups.add(
            keys(job.workload(), job.user().orElseGet(() -> user.apply(job.workload()))),
            new Observation(
                TimeMath.saturatedMillis(job.duration()),
                true,
                millisBefore(begin, job.submitTime())));
      }
    }
    for (Running each : running) {
      groups.add(
          keys(each.workload(), user.apply(each.workload())),
          new Observation(each.ranMillis(), false, millisBefore(begin, each.since())));
    }
    return workload -> groups.source(keys(workload, user.apply(workload)));
  }

  /** {@return when a job of the history ended if it did not wait} */
  private static Instant earliestEnd(SimulationJob job) {
    return TimeMath.saturatedAdd(job.submitTime(), job.duration());
  }

  /** {@return how long before the begin of the history a job started, at least 0} */
  private static long millisBefore(Instant begin, Instant start) {
    return start.isBefore(begin) ? TimeMath.saturatedMillis(Duration.between(start, begin)) : 0;
  }

  /** The jobs of all groups. */
  private static final class JobGroups {
    private final SampleNumbers numbers;
    private final Map<ImmutableList<Key>, Cell> cells = new LinkedHashMap<>();
    private final Map<Key, Integer> indices = new HashMap<>();
    private final List<List<Observation>> jobs = new ArrayList<>();
    private final Map<Integer, DurationGroup> groups = new HashMap<>();
    private final Map<ImmutableList<Key>, Optional<DurationMixture>> mixtures = new HashMap<>();
    private @Nullable Credibility credibility;

    JobGroups(SampleNumbers numbers) {
      this.numbers = numbers;
    }

    void add(ImmutableList<Key> keys, Observation job) {
      Cell cell = cells.get(keys);
      if (cell == null) {
        cell =
            new Cell(ImmutableIntArray.copyOf(keys.stream().mapToInt(this::index)), new Moments());
        cells.put(keys, cell);
      }
      if (job.finished()) {
        cell.logs().add(StrictMath.log((double) job.millis()));
      }
      cell.groups().forEach(group -> jobs.get(group).add(job));
    }

    private int index(Key key) {
      return indices.computeIfAbsent(key, unused -> {
        jobs.add(new ArrayList<>());
        return jobs.size() - 1;
      });
    }

    /** {@return the durations of workloads of the groups, null if no job of any has finished} */
    @Nullable
    Source source(ImmutableList<Key> keys) {
      return mixtures.computeIfAbsent(keys, this::mixture).orElse(null);
    }

    private Optional<DurationMixture> mixture(ImmutableList<Key> keys) {
      Credibility among = credibility();
      List<Level> levels = new ArrayList<>();
      List<Observation> last = ImmutableList.of();
      for (int level = 0; level < keys.size(); level++) {
        Integer index = indices.get(keys.get(level));
        if (index == null || jobs.get(index).stream().noneMatch(Observation::finished)) {
          continue;
        }
        List<Observation> all = jobs.get(index);
        if (all.size() == last.size() && all.equals(last)) {
          // The wider group has no other jobs.
          levels.remove(levels.size() - 1);
        }
        last = all;
        double variance = among.variance(level);
        DurationGroup group = groups.computeIfAbsent(
            index, unused -> new DurationGroup(all, variance, numbers.part(index)));
        levels.add(new Level(group, among.share(level, all.size())));
      }
      return levels.isEmpty()
          ? Optional.empty()
          : Optional.of(new DurationMixture(ImmutableList.copyOf(levels)));
    }

    private Credibility credibility() {
      Credibility known = credibility;
      if (known == null) {
        known = new Credibility(ImmutableList.copyOf(cells.values()), LEVELS);
        credibility = known;
      }
      return known;
    }
  }
}
