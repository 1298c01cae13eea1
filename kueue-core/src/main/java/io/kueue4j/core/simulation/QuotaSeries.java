package io.kueue4j.core.simulation;

import com.google.common.collect.Lists;
import com.google.common.primitives.Longs;
import java.math.BigInteger;
import java.util.List;
import org.immutables.value.Value;

/**
 * The quota of one resource in one flavor of a ClusterQueue over time, and its usage. Amounts are
 * milli-units of cpu, whole units of everything else. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class QuotaSeries {
  QuotaSeries() {}

  /**
   * The series of one flavor and resource below one root cohort.
   *
   * @param series the series; each adds itself
   */
  record Sharing(List<QuotaSeries> series) {}

  /** {@return the ClusterQueue} */
  public abstract String clusterQueue();

  /** {@return the flavor} */
  public abstract String flavor();

  /** {@return the resource} */
  public abstract String resource();

  /** {@return the nominal quota} */
  public abstract StepFunction nominal();

  /** {@return the amount that workloads hold, evicted ones until their pods have stopped} */
  public abstract StepFunction used();

  /** {@return the series that may lend to each other, this one among them} */
  @Value.Auxiliary
  abstract Sharing sharing();

  /** {@return the usage above the nominal quota} */
  public StepFunction borrowed() {
    return excess(used(), nominal());
  }

  /** {@return the nominal quota that is not used, by whichever ClusterQueue} */
  private StepFunction unused() {
    return excess(nominal(), used());
  }

  private static StepFunction excess(StepFunction more, StepFunction less) {
    return StepFunction.combined(values -> Math.max(0, values[0] - values[1]), more, less);
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
    List<QuotaSeries> all = sharing().series();
    return StepFunction.combined(
        values -> share(values[0], values[1], values[2]),
        StepFunction.sum(Lists.transform(all, QuotaSeries::borrowed)),
        unused(),
        StepFunction.sum(Lists.transform(all, QuotaSeries::unused)));
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
    return "QuotaSeries [" + clusterQueue() + " " + flavor() + " " + resource() + "]";
  }
}
