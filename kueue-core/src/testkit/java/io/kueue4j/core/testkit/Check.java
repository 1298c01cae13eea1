package io.kueue4j.core.testkit;

import com.google.errorprone.annotations.Immutable;
import java.util.List;

/** How an invariant is checked. Both methods return violations, with amounts. */
@Immutable
interface Check {
  /** Checks what is visible after a step. */
  default List<String> afterStep(Moment moment) {
    return List.of();
  }

  /** Checks what is visible only by replaying the scenario and continuing it. */
  default List<String> atEnd(Trial trial) {
    return List.of();
  }

  /** A check of single steps. */
  @FunctionalInterface
  @Immutable
  interface OfSteps extends Check {
    @Override
    List<String> afterStep(Moment moment);
  }

  /** A check of whole scenarios. */
  @FunctionalInterface
  @Immutable
  interface OfScenarios extends Check {
    @Override
    List<String> atEnd(Trial trial);
  }
}
