package io.kueue4j.core.testkit;

import com.google.errorprone.annotations.Immutable;
import java.util.List;

/** How an invariant is checked. Both ways say what is wrong, in words and figures. */
@Immutable
interface Check {
  /** Checks what can be seen from a step. */
  default List<String> afterStep(Moment moment) {
    return List.of();
  }

  /** Checks what can be seen only by playing the scenario again and going on from there. */
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
