package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;

/**
 * A played step, with the books before and after it.
 *
 * @param before the books before the step
 * @param seenBefore the state of the engine before the step
 * @param played the step
 * @param after the books after it
 */
record Moment(Ledger before, Observation seenBefore, PlayedStep played, Ledger after) {
  /** {@return the new admissions of this step} */
  ImmutableList<Admission> admitted() {
    return played.admitted().stream()
        .filter(admission -> !before.holdsQuota(admission.workload()))
        .collect(toImmutableList());
  }
}
