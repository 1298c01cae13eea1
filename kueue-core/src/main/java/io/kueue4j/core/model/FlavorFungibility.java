package io.kueue4j.core.model;

import java.util.Optional;

/**
 * When the walk over the flavors of a resource group goes on although the flavor at hand could be
 * had.
 *
 * <p>Kueue: {@code ClusterQueue.spec.flavorFungibility}. Rules: M-8, M-11, F-20, F-21.
 *
 * @param whenCanBorrow what to do with a flavor that fits by borrowing
 * @param whenCanPreempt what to do with a flavor that fits after preemption
 * @param preference which of several such flavors is better; absent means
 *     {@link Preference#BORROWING_OVER_PREEMPTION}
 */
public record FlavorFungibility(
    Policy whenCanBorrow, Policy whenCanPreempt, Optional<Preference> preference) {
  /** The default: take the first flavor that fits by borrowing, look further before preempting. */
  public static final FlavorFungibility DEFAULT =
      new FlavorFungibility(Policy.MAY_STOP_SEARCH, Policy.TRY_NEXT_FLAVOR, Optional.empty());

  /** Whether the walk goes on. */
  public enum Policy {
    /** The flavor is taken. */
    MAY_STOP_SEARCH("MayStopSearch"),
    /** The flavor is remembered and the next one looked at. */
    TRY_NEXT_FLAVOR("TryNextFlavor");

    private final String text;

    Policy(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** Which flavor is better when none fits without borrowing or preemption. */
  public enum Preference {
    /** One that is borrowed. */
    BORROWING_OVER_PREEMPTION("BorrowingOverPreemption"),
    /** One that is freed by preemption. */
    PREEMPTION_OVER_BORROWING("PreemptionOverBorrowing");

    private final String text;

    Preference(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }
}
