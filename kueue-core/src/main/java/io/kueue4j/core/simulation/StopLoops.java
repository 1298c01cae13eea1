package io.kueue4j.core.simulation;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Finds loops in which workloads stop and start again without end.
 *
 * <p>Only the end of a job, a submission or a change of the cluster changes what the engine decides
 * about; all three are finite in number. Whatever goes on without end between two of them repeats
 * some stop without end, since nothing starts twice without a stop.
 */
final class StopLoops {
  /** A stop that repeats as often between two changes is in a loop. */
  static final int MOST_REPETITIONS = 1_000;

  /** The least number of repetitions of the stops in a loop, which repeat about equally often. */
  private static final int LOOP_REPETITIONS = 5;

  private final Multiset<RepeatedStop> stops = HashMultiset.create();
  private final Set<RepeatedStop> repeated = new LinkedHashSet<>();
  private boolean isEndless;

  /** Counts a stop. */
  void add(RepeatedStop stop) {
    if (stops.add(stop, 1) == MOST_REPETITIONS - 1) {
      isEndless = true;
      found();
    }
  }

  /** Notes that the stops that have repeated are in a loop. */
  void found() {
    stops.entrySet().stream()
        .filter(entry -> entry.getCount() >= LOOP_REPETITIONS)
        .map(Multiset.Entry::getElement)
        .sorted(Comparator.comparing(RepeatedStop::message))
        .forEach(repeated::add);
  }

  /** Notes that a job was submitted or has ended, or that the cluster has changed. */
  void changed() {
    stops.clear();
    isEndless = false;
  }

  /** {@return whether a loop would go on without end until the next change} */
  boolean isEndless() {
    return isEndless;
  }

  /** {@return the stops in loops, those found first before others} */
  ImmutableList<RepeatedStop> repeated() {
    return ImmutableList.copyOf(repeated);
  }
}
