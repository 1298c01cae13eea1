package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;

/**
 * A step that was played, and what came of it.
 *
 * @param step the step
 * @param outcome what the engine answered
 * @param after what the engine looked like afterwards
 */
public record PlayedStep(Step step, StepOutcome outcome, Observation after) {
  /** {@return what was newly admitted in this step, in the order of admission} */
  ImmutableList<Admission> admitted() {
    if (outcome instanceof StepOutcome.Decided decided) {
      return decided.decision().admission().stream().collect(ImmutableList.toImmutableList());
    }
    return outcome instanceof StepOutcome.Cycled cycled
        ? cycled.decisions().admitted()
        : ImmutableList.of();
  }

  /** {@return who was told to stop, or named as victim of a trial that tells its victims} */
  ImmutableList<Eviction> evictions() {
    if (outcome instanceof StepOutcome.Decided decided
        && step instanceof Step.TryAdmit tryAdmit
        && tryAdmit.evictVictims()) {
      return decided.decision().victims();
    }
    return outcome instanceof StepOutcome.Cycled cycled
        ? cycled.decisions().evictions()
        : ImmutableList.of();
  }
}
