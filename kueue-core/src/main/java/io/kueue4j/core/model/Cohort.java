package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A group of ClusterQueues and cohorts that share unused quota, optionally with its own quota.
 *
 * <p>A cohort that a queue or another cohort names exists even if no Cohort object was applied; it
 * then has no quota, limits or parent.
 *
 * <p>Kueue: {@code Cohort.spec}. Rules: M-14, M-15, M-16.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract non-sealed class Cohort implements ConfigObject {
  Cohort() {}

  /** {@return a new builder; {@code name} is required} */
  public static Builder builder() {
    return ImmutableCohort.builder();
  }

  /** {@return the name} */
  public abstract String name();

  /** {@return the parent cohort; it need not have been applied} */
  public abstract Optional<String> parent();

  /** {@return the cohort's own quotas, shared by everything below it} */
  public abstract ImmutableList<ResourceGroup> resourceGroups();

  /** {@return the weight of the cohort among its siblings in fair sharing; 1 by default} */
  @Value.Default
  public FairSharing fairSharing() {
    return FairSharing.DEFAULT;
  }

  @Override
  public String key() {
    return "Cohort " + name();
  }

  /** Builds {@link Cohort}s; reusable, not thread-safe. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets the parent cohort. */
    @CanIgnoreReturnValue
    public abstract Builder parent(String parent);

    /** Sets or clears the parent cohort. */
    @CanIgnoreReturnValue
    public abstract Builder parent(Optional<String> parent);

    /** Adds resource groups. */
    @CanIgnoreReturnValue
    public abstract Builder addResourceGroups(ResourceGroup... groups);

    /** Adds resource groups. */
    @CanIgnoreReturnValue
    public abstract Builder addAllResourceGroups(Iterable<? extends ResourceGroup> groups);

    /** Sets the weight. */
    @CanIgnoreReturnValue
    public abstract Builder fairSharing(FairSharing fairSharing);

    /** Replaces the resource groups added so far. */
    @CanIgnoreReturnValue
    public abstract Builder resourceGroups(Iterable<? extends ResourceGroup> groups);

    /** Copies every value that is set in {@code cohort}; the others stay as they are. */
    @CanIgnoreReturnValue
    public abstract Builder from(Cohort cohort);

    /**
     * {@return the cohort}
     *
     * @throws IllegalStateException if the name is missing
     */
    public abstract Cohort build();
  }
}
