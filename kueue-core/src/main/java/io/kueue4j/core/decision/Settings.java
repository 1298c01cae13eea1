package io.kueue4j.core.decision;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Ordering;
import com.google.common.collect.Sets;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.internal.support.SingletonStyle;
import io.kueue4j.core.internal.validation.ConfigValidator;
import io.kueue4j.core.internal.validation.WorkloadValidator;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.immutables.value.Value;

/**
 * The settings of an engine, which are fixed when it is built; the defaults are Kueue's. Immutable.
 *
 * <pre>{@code
 * Settings settings = Settings.builder()
 *     .putFeatureGates(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, false)
 *     .build();
 * AdmissionEngine engine = AdmissionEngine.builder().settings(settings).build();
 * }</pre>
 *
 * <p>Kueue: {@code Configuration} of {@code config.kueue.x-k8s.io}. Rules: H-1, L-14 and section
 * 15.1 of the rule index.
 *
 * @since 0.1.0
 */
@Value.Immutable
@SingletonStyle
public abstract class Settings {
  Settings() {}

  /**
   * The condition on shares under which fair sharing lets a workload be preempted; named as in
   * Kueue's configuration.
   *
   * <p>Rules: H-20, H-21, H-24.
   *
   * @since 0.1.0
   */
  public enum FairSharingStrategy {
    /**
     * The preemptor's queue or cohort has at most the share that the victim's will have without the
     * victim.
     */
    LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
    /** The preemptor's queue or cohort has a smaller share than the victim's has now. */
    LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

    private final String text;

    FairSharingStrategy(String text) {
      this.text = text;
    }

    /** {@return the strategy with this name in Kueue's configuration, empty if there is none} */
    public static Optional<FairSharingStrategy> named(String name) {
      return Arrays.stream(values())
          .filter(strategy -> strategy.text.equals(name))
          .findFirst();
    }

    /** {@return the name in Kueue's configuration} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * How to treat requests for resources that the ClusterQueue does not cover.
   *
   * @since 0.1.0
   */
  public enum QuotaCheckStrategy {
    /** The workload does not fit. */
    BLOCK_UNDECLARED,
    /** The requests are ignored. */
    IGNORE_UNDECLARED
  }

  /**
   * The order in which workloads are tried that are promised no start, and fill the room before and
   * beside the promised ones.
   *
   * @since 0.1.0
   */
  public enum FillerOrder {
    /** The order of the queue: by priority, then by time. */
    QUEUE_ORDER,
    /** The shortest expected duration first; workloads of unknown duration last. */
    SHORTEST_FIRST
  }

  /**
   * Promised starts: the first workloads that wait in each ClusterQueue are promised a time at
   * which they start, and another workload may start before them only if no promised start moves to
   * a later time. Immutable.
   *
   * <p>A start is promised by the expected durations of what runs:
   * {@link Workload#expectedDuration()}, otherwise {@link Workload#maximumExecutionTime()}.
   * Workloads without either count as running for ever, so they start only where they delay no
   * promise.
   *
   * <p>Depth 1 is EASY backfilling (Lifka, 1995), {@link #UNLIMITED} is conservative backfilling
   * (Mu'alem and Feitelson, 2001), and depth 0 fills without a promise, which is what Kueue's
   * BestEffortFIFO does.
   *
   * @param depth how many waiting workloads of a ClusterQueue are promised a start, 0 or more; a
   *     ClusterQueue may have its own {@link io.kueue4j.core.model.ClusterQueue#backfillDepth}.
   *     There may be more promises: a promise stays if a workload of the same priority comes before
   *     the promised workload
   * @param fillerOrder the order of those without a promise
   * @param horizon how far ahead a start may be promised, more than 0
   * @param promiseAfter how long a workload waits at most until it is promised a start whatever its
   *     place in the queue, more than 0; absent if the place alone counts
   * @since 0.1.0
   */
  public record Backfill(
      int depth, FillerOrder fillerOrder, Duration horizon, Optional<Duration> promiseAfter) {
    /** The depth at which every waiting workload is promised a start. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final Duration YEAR = Duration.ofDays(365);

    /**
     * Creates the value.
     *
     * @throws IllegalArgumentException if {@code depth} is negative, or a duration is not positive
     */
    public Backfill {
      checkArgument(depth >= 0, "the depth of backfilling is %s; expected 0 or more", depth);
      checkArgument(isPositive(horizon), "the horizon is %s; expected more than 0", horizon);
      checkArgument(
          promiseAfter.isEmpty() || isPositive(promiseAfter.get()),
          "a start is promised after %s; expected more than 0, or none",
          promiseAfter.orElse(Duration.ZERO));
    }

    private static boolean isPositive(Duration duration) {
      return duration.compareTo(Duration.ZERO) > 0;
    }

    /** {@return this depth, with fillers in the order of the queue, and a horizon of a year} */
    public static Backfill ofDepth(int depth) {
      return new Backfill(depth, FillerOrder.QUEUE_ORDER, YEAR, Optional.empty());
    }

    /** {@return the same with another order of fillers} */
    public Backfill withFillerOrder(FillerOrder order) {
      return new Backfill(depth, order, horizon, promiseAfter);
    }

    /** {@return the same with promises for workloads that have waited for a time} */
    public Backfill withPromiseAfter(Duration wait) {
      return new Backfill(depth, fillerOrder, horizon, Optional.of(wait));
    }
  }

