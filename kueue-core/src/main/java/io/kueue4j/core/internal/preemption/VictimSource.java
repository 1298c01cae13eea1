package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.flavor.PreemptionOracle;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds victims for one workload in one state: for single flavors during the search for flavors,
 * then for a whole assignment.
 */
public interface VictimSource extends PreemptionOracle {
  /** Creates the source for a preemptor. */
  interface Factory {
    /**
     * {@return the source of victims for a preemptor}
     *
     * @param bounds the limits of preemption, null if there are none
     */
    VictimSource of(Preemptor preemptor, @Nullable PreemptionBounds bounds);
  }

  /**
   * {@return the victims whose preemption makes {@code assignment} fit, empty if no set of
   * candidates suffices}
   *
   * @param fitsOtherwise whether the assignment fits apart from quota, in the trial state;
   *     evaluated only when the quota suffices (T-71)
   */
  List<Victim> find(Assignment assignment, BooleanSupplier fitsOtherwise);

  /** {@return what the searches so far were refused, null without limits and strict settings} */
  default @Nullable Exemptions exemptions() {
    return null;
  }
}
