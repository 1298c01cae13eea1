package io.kueue4j.core.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ListMultimap;
import io.kueue4j.core.internal.simulation.SampleNumbers;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.simulation.DurationGroup.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Durations as those of similar jobs, with back-off from narrow groups of jobs to wider ones. */
final class EmpiricalDurations extends Durations {
  /** A group must have as many jobs that ran longer than a workload has run so far. */
  private static final int ENOUGH = 10;

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
    Instant begin = history.stream()
        .map(EmpiricalDurations::earliestEnd)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MIN);
    ListMultimap<Key, Observation> jobs = ArrayListMultimap.create();
    for (SimulationJob job : history) {
      if (job.cancelAfter().isPresent()) {
        continue;
      }
      Observation finished = new Observation(
          TimeMath.saturatedMillis(job.duration()), true, millisBefore(begin, job.submitTime()));
      for (Key key : keys(job.workload(), job.user().orElseGet(() -> user.apply(job.workload())))) {
        jobs.put(key, finished);
      }
    }
    for (Running each : running) {
      Observation started =
          new Observation(each.ranMillis(), false, millisBefore(begin, each.since()));
      for (Key key : keys(each.workload(), user.apply(each.workload()))) {
        if (jobs.containsKey(key)) {
          jobs.put(key, started);
        }
      }
    }
    Map<Key, DurationGroup> groups = new HashMap<>();
    Map<ImmutableList<Key>, ImmutableList<DurationGroup>> known = new HashMap<>();
    return workload -> {
      ImmutableList<Key> keys = keys(workload, user.apply(workload));
      ImmutableList<DurationGroup> chain = known.computeIfAbsent(keys, all -> {
        List<DurationGroup> found = new ArrayList<>();
        for (Key key : all) {
          if (jobs.containsKey(key)) {
            found.add(groups.computeIfAbsent(
                key, unused -> DurationGroup.of(jobs.get(key), numbers.part(groups.size()))));
          }
        }
        return ImmutableList.copyOf(found);
      });
      return chain.isEmpty()
          ? null
          : (sample, uniform, ran) -> choose(chain, ran).draw(sample, uniform, ran);
    };
  }

  /** {@return when a job of the history ended if it did not wait} */
  private static Instant earliestEnd(SimulationJob job) {
    return TimeMath.saturatedAdd(job.submitTime(), job.duration());
  }

  /** {@return how long before the begin of the history a job started, at least 0} */
  private static long millisBefore(Instant begin, Instant start) {
    return start.isBefore(begin) ? TimeMath.saturatedMillis(Duration.between(start, begin)) : 0;
  }

  private static DurationGroup choose(ImmutableList<DurationGroup> groups, long ranMillis) {
    for (DurationGroup group : groups) {
      if (group.countLonger(ranMillis) >= ENOUGH) {
        return group;
      }
    }
    return groups.get(groups.size() - 1);
  }
}
