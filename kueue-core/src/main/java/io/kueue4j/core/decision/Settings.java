package io.kueue4j.core.decision;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Ordering;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.internal.support.SingletonStyle;
import io.kueue4j.core.internal.validation.ConfigValidator;
import io.kueue4j.core.internal.validation.WorkloadValidator;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

  /** {@return whether {@code gate} is on} */
  public boolean isEnabled(FeatureGate gate) {
    return featureGates().getOrDefault(gate, gate.isEnabledByDefault(kueueVersion()));
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
    return ConfigValidator.validate(object, includes(KueueFix.MORE_FLAVORS_OF_VARIANTS) ? 32 : 16);
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
