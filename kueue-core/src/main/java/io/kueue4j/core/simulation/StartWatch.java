package io.kueue4j.core.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Waits for the first start of some jobs, in one sample after another, and counts at the end of
 * which other jobs they start.
 */
final class StartWatch implements JobWatch {
  private final boolean[] awaited;
  private final boolean[] pending;
  private int missing;

  /** The times of the starts, by job, of all samples. */
  private final Map<Integer, Times> starts = new HashMap<>();

  /** For each job that is awaited, the jobs at whose end it started, with the times. */
  private final Map<Integer, Map<Integer, Times>> triggers = new HashMap<>();

  private final List<Integer> endedNow = new ArrayList<>();
  private long endTime = JobStates.NONE;

  /** A growing list of times. */
  static final class Times {
    private long[] millis = new long[4];
    private int size;

    void add(long time) {
      if (size == millis.length) {
        millis = Arrays.copyOf(millis, size * 2);
      }
      millis[size++] = time;
    }

    void addAll(Times other) {
      millis = Arrays.copyOf(millis, Math.max(millis.length, size + other.size));
      System.arraycopy(other.millis, 0, millis, size, other.size);
      size += other.size;
    }

    int size() {
      return size;
    }

    /** {@return the times, in a number of samples} */
    SortedTimes of(int samples) {
      return new SortedTimes(Arrays.copyOf(millis, size), samples);
    }
  }

  StartWatch(int jobs, List<Integer> awaited) {
    this.awaited = new boolean[jobs];
    this.pending = new boolean[jobs];
    for (int job : awaited) {
      this.awaited[job] = true;
      starts.put(job, new Times());
      triggers.put(job, new HashMap<>());
    }
  }

  /** Goes on to the next sample. */
  void enter() {
    System.arraycopy(awaited, 0, pending, 0, awaited.length);
    missing = starts.size();
    endTime = JobStates.NONE;
    endedNow.clear();
  }

  /** Adds what another one has seen, of other samples for the same jobs. */
  void addAll(StartWatch other) {
    other.starts.forEach((job, times) -> starts(job).addAll(times));
    other.triggers.forEach((job, ends) -> ends.forEach((ended, times) ->
        triggers(job).computeIfAbsent(ended, unused -> new Times()).addAll(times)));
  }

  @Override
  public void started(int job, long time) {
    if (!pending[job]) {
      return;
    }
    pending[job] = false;
    missing--;
    starts(job).add(time);
    if (endTime == time) {
      for (int ended : endedNow) {
        triggers(job).computeIfAbsent(ended, unused -> new Times()).add(time);
      }
    }
  }

  @Override
  public void ended(int job, long time) {
    if (time != endTime) {
      endTime = time;
      endedNow.clear();
    }
    endedNow.add(job);
  }

  @Override
  public boolean isSatisfied() {
    return missing == 0;
  }

  /** {@return the times at which a job that is awaited has started} */
  Times starts(int job) {
    return starts.getOrDefault(job, new Times());
  }

  /** {@return the jobs at whose end a job that is awaited has started, with the times} */
  Map<Integer, Times> triggers(int job) {
    return triggers.getOrDefault(job, new HashMap<>());
  }
}
