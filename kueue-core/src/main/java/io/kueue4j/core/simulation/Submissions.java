package io.kueue4j.core.simulation;

import com.google.common.collect.ListMultimap;
import io.kueue4j.core.internal.support.TimeMath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Which jobs of a group were submitted together: each less than an hour after another one, and all
 * within a day, so that a steady stream of jobs is many submissions. Immutable.
 *
 * <p>An hour is the time between two jobs by which sessions of users are separated in logs of
 * clusters (Zakay and Feitelson, 2012).
 *
 * @param begins by group, the time of each job and when its submission began
 */
record Submissions(Map<DurationKey, NavigableMap<Instant, Instant>> begins) {
  private static final Duration LONGEST_GAP = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  /** {@return the submissions of jobs, by their groups and times} */
  static Submissions of(ListMultimap<DurationKey, Instant> times) {
    return new Submissions(Map.of()).with(times);
  }

  /**
   * {@return the submissions of further jobs, which may continue the ones here or fill gaps between
   * them: then they belong to the last of these}
   */
  Submissions with(ListMultimap<DurationKey, Instant> times) {
    Map<DurationKey, NavigableMap<Instant, Instant>> all = new HashMap<>();
    times.asMap().forEach((group, more) -> {
      NavigableMap<Instant, Instant> known = begins.getOrDefault(group, new TreeMap<>());
      NavigableMap<Instant, Instant> present = new TreeMap<>(known);
      more.forEach(time -> present.put(time, known.getOrDefault(time, Instant.MAX)));
      all.put(group, joined(present));
    });
    return new Submissions(all);
  }

  /** {@return when submissions began, where Instant.MAX stands for what is to be found out} */
  private static NavigableMap<Instant, Instant> joined(NavigableMap<Instant, Instant> jobs) {
    NavigableMap<Instant, Instant> all = new TreeMap<>();
    List<Instant> together = new ArrayList<>();
    for (Instant time : jobs.keySet()) {
      if (!together.isEmpty()
          && (isAfter(time, LONGEST_GAP, together.get(together.size() - 1))
              || isAfter(time, LONGEST, together.get(0)))) {
        put(together, jobs, all);
        together.clear();
      }
      together.add(time);
    }
    put(together, jobs, all);
    return all;
  }

  private static boolean isAfter(Instant time, Duration gap, Instant before) {
    return !time.isBefore(TimeMath.saturatedAdd(before, gap));
  }

  private static void put(
      List<Instant> together, Map<Instant, Instant> known, Map<Instant, Instant> all) {
    Instant begin = together.get(0);
    for (Instant time : together) {
      Instant knownBegin = known.getOrDefault(time, Instant.MAX);
      begin = knownBegin.equals(Instant.MAX) ? begin : knownBegin;
    }
    for (Instant time : together) {
      all.put(time, begin);
    }
  }

  /** {@return when the submission of a job of a group began, of which this knows the time} */
  Instant begin(DurationKey group, Instant time) {
    NavigableMap<Instant, Instant> ofGroup = begins.get(group);
    return ofGroup == null ? time : ofGroup.getOrDefault(time, time);
  }
}
