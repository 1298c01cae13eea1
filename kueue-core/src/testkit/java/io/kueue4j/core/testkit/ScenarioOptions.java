package io.kueue4j.core.testkit;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.internal.support.SingletonStyle;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import org.immutables.value.Value;

/**
 * What a {@link ScenarioGenerator} may make: how much of everything, and which {@link Feature}s.
 *
 * <p>Each scenario gets a random part of the allowed features. So some scenarios are about few
 * things that they do often, and features that hide each other's bugs are also met apart.
 */
@Value.Immutable
@SingletonStyle
public abstract class ScenarioOptions {
  ScenarioOptions() {}

  /** What may appear in a scenario. */
  public enum Feature {
    /** Quota is shared fairly, by any of the strategies. */
    FAIR_SHARING,
    /** What LocalQueues have used decides who of them is served first. */
    ADMISSION_FAIR_SHARING,
    /** Feature gates and settings other than Kueue's defaults; strict quota. */
    SETTINGS,
    /** Borrowing and lending limits. */
    LIMITS,
    /** Cohorts below cohorts, with quota of their own. */
    HIERARCHY,
    /** Policies by which workloads preempt each other. */
    PREEMPTION,
    /** Policies for flavors that can only be borrowed or preempted. */
    FUNGIBILITY,
    /** Priorities, priority classes that change, and boosts. */
    PRIORITIES,
    /** Weights other than 1, 0 included. */
    WEIGHTS,
    /** Namespaces that queues do not take, taints and labels of flavors. */
    SELECTORS,
    /** Workloads with several pod sets, some sharing their flavors. */
    POD_SETS,
    /** Pod sets that may shrink. */
    PARTIAL_ADMISSION,
    /** Running pods that give back their quota. */
    RECLAIMABLE_PODS,
    /** Pod sets without pods, requests of 0, and resources that nobody has quota for. */
    ZERO_REQUESTS,
    /** Amounts at the end of the 64-bit range. */
    HUGE_AMOUNTS,
    /**
     * Lending limits beside {@link #HUGE_AMOUNTS}; not among the defaults. Where a quota without
     * limit lends a part and usage of the rest has left the 64-bit range, what reaches the cohort
     * depends on whether it is counted from scratch or as it comes, so that engines
     * which are right may differ.
     */
    HUGE_LENDING,
    /** Queues, cohorts, flavors and classes that change, go and come back, also in wrong ways. */
    RECONFIGURATION,
    /** Workloads, queues and LocalQueues that are held back for a while. */
    HOLDS,
    /** Workloads that were admitted elsewhere, whether there is room or not. */
    RESTORE,
    /** Preemption gates, and flavors that workloads are allowed. */
    GATES,
    /**
     * Elastic jobs that grow by another slice and shrink in place; not among the defaults, since a
     * slice ends without a step that says so, which only a model of the rules can follow.
     */
    ELASTIC_JOBS,
    /** Flavors with a topology, nodes that change and go, and pods that want places there. */
    TOPOLOGY,
    /**
     * Admission checks, some of which delay places; not among the defaults, since invariants do not
     * follow when a workload may run that holds quota.
     */
    CHECKS,
    /**
     * Queues that drain; not among the defaults, since workloads are evicted without a step that
     * says so.
     */
    DRAINS
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return ImmutableScenarioOptions.builder();
  }

  private static final ImmutableSet<Feature> OPTIONAL = Sets.immutableEnumSet(
      Feature.HUGE_LENDING, Feature.ELASTIC_JOBS, Feature.CHECKS, Feature.DRAINS);

  /**
   * {@return small clusters with all features in which right engines decide alike; for runs against
   * another engine without invariants}
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
   * {@return small clusters with all features but {@link Feature#HUGE_LENDING},
   * {@link Feature#ELASTIC_JOBS}, {@link Feature#CHECKS} and {@link Feature#DRAINS}}
   */
  public static ScenarioOptions defaults() {
    return ImmutableScenarioOptions.of();
  }

  /** {@return the greatest number of ClusterQueues, 4 unless set} */
  @Value.Default
  public int clusterQueues() {
    return 4;
  }

  /** {@return the greatest number of cohorts, 3 unless set} */
  @Value.Default
  public int cohorts() {
    return 3;
  }

  /** {@return the greatest number of flavors, 3 unless set} */
  @Value.Default
  public int flavors() {
    return 3;
  }

  /**
   * {@return the number of steps after the first configuration, 40 unless set; some scenarios end
   * after half of them}
   */
  @Value.Default
  public int steps() {
    return 40;
  }

  /**
   * {@return what may appear, unless set all but {@link Feature#HUGE_LENDING},
   * {@link Feature#ELASTIC_JOBS}, {@link Feature#CHECKS} and {@link Feature#DRAINS}}
   */
  @Value.Default
  @Value.NaturalOrder
  public ImmutableSortedSet<Feature> features() {
    return allBut(OPTIONAL);
  }

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

  /** Builds {@link ScenarioOptions}; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the greatest number of ClusterQueues. */
    @CanIgnoreReturnValue
    public abstract Builder clusterQueues(int clusterQueues);

    /** Sets the greatest number of cohorts. */
    @CanIgnoreReturnValue
    public abstract Builder cohorts(int cohorts);

    /** Sets the greatest number of flavors. */
    @CanIgnoreReturnValue
    public abstract Builder flavors(int flavors);

    /** Sets the number of steps after the first configuration. */
    @CanIgnoreReturnValue
    public abstract Builder steps(int steps);

    /** Sets what may appear. */
    @CanIgnoreReturnValue
    public abstract Builder features(Iterable<? extends Feature> features);

    /** Lets everything of the defaults appear but {@code features}. */
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
