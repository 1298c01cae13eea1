package io.kueue4j.core.preemption;

import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.PreemptionOracle;
import java.util.List;

/**
 * Finds victims for one workload in one state: for single flavors first, then for a whole
 * assignment.
 */
public interface VictimSource extends PreemptionOracle {
  /** {@return whom to preempt so that {@code assignment} fits, empty if nothing suffices} */
  List<Victim> find(Assignment assignment);
}
