package io.kueue4j.core.model;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * A queue of workloads with a pool of quota and the policies for its use.
 *
 * <p>The defaults are the same as in Kueue's API. A queue without a {@link #namespaceSelector()}
 * admits nothing.
 *
 * <p>Kueue: {@code ClusterQueue.spec}. Rules: M-9, M-11, H-1 and section 2.2 of the rule index.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract non-sealed class ClusterQueue implements ConfigObject {
  ClusterQueue() {}

  /**
   * What happens when the workload at the head of a ClusterQueue does not fit.
   *
   * @since 0.1.0
   */
  public enum QueueingStrategy {
    /** It stays at the head, and the workloads behind it wait. */
    STRICT_FIFO("StrictFIFO"),
    /** It is parked until something changes, and the next workload is tried. */
    BEST_EFFORT_FIFO("BestEffortFIFO");

    private final String text;

    QueueingStrategy(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Whether past usage decides the order of the LocalQueues of a ClusterQueue.
   *
   * <p>Kueue: {@code ClusterQueue.spec.admissionScope.admissionMode}. Rules: W-0.
   *
   * @since 0.1.0
   */
  public enum AdmissionMode {
    /**
     * The LocalQueue with the least past usage goes first, if the engine's settings configure
     * {@link AdmissionFairSharing}.
     */
    USAGE_BASED_ADMISSION_FAIR_SHARING("UsageBasedAdmissionFairSharing"),
    /** Past usage does not count; the default. */
    NO_ADMISSION_FAIR_SHARING("NoAdmissionFairSharing");

    private final String text;

    AdmissionMode(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * An admission check that a ClusterQueue requires.
   *
   * @param name the name of the AdmissionCheck
   * @param onFlavors the flavors for which it is required, empty for all
   * @since 0.1.0
   */
  public record AdmissionCheckRule(String name, List<String> onFlavors) {
    /** Copies what it is given. */
    public AdmissionCheckRule {
      onFlavors = ImmutableList.copyOf(onFlavors);
    }
  }

  /** {@return a new builder; {@code name} is required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the name} */
  public abstract String name();

  /**
   * {@return the cohort in which the queue shares unused quota; the Cohort need not have been
   * applied}
   */
  public abstract Optional<String> cohort();

  /** {@return the quotas; a resource or flavor belongs to at most one group} */
  public abstract List<ResourceGroup> resourceGroups();

  /** {@return the names of the flavors of its groups, in their order} */
  public List<String> flavors() {
    return resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(FlavorQuotas::flavor)
        .collect(toImmutableList());
  }

  /**
   * {@return what happens when the workload at the head does not fit; BestEffortFIFO by default}
   */
  @Value.Default
  public QueueingStrategy queueingStrategy() {
    return QueueingStrategy.BEST_EFFORT_FIFO;
  }

  /** {@return the namespaces that may use the queue; absent matches none} */
  public abstract Optional<LabelSelector> namespaceSelector();

  /** {@return how a flavor is chosen when none fits without borrowing or preemption} */
  @Value.Default
  public FlavorFungibility flavorFungibility() {
    return FlavorFungibility.DEFAULT;
  }

  /** {@return which workloads the queue's workloads may preempt; none by default} */
  @Value.Default
  public Preemption preemption() {
    return Preemption.never();
  }

  /**
   * {@return the limits of preemptions of and by the queue's workloads, instead of the limits in
   * the engine's settings; absent for these. A rate of scope
   * {@link PreemptionLimits.RateScope#GLOBAL} stands in the settings only}
   */
  public abstract Optional<PreemptionLimits> preemptionLimits();

  /**
   * {@return the checks that the queue's workloads must pass between quota reservation and
   * admission}
   */
  public abstract List<AdmissionCheckRule> admissionChecks();

  /** {@return whether the queue admits workloads} */
  @Value.Default
  public StopPolicy stopPolicy() {
    return StopPolicy.NONE;
  }

  /**
   * {@return the weight of the queue in fair sharing, relative to others; 1 by default. With weight
   * 0 it gets unused quota only when nothing else wants it}
   */
  @Value.Default
  public double fairSharingWeight() {
    return 1;
  }

  /** {@return whether past usage decides the order of the queue's LocalQueues} */
  @Value.Default
  public AdmissionMode admissionMode() {
    return AdmissionMode.NO_ADMISSION_FAIR_SHARING;
  }

  /**
   * {@return how workloads try all flavors of the queue at once; absent if they try them one after
   * another}
   */
  public abstract Optional<ConcurrentAdmissionPolicy> concurrentAdmissionPolicy();

  /**
   * {@return how many waiting workloads of the queue, in their order, are promised a start that
   * others must not delay; absent for the depth of
   * {@link io.kueue4j.core.decision.Settings#backfill}, without which it must be absent}
   */
  public abstract OptionalInt backfillDepth();

  @Override
  public String key() {
    return "ClusterQueue " + name();
  }

  /** Builds {@link ClusterQueue}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableClusterQueue.Builder {
    Builder() {}
  }

  /**
   * Lets the workloads of a ClusterQueue try all its flavors at once, with one variant of the
   * workload per flavor, and decides whether admitted workloads move to better flavors. A flavor is
   * better than those that follow it in the queue.
   *
   * <p>Ignored while the feature gate {@code ConcurrentAdmission} is off, and for elastic
   * workloads.
   *
   * <p>Kueue: {@code ClusterQueue.spec.concurrentAdmissionPolicy}. Rules: CA-1.
   *
   * @param mode whether admitted workloads move to better flavors
   * @param lastAcceptableFlavor the last flavor in the queue's order that workloads move to, absent
   *     for any; only with {@link Mode#TRY_PREFERRED_FLAVORS}
   * @since 0.1.0
   */
  public record ConcurrentAdmissionPolicy(Mode mode, Optional<String> lastAcceptableFlavor) {
    /**
     * Whether an admitted workload moves to a better flavor.
     *
     * <p>Kueue: {@code ClusterQueue.spec.concurrentAdmissionPolicy.migration.mode}. Rules: CA-1,
     * CA-4.
     *
     * @since 0.1.0
     */
    public enum Mode {
      /** The workload moves to a better flavor as soon as it fits there. */
      TRY_PREFERRED_FLAVORS("TryPreferredFlavors"),
      /** The workload stays on the flavor on which it was admitted first. */
      RETAIN_FIRST_ADMISSION("RetainFirstAdmission");

      private final String text;

      Mode(String text) {
        this.text = text;
      }

      /** {@return the name in Kubernetes manifests} */
      @Override
      public String toString() {
        return text;
      }
    }

    /** {@return the policy with this mode for all flavors} */
    public static ConcurrentAdmissionPolicy of(Mode mode) {
      return new ConcurrentAdmissionPolicy(mode, Optional.empty());
    }

    /** {@return the policy that moves workloads to {@code flavor} and those before it} */
    public static ConcurrentAdmissionPolicy upTo(String flavor) {
      return new ConcurrentAdmissionPolicy(Mode.TRY_PREFERRED_FLAVORS, Optional.of(flavor));
    }
  }
}
