package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.internal.support.SingletonStyle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.immutables.value.Value;

/**
 * Limits of preemption, so that it cannot run away: how long a workload runs before it may be
 * preempted, how many preemptions there may be in a time, how soon a reclaim may repeat, and by
 * which cost victims are chosen. By default nothing is limited, as in Kueue.
 *
 * <pre>{@code
 * PreemptionLimits.builder()
 *     .putMinRunTimes(PreemptionReason.IN_COHORT_FAIR_SHARING, Duration.ofHours(1))
 *     .addRates(new Rate(RateScope.PREEMPTED_WORKLOAD, 2, Duration.ofDays(1)))
 *     .build();
 * }</pre>
 *
 * <p>What the limits refuse stays pending with {@link ReasonCode#PREEMPTION_LIMITED}, and is tried
 * again when they allow it. A preemption is allowed or refused as a whole: none of its victims is
 * preempted if one may not be. Times are compared in milliseconds. A restored engine knows from the
 * status of a workload how often it was preempted, and counts that for
 * {@link RateScope#PREEMPTED_WORKLOAD} as if it were at the time of the condition
 * {@code Preempted}. It begins anew to count for other scopes and for the reclaim backoff.
 *
 * <p>Rules: PL-1, PL-2, PL-3, PL-4, PL-5.
 *
 * @since 0.1.0
 */
@Value.Immutable
@SingletonStyle
public abstract class PreemptionLimits {
  PreemptionLimits() {}

  /**
   * What a {@link Rate} counts together.
   *
   * @since 0.1.0
   */
  public enum RateScope {
    /** All preemptions of the engine; only in its settings. */
    GLOBAL("Global"),
    /** The preemptions for workloads of one ClusterQueue. */
    PREEMPTING_CLUSTER_QUEUE("PreemptingClusterQueue"),
    /** The preemptions of workloads of one ClusterQueue. */
    PREEMPTED_CLUSTER_QUEUE("PreemptedClusterQueue"),
    /** The preemptions of one workload. */
    PREEMPTED_WORKLOAD("PreemptedWorkload");

    private final String text;

    RateScope(String text) {
      this.text = text;
    }

    /** {@return the name in manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * The most preemptions in any window of time.
   *
   * @param scope what counts together
   * @param limit the most preemptions in a window, at least 1; each victim counts as one
   * @param window the length of the window; more than 0
   * @since 0.1.0
   */
  public record Rate(RateScope scope, int limit, Duration window) {
    /** The largest limit: the engine keeps the time of each preemption that a rate counts. */
    public static final int MAX_LIMIT = 1_000;

    /**
     * Creates a rate.
     *
     * @throws IllegalArgumentException if the limit or the window is out of range
     */
    public Rate {
      checkArgument(
          limit >= 1 && limit <= MAX_LIMIT,
          "the limit of preemptions of scope %s is %s; expected 1 to %s",
          scope,
          limit,
          MAX_LIMIT);
      checkPositive(window, "window of scope " + scope);
    }
  }

  /**
   * How soon a ClusterQueue may reclaim the same flavor and resource again. After a reclaim it may
   * not for {@code base}; after each further one for twice as long as before, at most for
   * {@code max}. A reclaim later than {@code reset} after the end of the last delay counts as a
   * first one.
   *
   * @param base the first delay; more than 0
   * @param max the longest delay; not less than {@code base}
   * @param reset the time after a delay that ends the series; not negative
   * @since 0.1.0
   */
  public record ReclaimBackoff(Duration base, Duration max, Duration reset) {
    /**
     * Creates a backoff.
     *
     * @throws IllegalArgumentException if a duration is out of range
     */
    public ReclaimBackoff {
      checkPositive(base, "base of the reclaim backoff");
      checkArgument(
          max.compareTo(base) >= 0,
          "the max of the reclaim backoff is %s; expected at least its base, %s",
          max,
          base);
      checkNotNegative(reset, "reset of the reclaim backoff");
    }
  }

  /**
   * What the preemption of a workload costs: the work since it got its quota, or since its last
   * {@linkplain Workload#checkpointInterval checkpoint}, its restart, and a time for each earlier
   * preemption, times what it holds.
   *
   * @param resourceWeights the weight of one unit of a resource, a core of {@code cpu} or a byte of
   *     {@code memory}; other resources count nothing. If empty, all workloads weigh the same
   * @param restart the time that a workload needs until it goes on; not negative
   * @param repeat the time that counts as lost for each earlier preemption of the workload, so that
   *     not always the same is preempted; not negative
   * @since 0.1.0
   */
  public record VictimCost(
      SortedMap<String, Double> resourceWeights, Duration restart, Duration repeat) {
    /**
     * Creates a cost.
     *
     * @throws IllegalArgumentException if a weight is negative or not finite, or a time negative
     */
    public VictimCost {
      resourceWeights = ImmutableSortedMap.copyOf(resourceWeights);
      checkNotNegative(restart, "restart of the cost of victims");
      checkNotNegative(repeat, "repeat of the cost of victims");
      resourceWeights.forEach((resource, weight) -> checkArgument(
          weight >= 0 && Double.isFinite(weight),
          "the weight of resource %s is %s; expected 0 or more",
          resource,
          weight));
    }
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return limits that refuse nothing} */
  public static PreemptionLimits none() {
    return ImmutablePreemptionLimits.of();
  }

  /**
   * {@return how long a workload must have held its quota before it may be preempted by each rule;
   * 0 for those missing}
   *
   * <p>The limits of the victim's ClusterQueue count. A workload that was evicted already may be a
   * victim at any time.
   */
  public abstract Map<PreemptionReason, Duration> minRunTimes();

  /**
   * {@return the most preemptions in windows of time; the limits of the preemptor's ClusterQueue
   * count for the scope {@link RateScope#PREEMPTING_CLUSTER_QUEUE}, of the victim's ClusterQueue
   * for what is preempted}
   *
   * <p>A preemption of more victims than a limit is never allowed.
   */
  public abstract List<Rate> rates();

  /**
   * {@return how soon the ClusterQueue may reclaim again from others, in preemptions
   * {@link PreemptionReason#IN_COHORT_RECLAMATION} or
   * {@link PreemptionReason#IN_COHORT_RECLAIM_WHILE_BORROWING}; absent for at once}
   */
  public abstract Optional<ReclaimBackoff> reclaimBackoff();

  /**
   * {@return by which cost victims of the ClusterQueue's workloads are chosen; absent to choose as
   * Kueue does}
   *
   * <p>Kueue takes candidates in its order until the workload fits, then keeps those that are not
   * needed. With a cost, of the same candidates a set is preempted that suffices and costs the
   * least; without fair sharing also of the next ones of the same kind and priority, as long as
   * there are at most 10. Of at most 10 candidates it is the best set, of more one that costs at
   * most as many times as much as it has victims.
   */
  public abstract Optional<VictimCost> victimCost();

  /** Checks the minimum run times. */
  @Value.Check
  void check() {
    minRunTimes()
        .forEach((reason, time) -> checkNotNegative(time, "minimum run time for " + reason));
  }

  private static void checkPositive(Duration duration, String name) {
    checkArgument(
        !duration.isNegative() && !duration.isZero(),
        "the %s is %s; expected more than 0",
        name,
        duration);
  }

  private static void checkNotNegative(Duration duration, String name) {
    checkArgument(!duration.isNegative(), "the %s is %s; expected 0 or more", name, duration);
  }

  /**
   * Builds {@link PreemptionLimits}; reusable, not thread-safe.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if a minimum run time is negative.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutablePreemptionLimits.Builder {
    Builder() {}
  }
}