  /** {@return a new builder; nothing is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the settings of the latest Kueue as installed} */
  public static Settings defaults() {
    return ImmutableSettings.of();
  }

  /** {@return the version of Kueue whose decisions the engine makes; by default the latest} */
  @Value.Default
  public KueueVersion kueueVersion() {
    return KueueVersion.defaultVersion();
  }

  /** {@return the feature gates that were set; the others have the defaults of the version} */
  @Value.NaturalOrder
  public abstract SortedMap<FeatureGate, Boolean> featureGates();

  /** {@return how to treat requests for resources that the ClusterQueue does not cover} */
  @Value.Default
  public QuotaCheckStrategy quotaCheckStrategy() {
    return QuotaCheckStrategy.BLOCK_UNDECLARED;
  }

  /**
   * {@return the strategies of fair sharing in the order in which they are tried; absent if quota
   * is not shared fairly, empty for both}
   */
  public abstract Optional<List<FairSharingStrategy>> fairSharing();

  /**
   * {@return whether workloads are admitted only into unused quota}
   *
   * <p>The default is Kueue's behavior: quota to be freed by preemption counts as free in the cycle
   * that preempts, so usage may exceed quota until the victims have stopped. With this
   * setting, no decision raises usage above quota.
   */
  @Value.Default
  public boolean strictQuota() {
    return false;
  }

  /**
   * {@return whether workloads hold their quota until they have stopped, also deactivated ones}
   *
   * <p>The default is Kueue's behavior: the quota of a deactivated workload is free at once, so
   * others may start while its pods still run (L-12). The variants of a workload that tries flavors
   * concurrently release theirs at once with this setting, too.
   */
  @Value.Default
  public boolean holdsQuotaUntilStopped() {
    return false;
  }

  /**
   * {@return whether pods are placed without the known defects of Kueue}
   *
   * <p>The default is to place them as Kueue does. With this setting, a node is never assigned more
   * pods than fit on it, across all decisions of a cycle; pods that request nothing can be placed;
   * and a failure reports how many pods fit beside the leader.
   *
   * <p>Rules: A.20 numbers 6, 8 and 16.
   */
  @Value.Default
  public boolean strictTopology() {
    return false;
  }

  /**
   * {@return whether every victim of fair sharing is fair against all victims together}
   *
   * <p>Kueue chooses victims one after another, and then spares victims of the preemptor's own
   * queue that turn out not to be needed. That raises the share of the queue again, so other
   * victims may no longer be fair, and two workloads may preempt each other for ever (kueue#14543).
   * With this setting, victims of the own queue are spared only if the others remain fair.
   */
  @Value.Default
  public boolean strictFairSharing() {
    return false;
  }

