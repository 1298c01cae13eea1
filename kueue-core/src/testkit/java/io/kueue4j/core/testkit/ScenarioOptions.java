package io.kueue4j.core.testkit;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.internal.support.SingletonStyle;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.immutables.value.Value;

/**
 * The size of scenarios of a {@link ScenarioGenerator}, and the {@link Feature}s that they may use.
 *
 * <p>Each scenario uses a random subset of the allowed features. So some scenarios use few features
 * often, and features that hide each other's bugs also occur separately.
 */
@Value.Immutable
@SingletonStyle
public abstract class ScenarioOptions {
  ScenarioOptions() {}

  /** The features of scenarios. */
  public enum Feature {
    /** Fair sharing, with any of the strategies. */
    FAIR_SHARING,
    /** Admission fair sharing: usage histories order LocalQueues. */
    ADMISSION_FAIR_SHARING,
    /** Feature gates and settings other than Kueue's defaults; strict quota. */
    SETTINGS,
    /** Borrowing and lending limits. */
    LIMITS,
    /** Cohorts below cohorts, with quota of their own. */
    HIERARCHY,
    /** Policies by which workloads preempt each other. */
    PREEMPTION,
    /** Policies for flavors that require borrowing or preemption. */
    FUNGIBILITY,
    /** Priorities, priority classes that change, and boosts. */
    PRIORITIES,
    /** Weights other than 1, 0 included. */
    WEIGHTS,
    /** Namespace selectors of queues, taints and labels of flavors. */
    SELECTORS,
    /** Workloads with several pod sets, some of which share flavors. */
    POD_SETS,
    /** Pod sets with a minimum count. */
    PARTIAL_ADMISSION,
    /** Running pods that release their quota. */
    RECLAIMABLE_PODS,
    /** Pod sets without pods, requests of 0, and resources without quota. */
    ZERO_REQUESTS,
    /** Amounts at the end of the 64-bit range. */
    HUGE_AMOUNTS,
    /**
     * Lending limits together with {@link #HUGE_AMOUNTS}; not enabled by default. Where a quota
     * without limit lends a part and usage of the rest exceeds the 64-bit range, the usage of the
     * cohort depends on whether it is computed from scratch or incrementally, so
     * correct engines may differ.
     */
    HUGE_LENDING,
    /**
     * Queues, cohorts, flavors and classes that are changed, removed and added again, also
     * invalidly.
     */
    RECONFIGURATION,
    /** Workloads, queues and LocalQueues that are held for a while. */
    HOLDS,
    /**
     * Workloads that were admitted elsewhere, whether they fit or not, or waited for the end of a
     * backoff there.
     */
    RESTORE,
    /** Preemption gates, and allowed flavors of workloads. */
    GATES,
    /**
     * Elastic jobs that grow by another elastic slice and shrink in place; not enabled by default,
     * since an elastic slice ends without a step, which invariants do not follow.
     */
    ELASTIC_JOBS,
    /**
     * Flavors with a topology, nodes that are changed and removed, and pods that request placement.
     */
    TOPOLOGY,
    /**
     * Admission checks, some of which delay placement; not enabled by default, since invariants do
     * not follow when a workload with quota may run.
     */
    CHECKS,
    /**
     * Pods that become ready late, never, or lose that again, and workloads whose execution time is
     * limited; not enabled by default, since workloads are evicted without a step.
     */
    PODS_READY,
    /** Queues that drain; not enabled by default, since workloads are evicted without a step. */
    DRAINS
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return ImmutableScenarioOptions.builder();
  }

  private static final ImmutableSet<Feature> OPTIONAL = Sets.immutableEnumSet(
      Feature.HUGE_LENDING,
      Feature.ELASTIC_JOBS,
      Feature.CHECKS,
      Feature.PODS_READY,
      Feature.DRAINS);

