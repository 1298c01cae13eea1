package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;

/**
 * Which workloads are going to be submitted. Later ones matter for those that wait now, if they
 * have a higher priority or an older share, or fit where the first in the queue does not.
 * Immutable.
 *
 * @since 0.1.0
 */
public final class Arrivals {
  private static final Arrivals NONE = new Arrivals(ImmutableList.of());

  private final ImmutableList<SimulationJob> submissions;

  private Arrivals(ImmutableList<SimulationJob> submissions) {
    this.submissions = submissions;
  }

  /** {@return no arrivals: what is known now is all there is} */
  public static Arrivals none() {
    return NONE;
  }

  /**
   * {@return arrivals like the past ones}: each sample continues with the submissions that followed
   * a random moment of the past, in their order and with their distances; after the last one it
   * goes on with the first (the circular block bootstrap of Politis and Romano, 1992). How much the
   * load varies is so part of the result.
   *
   * @param submissions the jobs that were submitted in the past, whether they have ended or not;
   *     only workloads and submit times matter. Those of LocalQueues that do not exist are left out
   */
  public static Arrivals resampled(Iterable<SimulationJob> submissions) {
    ImmutableList<SimulationJob> inOrder =
        ImmutableList.sortedCopyOf(Comparator.comparing(SimulationJob::submitTime), submissions);
    return inOrder.size() < 2 ? NONE : new Arrivals(inOrder);
  }

  /** {@return the submissions of the past, in their order; empty if nothing is going to arrive} */
  ImmutableList<SimulationJob> submissions() {
    return submissions;
  }
}
