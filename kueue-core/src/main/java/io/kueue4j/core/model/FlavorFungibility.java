package io.kueue4j.core.model;

import java.util.Optional;

/**
 * Whether the search for a flavor continues after a flavor that fits only by borrowing or
 * preemption.
 *
 * <p>Kueue: {@code ClusterQueue.spec.flavorFungibility}. Rules: M-8, M-11, F-20, F-21.
 *
 * @param whenCanBorrow what to do after a flavor that fits by borrowing
 * @param whenCanPreempt what to do after a flavor that fits by preemption
 * @param preference which of several such flavors is taken; absent means
 *     {@link Preference#BORROWING_OVER_PREEMPTION}
 * @since 0.1.0
 */
public record FlavorFungibility(
    Policy whenCanBorrow, Policy whenCanPreempt, Optional<Preference> preference) {
  /**
   * The default: take the first flavor that fits by borrowing, try the next flavors before
   * preempting.
   */
  public static final FlavorFungibility DEFAULT =
      new FlavorFungibility(Policy.MAY_STOP_SEARCH, Policy.TRY_NEXT_FLAVOR, Optional.empty());

  /** Whether the search continues. */
  public enum Policy {
    /** Take this flavor. */
    MAY_STOP_SEARCH("MayStopSearch"),
    /** Try the next flavors, and return to this one if none is better. */
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

  /** Which flavor is taken when none fits without borrowing or preemption. */
  public enum Preference {
    /** One that fits by borrowing. */
    BORROWING_OVER_PREEMPTION("BorrowingOverPreemption"),
    /** One that fits by preemption. */
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