  /**
   * {@return whether priority within a ClusterQueue never makes it borrow more}
   *
   * <p>In Kueue, a workload may preempt others of its own queue to borrow more than these did. Then
   * another queue may preempt it, whose room the victims take back in turn. With this setting, a
   * workload that would preempt in its own queue waits if the queue, or a cohort above it, would
   * borrow more than before.
   */
  @Value.Default
  public boolean strictBorrowing() {
    return false;
  }

  /**
   * {@return how the past usage of LocalQueues is recorded, for ClusterQueues that order by it;
   * absent if it is not recorded}
   */
  public abstract Optional<AdmissionFairSharing> admissionFairSharing();

  /**
   * {@return what happens to admitted workloads whose pods do not run; absent if the engine ignores
   * it}
   *
   * <p>Kueue's default configuration uses {@link PodsReadyPolicy#defaults()}. Here it must be set
   * explicitly, because it requires the caller to report pods by
   * {@link io.kueue4j.core.WorkloadLifecycle#setPodsReady}.
   */
  public abstract Optional<PodsReadyPolicy> podsReady();

  /**
   * {@return whether and how starts are promised; absent, as in Kueue, if no start is promised and
   * whatever fits may start}
   */
  public abstract Optional<Backfill> backfill();

  /**
   * {@return the limits of preemption, for ClusterQueues without
   * {@link io.kueue4j.core.model.ClusterQueue#preemptionLimits() limits} of their own; absent if
   * nothing is limited, as in Kueue}
   */
  public abstract Optional<PreemptionLimits> preemptionLimits();

  /**
   * {@return this, with a copy of a list that could change} Rejects strategies that Kueue rejects
   * (H-24): each at most once, the one on the final share first.
   */
  @Value.Check
  Settings checked() {
    fairSharing()
        .ifPresent(strategies -> checkArgument(
            Ordering.natural().isStrictlyOrdered(strategies),
            "the strategies of fair sharing are %s; expected one, or both with the strategy of the final share"
                + " first",
            strategies));
    return fairSharing().filter(list -> !(list instanceof ImmutableList)).isEmpty()
        ? this
        : builder()
            .from(this)
            .fairSharing(ImmutableList.copyOf(fairSharing().get()))
            .build();
  }

  /** {@return the gates that are on} */
  @Value.Lazy
  Set<FeatureGate> enabledGates() {
    return Arrays.stream(FeatureGate.values())
        .filter(gate -> featureGates().getOrDefault(gate, gate.isEnabledByDefault(kueueVersion())))
        .collect(Sets.toImmutableEnumSet());
  }

  /** {@return whether {@code gate} is on} */
  public boolean isEnabled(FeatureGate gate) {
    return enabledGates().contains(gate);
  }

  /** {@return whether {@code fix} holds in the version of Kueue} */
  public boolean includes(KueueFix fix) {
    return fix.isIn(kueueVersion());
  }

  /**
   * {@return what is wrong with a configuration object by itself, empty if it is valid}
   *
   * <p>An engine also finds what does not go together with other objects, such as a cycle of
   * cohorts.
   */
  public List<Violation> violations(ConfigObject object) {
    return ConfigValidator.validate(
        object,
        includes(KueueFix.MORE_FLAVORS_OF_VARIANTS) ? 32 : 16,
        backfill().isPresent());
  }

  /** {@return what is wrong with a workload, empty if it is valid} */
  public List<Violation> violations(Workload workload) {
    return WorkloadValidator.validate(workload, includes(KueueFix.MIN_COUNT_ZERO) ? 0 : 1);
  }

  /**
   * Builds {@link Settings}; reusable, not thread-safe.
   *
   * <p>Building fails with an {@link IllegalArgumentException} if a feature gate was set twice, or
   * if the strategies of fair sharing are neither one nor both with the strategy of the final share
   * first.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutableSettings.Builder {
    Builder() {}

    /** Shares quota fairly; without strategies, both are tried. */
    @CanIgnoreReturnValue
    public Builder fairSharing(FairSharingStrategy... strategies) {
      return fairSharing(ImmutableList.copyOf(strategies));
    }
  }
}
