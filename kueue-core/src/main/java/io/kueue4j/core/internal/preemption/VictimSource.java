package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.flavor.Assignment;
import io.kueue4j.core.internal.flavor.PreemptionOracle;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Finds victims for one workload in one state: for single flavors during the search for flavors,
 * then for a whole assignment.
 */
public interface VictimSource extends PreemptionOracle {
  /**
   * {@return the victims whose preemption makes {@code assignment} fit, empty if no set of
   * candidates suffices}
   *
   * @param fitsOtherwise whether the assignment fits apart from quota, in the trial state;
   *     evaluated only when the quota suffices (T-71)
   */
  List<Victim> find(Assignment assignment, BooleanSupplier fitsOtherwise);
}
