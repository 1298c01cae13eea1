package io.kueue4j.core.simulation;

import io.kueue4j.core.decision.RepeatedStop;
import java.util.Set;

/**
 * A part of the samples of an estimation; it shares only immutable state with the others.
 *
 * @param first the number of its first sample
 * @param end the number of its last sample plus 1
 * @param watch receives the starts
 * @param repeatedStops receives the stops in loops
 * @param progress counts the samples and the parts that have ended
 */
record SamplePart(
    Plan plan,
    StartState start,
    SampleTimes times,
    int first,
    int end,
    StartWatch watch,
    Set<RepeatedStop> repeatedStops,
    SampleProgress progress)
    implements Runnable {
  @Override
  public void run() {
    for (int sample = first; sample < end && progress.isWanted(); sample++) {
      times.enter(sample);
      watch.enter();
      repeatedStops.addAll(SimulationRun.sample(plan, start, times, watch));
      progress.count();
    }
    progress.endPart();
  }
}
