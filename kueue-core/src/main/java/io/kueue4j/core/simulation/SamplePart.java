package io.kueue4j.core.simulation;

import io.kueue4j.core.decision.RepeatedStop;
import java.util.HashSet;
import java.util.Set;

/** A part of the samples of an estimation; it shares only immutable state with the others. */
final class SamplePart implements Runnable {
  private final Plan plan;
  private final StartState start;
  private final SampleTimes times;
  private final StartWatch watch;
  private final int first;
  private final int end;
  private final SampleProgress progress;
  private final Set<RepeatedStop> repeatedStops = new HashSet<>();
  private boolean hasEnded;

  /**
   * Creates a part.
   *
   * @param first the number of its first sample
   * @param end the number of its last sample plus 1
   */
  SamplePart(
      Plan plan,
      StartState start,
      SampleTimes times,
      StartWatch watch,
      int first,
      int end,
      SampleProgress progress) {
    this.plan = plan;
    this.start = start;
    this.times = times;
    this.watch = watch;
    this.first = first;
    this.end = end;
    this.progress = progress;
  }

  @Override
  public void run() {
    for (int sample = first; sample < end && progress.isWanted(); sample++) {
      times.enter(sample);
      watch.enter();
      repeatedStops.addAll(SimulationRun.sample(plan, start, times, watch));
      progress.count();
    }
    hasEnded = true;
  }

  /** {@return whether it has been run to its end} */
  boolean hasEnded() {
    return hasEnded;
  }

  /** {@return the stops in loops of its samples} */
  Set<RepeatedStop> repeatedStops() {
    return repeatedStops;
  }

  /** {@return the starts in its samples} */
  StartWatch watch() {
    return watch;
  }
}
