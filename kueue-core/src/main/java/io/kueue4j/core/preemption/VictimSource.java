package io.kueue4j.core.preemption;

import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.PreemptionOracle;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Finds victims for one workload in one state: for single flavors first, then for a whole
 * assignment.
 */
public interface VictimSource extends PreemptionOracle {
  /**
   * {@return whom to preempt so that {@code assignment} fits, empty if nothing suffices}
   *
   * @param fitsOtherwise tells whether it fits apart from quota, in the state on trial; asked only
   *     when the quota suffices (T-71)
   */
  List<Victim> find(Assignment assignment, BooleanSupplier fitsOtherwise);
}
