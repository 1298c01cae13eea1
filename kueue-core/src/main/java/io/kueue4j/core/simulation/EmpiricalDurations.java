package io.kueue4j.core.simulation;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.DurationGroup.Observation;
import io.kueue4j.core.simulation.DurationMixture.Level;
import java.time.Instant;
import java.util.ArrayList;
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
  private final Function<Workload, String> user;

  /** Grouped once for all estimations. */
  private final Supplier<JobGroups> history;

  EmpiricalDurations(ImmutableList<SimulationJob> history, Function<Workload, String> user) {
    this.user = user;
    this.history = Suppliers.memoize(() -> new JobGroups(history, user));
  }

  Durations.Model model(
      ImmutableList<Durations.Running> running,
      ImmutableList<Durations.Submitted> jobs,
      SampleNumbers numbers) {
    GroupModel model = new GroupModel(history.get(), numbers);
    ListMultimap<DurationKey, Instant> times =
        MultimapBuilder.hashKeys().arrayListValues().build();
    for (Durations.Submitted job : jobs) {
      times.put(groups(job.workload()).get(0), job.time());
    }
    for (Durations.Running each : running) {
      times.put(groups(each.workload()).get(0), each.submitted());
    }
    Submissions submissions = history.get().submissions().with(times);
    for (Durations.Running each : running) {
      model.add(
          keys(submissions, each.workload(), each.submitted()), history.get().running(each));
    }
    return (workload, submitted) -> model.source(keys(submissions, workload, submitted));
  }

  private ImmutableList<DurationKey> groups(Workload workload) {
    return DurationKey.of(workload, user.apply(workload));
  }

  private ImmutableList<DurationKey> keys(
      Submissions submissions, Workload workload, Instant submitted) {
    ImmutableList<DurationKey> groups = groups(workload);
    return DurationKey.of(groups, submissions.begin(groups.get(0), submitted));
  }

  /** The durations of one estimation: by the jobs of the history, and by what runs. */
  private static final class GroupModel {
    private final JobGroups history;
    private final SampleNumbers numbers;

    /** The workloads that run, by group, in the order in which the groups got them. */
    private final Map<DurationKey, List<Observation>> running = new LinkedHashMap<>();

    private final Map<DurationKey, DurationGroup> groups = new HashMap<>();
    private final Map<ImmutableList<DurationKey>, Optional<DurationMixture>> mixtures =
        new HashMap<>();
    private final Map<DurationKey, Optional<PeriodDurations>> sources = new HashMap<>();

    /** The numbers of groups that nothing but running workloads are in. */
    private final Map<DurationKey, Integer> indices = new HashMap<>();

    GroupModel(JobGroups history, SampleNumbers numbers) {
      this.history = history;
      this.numbers = numbers;
    }

    void add(ImmutableList<DurationKey> keys, Observation job) {
      for (DurationKey key : keys) {
        running.computeIfAbsent(key, unused -> new ArrayList<>()).add(job);
        if (history.index(key) == null) {
          indices.putIfAbsent(key, history.size() + indices.size());
        }
      }
    }

    /**
     * {@return the random numbers of a group} Those of a group without jobs do not depend on when
     * it is asked for, so that parts of the samples have the same.
     */
    private SampleNumbers numbers(DurationKey key) {
      Integer index = history.index(key);
      index = index == null ? indices.get(key) : index;
      return index == null
          ? numbers.part(-1).part(key.fingerprint())
          : numbers.part(index.intValue());
    }

    /** {@return the durations of workloads of the groups, null if no job of any has finished} */
    @Nullable
    PeriodDurations source(ImmutableList<DurationKey> keys) {
      return sources.computeIfAbsent(keys.get(0), unused -> find(keys)).orElse(null);
    }

    private Optional<PeriodDurations> find(ImmutableList<DurationKey> keys) {
      int known = 0;
      while (known < DurationKey.PERIODS.size() && history.jobs(keys.get(known)).isEmpty()) {
        known++;
      }
      return mixtures
          .computeIfAbsent(keys.subList(known, DurationKey.LEVELS), this::mixture)
          .map(mixture -> new PeriodDurations(mixture, effects(keys), ages(keys.get(0))));
    }

    /**
     * {@return how long the jobs of a submission have run, none if one of them has finished} Beside
     * finished jobs, running ones count as longer in the distribution, and must not count twice.
     */
    private long[] ages(DurationKey submission) {
      return history.jobs(submission).isEmpty()
          ? running.getOrDefault(submission, ImmutableList.of()).stream()
              .mapToLong(Observation::millis)
              .sorted()
              .toArray()
          : new long[0];
    }

    /**
     * {@return what the jobs of each period have in common, as far as those that have finished do
     * not show it}
     */
    private ImmutableList<PeriodDurations.Effect> effects(ImmutableList<DurationKey> keys) {
      Credibility among = history.credibility();
      double[] unknown = new double[DurationKey.PERIODS.size()];
      double variance = among.variance(0);
      for (int level = 0; level < unknown.length; level++) {
        double share = among.share(level, history.independent(keys.get(level)));
        unknown[level] = among.between(level) * (1 - share);
        variance += unknown[level];
      }
      ImmutableList.Builder<PeriodDurations.Effect> effects = ImmutableList.builder();
      for (int level = 0; level < unknown.length; level++) {
        effects.add(
            new PeriodDurations.Effect(unknown[level] / variance, numbers(keys.get(level))));
      }
      return effects.build();
    }

    /** {@return the durations of jobs of the last groups of some} */
    private Optional<DurationMixture> mixture(ImmutableList<DurationKey> keys) {
      Credibility among = history.credibility();
      List<Level> levels = new ArrayList<>();
      List<Observation> last = ImmutableList.of();
      int lastLevel = 0;
      for (int i = 0; i < keys.size(); i++) {
        int level = DurationKey.LEVELS - keys.size() + i;
        DurationKey key = keys.get(i);
        if (history.jobs(key).isEmpty()) {
          continue;
        }
        List<Observation> all = jobs(key);
        if (all.size() == last.size() && all.equals(last)) {
          // The wider group has no other jobs.
          if (lastLevel >= DurationKey.PERIODS.size()) {
            levels.remove(levels.size() - 1);
          } else if (level < DurationKey.LEVELS - 1) {
            continue;
          }
        }
        last = all;
        lastLevel = level;
        double variance = among.variance(level);
        double independent =
            history.independent(key) * all.size() / history.jobs(key).size();
        DurationGroup group = groups.computeIfAbsent(
            key, unused -> new DurationGroup(all, independent, variance, numbers(key)));
        levels.add(new Level(group, among.share(level, independent)));
      }
      return levels.isEmpty()
          ? Optional.empty()
          : Optional.of(new DurationMixture(ImmutableList.copyOf(levels)));
    }

    /** {@return the jobs of a group that have finished, then those that run} */
    private List<Observation> jobs(DurationKey key) {
      List<Observation> all = history.jobs(key);
      List<Observation> more = running.get(key);
      return more == null ? all : ImmutableList.copyOf(Iterables.concat(all, more));
    }
  }
}
