package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;

/**
 * A step that was played, with the books before and after it.
 *
 * @param before the books before the step
 * @param seenBefore what the engine looked like before the step
 * @param played the step
 * @param after the books after it
 */
record Moment(Ledger before, Observation seenBefore, PlayedStep played, Ledger after) {
  /** {@return what was admitted in this step and not before} */
  ImmutableList<Admission> admitted() {
    return played.admitted().stream()
        .filter(admission -> !before.holdsQuota(admission.workload()))
        .collect(toImmutableList());
  }
}
