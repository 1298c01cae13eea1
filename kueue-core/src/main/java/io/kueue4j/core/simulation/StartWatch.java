package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Waits for the first start of some jobs, in one sample after another, and counts at the end of
 * which other jobs they start.
 */
final class StartWatch {
  private final boolean[] awaited;
  private final boolean[] pending;
  private int missing;

  /** The times of the starts, by job, of all samples. */
  private final ListMultimap<Integer, Long> starts = noTimes();

  /** For each job that is awaited, the jobs at whose end it started, with the times. */
  private final Map<Integer, ListMultimap<Integer, Long>> triggers = new HashMap<>();

  private final Set<RepeatedStop> repeatedStops =
      new TreeSet<>(Comparator.comparing(RepeatedStop::message));

  private final List<Integer> endedNow = new ArrayList<>();
  private long endTime = JobStates.NONE;

  StartWatch(int jobs, List<Integer> awaited) {
    this.awaited = new boolean[jobs];
    this.pending = new boolean[jobs];
    for (int job : awaited) {
      this.awaited[job] = true;
      triggers.put(job, noTimes());
    }
  }

  private static ListMultimap<Integer, Long> noTimes() {
    return MultimapBuilder.hashKeys().arrayListValues().build();
  }

  /** Goes on to the next sample. */
  void enter() {
    System.arraycopy(awaited, 0, pending, 0, awaited.length);
    missing = triggers.size();
    endTime = JobStates.NONE;
  }

  /** Adds what another one has seen, of other samples for the same jobs. */
  void addAll(StartWatch other) {
    starts.putAll(other.starts);
    repeatedStops.addAll(other.repeatedStops);
    other.triggers.forEach((job, ends) -> triggers(job).putAll(ends));
  }

  /** Adds the stops in loops of a sample. */
  void repeated(List<RepeatedStop> stops) {
    repeatedStops.addAll(stops);
  }

  /** Receives the first start of a job. */
  void started(int job, long time) {
    if (!pending[job]) {
      return;
    }
    pending[job] = false;
    missing--;
    starts.put(job, time);
    if (endTime == time) {
      for (int ended : endedNow) {
        triggers(job).put(ended, time);
      }
    }
  }

  /** Receives the end of a job, in whichever way. */
  void ended(int job, long time) {
    if (time != endTime) {
      endTime = time;
      endedNow.clear();
    }
    endedNow.add(job);
  }

  /** {@return whether the run may end, since nothing else is of interest} */
  boolean isSatisfied() {
    return missing == 0;
  }

  /** {@return the stops in loops of any sample, by their messages} */
  ImmutableList<RepeatedStop> repeatedStops() {
    return ImmutableList.copyOf(repeatedStops);
  }

  /** {@return the times at which a job that is awaited has started} */
  List<Long> starts(int job) {
    return starts.get(job);
  }

  /** {@return the jobs at whose end a job that is awaited has started, with the times} */
  ListMultimap<Integer, Long> triggers(int job) {
    return triggers.getOrDefault(job, noTimes());
  }
}
