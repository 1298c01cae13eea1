package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A group of queues and cohorts that share unused quota, with quota of its own if it likes.
 *
 * <p>A cohort that is only named, by a queue or by another cohort, exists without quota, limits and
 * parent.
 *
 * <p>Kueue: {@code Cohort.spec}. Rules: M-14, M-15, M-16.
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

  /** {@return the cohort above; it need not have been applied} */
  public abstract Optional<String> parent();

  /** {@return quotas of the cohort itself, shared by everything below} */
  public abstract ImmutableList<ResourceGroup> resourceGroups();

  /** {@return its weight among its siblings} */
  @Value.Default
  public FairSharing fairSharing() {
    return FairSharing.DEFAULT;
  }

  @Override
  public String key() {
    return "Cohort " + name();
  }

  /** Builds {@link Cohort}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets the cohort above. */
    @CanIgnoreReturnValue
    public abstract Builder parent(String parent);

    /** Sets or clears the cohort above. */
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

    /** Sets the resource groups, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder resourceGroups(Iterable<? extends ResourceGroup> groups);

    /** Adds what {@code cohort} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(Cohort cohort);

    /** {@return the cohort} */
    public abstract Cohort build();
  }
}