  /**
   * {@return small clusters with all features in which correct engines have equal decisions; for
   * runs against another engine without invariants}
   */
  public static ScenarioOptions compared() {
    return builder().features(allBut(Set.of(Feature.HUGE_LENDING))).build();
  }

  private static ImmutableSortedSet<Feature> allBut(Set<Feature> features) {
    return Arrays.stream(Feature.values())
        .filter(feature -> !features.contains(feature))
        .collect(ImmutableSortedSet.toImmutableSortedSet(Comparator.naturalOrder()));
  }

  /**
   * {@return small clusters with all features except {@link Feature#HUGE_LENDING},
   * {@link Feature#ELASTIC_JOBS}, {@link Feature#CHECKS}, {@link Feature#PODS_READY} and
   * {@link Feature#DRAINS}}
   */
  public static ScenarioOptions defaults() {
    return ImmutableScenarioOptions.of();
  }

  /** {@return the maximum number of ClusterQueues, 4 by default} */
  @Value.Default
  public int clusterQueues() {
    return 4;
  }

  /**
   * {@return the maximum number of cohorts, 3 by default and at least 1: an engine under test has
   * to know that ClusterQueues of one cohort lend each other unused quota}
   */
  @Value.Default
  public int cohorts() {
    return 3;
  }

  /** {@return the maximum number of flavors, 3 by default} */
  @Value.Default
  public int flavors() {
    return 3;
  }

  /**
   * {@return the number of steps after the first configuration, 40 by default; some scenarios have
   * half of them}
   */
  @Value.Default
  public int steps() {
    return 40;
  }

  /**
   * {@return the allowed features; by default all except {@link Feature#HUGE_LENDING},
   * {@link Feature#ELASTIC_JOBS}, {@link Feature#CHECKS}, {@link Feature#PODS_READY} and
   * {@link Feature#DRAINS}}
   */
  @Value.Default
  @Value.NaturalOrder
  public SortedSet<Feature> features() {
    return allBut(OPTIONAL);
  }

  /**
   * {@return the version of Kueue of all scenarios; if absent, scenarios with
   * {@link Feature#SETTINGS} have any version and others the default}
   */
  public abstract Optional<KueueVersion> kueueVersion();

  @Value.Check
  void check() {
    checkArgument(
        clusterQueues() >= 1 && cohorts() >= 1 && flavors() >= 1 && steps() >= 0,
        "%s ClusterQueues, %s cohorts, %s flavors and %s steps; expected at least 1, 1, 1 and 0",
        clusterQueues(),
        cohorts(),
        flavors(),
        steps());
  }

  /** Builds {@link ScenarioOptions}; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the maximum number of ClusterQueues. */
    @CanIgnoreReturnValue
    public abstract Builder clusterQueues(int clusterQueues);

    /** Sets the maximum number of cohorts. */
    @CanIgnoreReturnValue
    public abstract Builder cohorts(int cohorts);

    /** Sets the maximum number of flavors. */
    @CanIgnoreReturnValue
    public abstract Builder flavors(int flavors);

    /** Sets the number of steps after the first configuration. */
    @CanIgnoreReturnValue
    public abstract Builder steps(int steps);

    /** Sets the version of Kueue of all scenarios. */
    @CanIgnoreReturnValue
    public abstract Builder kueueVersion(KueueVersion version);

    /** Copies every option of {@code options}, which may then be replaced. */
    @CanIgnoreReturnValue
    public abstract Builder from(ScenarioOptions options);

    /** Sets the allowed features. */
    @CanIgnoreReturnValue
    public abstract Builder features(Iterable<? extends Feature> features);

    /** Allows all default features except {@code features}. */
    @CanIgnoreReturnValue
    public Builder without(Feature... features) {
      return features(defaults().features().stream()
          .filter(feature -> !Arrays.asList(features).contains(feature))
          .collect(ImmutableSortedSet.toImmutableSortedSet(Comparator.naturalOrder())));
    }

    /** {@return the options} */
    public abstract ScenarioOptions build();
  }
}
