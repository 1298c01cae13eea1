package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A queue of workloads with a pool of quota and the policies for its use.
 *
 * <p>The defaults are the same as in Kueue's API. A queue without a {@link #namespaceSelector()}
 * admits nothing.
 *
 * <p>Kueue: {@code ClusterQueue.spec}. Rules: M-11 and section 2.2 of the rule index.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract non-sealed class ClusterQueue implements ConfigObject {
  ClusterQueue() {}

  /** {@return a new builder; {@code name} is required} */
  public static Builder builder() {
    return ImmutableClusterQueue.builder();
  }

  /** {@return the name} */
  public abstract String name();

  /**
   * {@return the cohort in which the queue shares unused quota; the Cohort need not have been
   * applied}
   */
  public abstract Optional<String> cohort();

  /** {@return the quotas; a resource or flavor belongs to at most one group} */
  public abstract ImmutableList<ResourceGroup> resourceGroups();

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
    return Preemption.NEVER;
  }

  /**
   * {@return the checks that the queue's workloads must pass between quota reservation and
   * admission}
   */
  public abstract ImmutableList<AdmissionCheckRule> admissionChecks();

  /** {@return whether the queue admits workloads} */
  @Value.Default
  public StopPolicy stopPolicy() {
    return StopPolicy.NONE;
  }

  /** {@return the weight of the queue in fair sharing; 1 by default} */
  @Value.Default
  public FairSharing fairSharing() {
    return FairSharing.DEFAULT;
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

  /** {@return why the queue admits nothing whatever its specification says; absent by default} */
  public abstract Optional<Outage> outage();

  @Override
  public String key() {
    return "ClusterQueue " + name();
  }

  /** Builds {@link ClusterQueue}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets the cohort. */
    @CanIgnoreReturnValue
    public abstract Builder cohort(String cohort);

    /** Sets or clears the cohort. */
    @CanIgnoreReturnValue
    public abstract Builder cohort(Optional<String> cohort);

    /** Adds resource groups. */
    @CanIgnoreReturnValue
    public abstract Builder addResourceGroups(ResourceGroup... groups);

    /** Adds resource groups. */
    @CanIgnoreReturnValue
    public abstract Builder addAllResourceGroups(Iterable<? extends ResourceGroup> groups);

    /** Sets the queueing strategy. */
    @CanIgnoreReturnValue
    public abstract Builder queueingStrategy(QueueingStrategy strategy);

    /** Sets the namespaces that may use the queue. */
    @CanIgnoreReturnValue
    public abstract Builder namespaceSelector(LabelSelector selector);

    /** Sets or clears the namespaces that may use the queue. */
    @CanIgnoreReturnValue
    public abstract Builder namespaceSelector(Optional<? extends LabelSelector> selector);

    /** Sets the flavor fungibility. */
    @CanIgnoreReturnValue
    public abstract Builder flavorFungibility(FlavorFungibility fungibility);

    /** Sets the preemption policies. */
    @CanIgnoreReturnValue
    public abstract Builder preemption(Preemption preemption);

    /** Adds admission checks. */
    @CanIgnoreReturnValue
    public abstract Builder addAllAdmissionChecks(Iterable<? extends AdmissionCheckRule> checks);

    /** Replaces the admission checks added so far. */
    @CanIgnoreReturnValue
    public abstract Builder admissionChecks(Iterable<? extends AdmissionCheckRule> checks);

    /** Replaces the resource groups added so far. */
    @CanIgnoreReturnValue
    public abstract Builder resourceGroups(Iterable<? extends ResourceGroup> groups);

    /** Sets the stop policy. */
    @CanIgnoreReturnValue
    public abstract Builder stopPolicy(StopPolicy stopPolicy);

    /** Sets the weight. */
    @CanIgnoreReturnValue
    public abstract Builder fairSharing(FairSharing fairSharing);

    /** Sets whether past usage decides the order of the queue's LocalQueues. */
    @CanIgnoreReturnValue
    public abstract Builder admissionMode(AdmissionMode mode);

    /** Sets how workloads try all flavors of the queue at once. */
    @CanIgnoreReturnValue
    public abstract Builder concurrentAdmissionPolicy(ConcurrentAdmissionPolicy policy);

    /** Sets or clears how workloads try all flavors of the queue at once. */
    @CanIgnoreReturnValue
    public abstract Builder concurrentAdmissionPolicy(
        Optional<? extends ConcurrentAdmissionPolicy> policy);

    /** Sets why the queue admits nothing whatever its specification says. */
    @CanIgnoreReturnValue
    public abstract Builder outage(Outage outage);

    /** Sets or clears why the queue admits nothing whatever its specification says. */
    @CanIgnoreReturnValue
    public abstract Builder outage(Optional<? extends Outage> outage);

    /** Copies every value that is set in {@code queue}; the others stay as they are. */
    @CanIgnoreReturnValue
    public abstract Builder from(ClusterQueue queue);

    /**
     * {@return the queue}
     *
     * @throws IllegalStateException if the name is missing
     */
    public abstract ClusterQueue build();
  }
}
