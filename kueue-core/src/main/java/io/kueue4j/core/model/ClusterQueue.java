package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A pool of quotas and the policies of its use.
 *
 * <p>The defaults are those of Kueue's API, so a queue without a {@link #namespaceSelector()}
 * admits nothing.
 *
 * <p>Kueue: {@code ClusterQueue.spec}. Rules: M-11 and section 2.2 of the rule index.
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

  /** {@return the cohort that it shares unused quota in; the Cohort need not have been applied} */
  public abstract Optional<String> cohort();

  /** {@return the quotas; every resource and every flavor stands in one group at most} */
  public abstract ImmutableList<ResourceGroup> resourceGroups();

  /** {@return what happens when the first workload does not fit} */
  @Value.Default
  public QueueingStrategy queueingStrategy() {
    return QueueingStrategy.BEST_EFFORT_FIFO;
  }

  /** {@return the namespaces that may use it; absent matches none} */
  public abstract Optional<LabelSelector> namespaceSelector();

  /** {@return how a flavor is chosen when none fits as it is} */
  @Value.Default
  public FlavorFungibility flavorFungibility() {
    return FlavorFungibility.DEFAULT;
  }

  /** {@return whom its workloads may preempt} */
  @Value.Default
  public Preemption preemption() {
    return Preemption.NEVER;
  }

  /** {@return the checks that its workloads must pass between quota reservation and admission} */
  public abstract ImmutableList<AdmissionCheckRule> admissionChecks();

  /** {@return whether it takes part} */
  @Value.Default
  public StopPolicy stopPolicy() {
    return StopPolicy.NONE;
  }

  /** {@return its weight} */
  @Value.Default
  public FairSharing fairSharing() {
    return FairSharing.DEFAULT;
  }

  /** {@return whether its LocalQueues are served by what they have used} */
  @Value.Default
  public AdmissionMode admissionMode() {
    return AdmissionMode.NO_ADMISSION_FAIR_SHARING;
  }

  /** {@return whether its workloads try all flavors at a time, absent for one after another} */
  public abstract Optional<ConcurrentAdmissionPolicy> concurrentAdmissionPolicy();

  @Override
  public String key() {
    return "ClusterQueue " + name();
  }

  /** Builds {@link ClusterQueue}s; reusable, not safe for several threads. */
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

    /** Sets the admission checks, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder admissionChecks(Iterable<? extends AdmissionCheckRule> checks);

    /** Sets the resource groups, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder resourceGroups(Iterable<? extends ResourceGroup> groups);

    /** Sets the stop policy. */
    @CanIgnoreReturnValue
    public abstract Builder stopPolicy(StopPolicy stopPolicy);

    /** Sets the weight. */
    @CanIgnoreReturnValue
    public abstract Builder fairSharing(FairSharing fairSharing);

    /** Sets whether its LocalQueues are served by what they have used. */
    @CanIgnoreReturnValue
    public abstract Builder admissionMode(AdmissionMode mode);

    /** Sets that its workloads try all flavors at a time. */
    @CanIgnoreReturnValue
    public abstract Builder concurrentAdmissionPolicy(ConcurrentAdmissionPolicy policy);

    /** Sets or clears whether its workloads try all flavors at a time. */
    @CanIgnoreReturnValue
    public abstract Builder concurrentAdmissionPolicy(
        Optional<? extends ConcurrentAdmissionPolicy> policy);

    /** Adds what {@code queue} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(ClusterQueue queue);

    /** {@return the queue} */
    public abstract ClusterQueue build();
  }
}
