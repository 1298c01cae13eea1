package io.kueue4j.core.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Durations as of similar jobs: of groups of jobs from the most similar ones to all. */
final class EmpiricalDurations {
  /** Jobs submitted in the same hour, day or week form a group. */
  private static final ImmutableList<Duration> PERIODS =
      ImmutableList.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7));

  /** The number of groups of a workload: the groups of the periods, and eight others. */
  private static final int LEVELS = PERIODS.size() + 8;

  private final ImmutableList<SimulationJob> history;
  private final Function<Workload, String> user;

  /** What similar jobs have in common; null for what does not matter. */
  private record Key(
      @Nullable String user,
      @Nullable String queue,
      @Nullable String name,
      @Nullable List<PodShape> pods,
      @Nullable Period period) {
    Key(
        @Nullable String user,
        @Nullable String queue,
        @Nullable String name,
        @Nullable List<PodShape> pods) {
      this(user, queue, name, pods, null);
    }
  }

  /** The period of some length with a number. */
  private record Period(Duration length, long number) {
    static Period of(Duration length, Instant time) {
      return new Period(length, Math.floorDiv(time.getEpochSecond(), length.toSeconds()));
    }
  }

  /** What the pods of a pod set request. */
  private record PodShape(int count, Map<String, Long> requests) {}

  EmpiricalDurations(ImmutableList<SimulationJob> history, Function<Workload, String> user) {
    this.history = history;
    this.user = user;
  }

  /** {@return the groups of a workload, the narrowest first} */
  private static ImmutableList<Key> keys(Workload workload, String user, Instant submitted) {
    String queue = Trace.localQueue(workload);
    String name = JobNames.stem(workload.name());
    List<PodShape> pods = workload.podSets().stream()
        .map(podSet -> new PodShape(podSet.count(), podSet.requests()))
        .collect(toImmutableList());
    ImmutableList.Builder<Key> keys = ImmutableList.builder();
    for (Duration length : PERIODS) {
      keys.add(new Key(user, queue, name, pods, Period.of(length, submitted)));
    }
    return keys.add(
            new Key(user, queue, name, pods),
            new Key(user, queue, name, null),
            new Key(user, null, name, null),
            new Key(null, queue, name, null),
            new Key(user, queue, null, null),
            new Key(user, null, null, null),
            new Key(null, queue, null, null),
            new Key(null, null, null, null))
        .build();
  }

  Durations.Model model(ImmutableList<Durations.Running> running, SampleNumbers numbers) {
    JobGroups groups = new JobGroups(numbers);
    Instant begin = history.stream()
        .map(EmpiricalDurations::earliestEnd)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MIN);
    for (SimulationJob job : history) {
      if (job.cancelAfter().isEmpty()) {
        groups.add(
            keys(
                job.workload(),
                job.user().orElseGet(() -> user.apply(job.workload())),
                job.workload().creationTime().orElse(job.submitTime())),
            new Observation(
                TimeMath.saturatedMillis(job.duration()),
                true,
                millisBefore(begin, job.submitTime())));
      }
    }
    for (Durations.Running each : running) {
      groups.add(
          keys(each.workload(), user.apply(each.workload()), each.submitted()),
          new Observation(each.ranMillis(), false, millisBefore(begin, each.since())));
    }
    return (workload, submitted) -> groups.source(keys(workload, user.apply(workload), submitted));
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
    private final Map<Key, Optional<PeriodDurations>> sources = new HashMap<>();
    private final Supplier<Credibility> credibility =
        Suppliers.memoize(() -> new Credibility(ImmutableList.copyOf(cells.values()), LEVELS));

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
    PeriodDurations source(ImmutableList<Key> keys) {
      return sources.computeIfAbsent(keys.get(0), unused -> find(keys)).orElse(null);
    }

    private Optional<PeriodDurations> find(ImmutableList<Key> keys) {
      int known = 0;
      while (known < PERIODS.size() && finished(keys.get(known)) == 0) {
        known++;
      }
      return mixtures
          .computeIfAbsent(keys.subList(known, LEVELS), this::mixture)
          .map(mixture -> new PeriodDurations(mixture, effects(keys)));
    }

    /**
     * {@return what the jobs of each period have in common, as far as those that have finished do
     * not show it}
     */
    private ImmutableList<PeriodDurations.Effect> effects(ImmutableList<Key> keys) {
      Credibility among = credibility.get();
      double variance = among.variance(0);
      for (int level = 0; level < PERIODS.size(); level++) {
        variance += among.between(level);
      }
      ImmutableList.Builder<PeriodDurations.Effect> effects = ImmutableList.builder();
      for (int level = 0; level < PERIODS.size(); level++) {
        Key key = keys.get(level);
        double unknown = 1 - among.share(level, finished(key));
        effects.add(new PeriodDurations.Effect(
            among.between(level) * unknown / variance, numbers.part(index(key))));
      }
      return effects.build();
    }

    /** {@return the number of jobs of a group that have finished} */
    private int finished(Key key) {
      return (int) jobs.get(index(key)).stream().filter(Observation::finished).count();
    }

    /** {@return the durations of jobs of the last groups of some} */
    private Optional<DurationMixture> mixture(ImmutableList<Key> keys) {
      Credibility among = credibility.get();
      List<Level> levels = new ArrayList<>();
      List<Observation> last = ImmutableList.of();
      int lastLevel = 0;
      for (int i = 0; i < keys.size(); i++) {
        int level = LEVELS - keys.size() + i;
        Integer index = indices.get(keys.get(i));
        if (index == null || jobs.get(index).stream().noneMatch(Observation::finished)) {
          continue;
        }
        List<Observation> all = jobs.get(index);
        if (all.size() == last.size() && all.equals(last)) {
          // The wider group has no other jobs.
          if (lastLevel >= PERIODS.size()) {
            levels.remove(levels.size() - 1);
          } else if (level < LEVELS - 1) {
            continue;
          }
        }
        last = all;
        lastLevel = level;
        double variance = among.variance(level);
        DurationGroup group = groups.computeIfAbsent(
            index, unused -> new DurationGroup(all, variance, numbers.part(index)));
        levels.add(new Level(group, among.share(level, all.size())));
      }
      return levels.isEmpty()
          ? Optional.empty()
          : Optional.of(new DurationMixture(ImmutableList.copyOf(levels)));
    }
  }
}
