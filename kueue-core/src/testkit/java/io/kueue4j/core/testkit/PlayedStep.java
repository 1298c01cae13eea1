package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;

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

  /** {@return the admissions of which pods moved off failed nodes in this step} */
  ImmutableList<Admission> replaced() {
    return outcome instanceof StepOutcome.Cycled cycled
        ? cycled.decisions().replaced()
        : ImmutableList.of();
  }

  /** {@return the workloads evicted because of failed nodes} */
  ImmutableSet<WorkloadId> stopped() {
    if (step instanceof Step.TellOfNode tell) {
      boolean hasToStop =
          tell.failed() && outcome instanceof StepOutcome.Answered answered && answered.yes();
      return hasToStop ? ImmutableSet.of(tell.workload()) : ImmutableSet.of();
    }
    return outcome instanceof StepOutcome.Cycled cycled
        ? cycled.decisions().stopped()
        : ImmutableSet.of();
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
