package io.kueue4j.core.model;

import java.util.List;
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
    return new Builder();
  }

  /** {@return the name} */
  public abstract String name();

  /** {@return the parent cohort; it need not have been applied} */
  public abstract Optional<String> parent();

  /** {@return the cohort's own quotas, shared by everything below it} */
  public abstract List<ResourceGroup> resourceGroups();

  /**
   * {@return the weight of the cohort among its siblings in fair sharing; 1 by default. With weight
   * 0 it gets unused quota only when nothing else wants it}
   */
  @Value.Default
  public double fairSharingWeight() {
    return 1;
  }

  @Override
  public String key() {
    return "Cohort " + name();
  }

  /** Builds {@link Cohort}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableCohort.Builder {
    Builder() {}
  }
}
