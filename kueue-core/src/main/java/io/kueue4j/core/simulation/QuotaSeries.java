package io.kueue4j.core.simulation;

import com.google.common.primitives.Longs;
import io.kueue4j.core.internal.simulation.Steps;
import java.math.BigInteger;
import java.util.List;

/**
 * The quota of one resource in one flavor of a ClusterQueue over time, and its usage. Amounts are
 * milli-units of cpu, whole units of everything else. Immutable.
 *
 * @since 0.1.0
 */
public final class QuotaSeries {
  private final String clusterQueue;
  private final String flavor;
  private final String resource;
  private final StepFunction nominal;
  private final StepFunction used;
  private final List<QuotaSeries> sharing;

  /**
   * Creates a series.
   *
   * @param sharing the series of the same flavor and resource below the same root cohort, to which
   *     the caller adds this one
   */
  QuotaSeries(
      String clusterQueue,
      String flavor,
      String resource,
      StepFunction nominal,
      StepFunction used,
      List<QuotaSeries> sharing) {
    this.clusterQueue = clusterQueue;
    this.flavor = flavor;
    this.resource = resource;
    this.nominal = nominal;
    this.used = used;
    this.sharing = sharing;
  }

  /** {@return the ClusterQueue} */
  public String clusterQueue() {
    return clusterQueue;
  }

  /** {@return the flavor} */
  public String flavor() {
    return flavor;
  }

  /** {@return the resource} */
  public String resource() {
    return resource;
  }

  /** {@return the nominal quota} */
  public StepFunction nominal() {
    return nominal;
  }

  /** {@return the amount that workloads hold, evicted ones until their pods have stopped} */
  public StepFunction used() {
    return used;
  }

  /** {@return the usage above the nominal quota} */
  public StepFunction borrowed() {
    return excess(used, nominal);
  }

  /** {@return the nominal quota that is not used, by whichever ClusterQueue} */
  private StepFunction unused() {
    return excess(nominal, used);
  }

  private static StepFunction excess(StepFunction more, StepFunction less) {
    StepCursor of = new StepCursor(more);
    StepCursor above = new StepCursor(less);
    Steps steps = new Steps();
    for (long time = StepCursor.first(of, above);
        time != StepCursor.NONE;
        time = StepCursor.first(of, above)) {
      of.moveTo(time);
      above.moveTo(time);
      steps.set(time, Math.max(0, of.value() - above.value()));
    }
    return StepFunction.of(steps);
  }

  /**
   * {@return the unused nominal quota that other ClusterQueues below the same root cohort borrow}
   *
   * <p>Kueue does not record which queue lends to which: of several that could have lent, each
   * counts in proportion to its unused nominal quota, rounded down. The cohorts are those at the
   * end of the simulation. Computed by each call, in a time that grows with the number of changes
   * below the cohort.
   */
  public StepFunction lent() {
    StepFunction borrowedByAll =
        StepFunction.sum(sharing.stream().map(QuotaSeries::borrowed).toList());
    StepFunction unusedByAll =
        StepFunction.sum(sharing.stream().map(QuotaSeries::unused).toList());
    StepCursor borrowed = new StepCursor(borrowedByAll);
    StepCursor all = new StepCursor(unusedByAll);
    StepCursor own = new StepCursor(unused());
    Steps steps = new Steps();
    for (long time = StepCursor.first(borrowed, all, own);
        time != StepCursor.NONE;
        time = StepCursor.first(borrowed, all, own)) {
      borrowed.moveTo(time);
      all.moveTo(time);
      own.moveTo(time);
      steps.set(time, share(borrowed.value(), own.value(), all.value()));
    }
    return StepFunction.of(steps);
  }

  /** {@return how much of {@code borrowed} a part of what is unused has lent} */
  private static long share(long borrowed, long part, long unused) {
    return borrowed >= unused
        ? part
        : BigInteger.valueOf(borrowed)
            .multiply(BigInteger.valueOf(part))
            .divide(BigInteger.valueOf(Longs.max(1, unused)))
            .longValue();
  }

  @Override
  public String toString() {
    return "QuotaSeries [" + clusterQueue + " " + flavor + " " + resource + "]";
  }
}
