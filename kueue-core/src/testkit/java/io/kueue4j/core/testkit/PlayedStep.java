package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Set;

/**
 * A played step and its result.
 *
 * @param step the step
 * @param outcome the answer of the engine
 * @param after the state of the engine afterwards
 */
public record PlayedStep(Step step, StepOutcome outcome, Observation after) {
  /** {@return the new admissions of this step, in order} */
  List<Admission> admitted() {
    if (outcome instanceof StepOutcome.Decided decided) {
      return decided.decision().admission().stream().collect(ImmutableList.toImmutableList());
    }
    return outcome instanceof StepOutcome.Cycled cycled
        ? cycled.decisions().admitted()
        : ImmutableList.of();
  }

  /** {@return the admissions with pods moved off failed nodes in this step} */
  List<Admission> replaced() {
    return outcome instanceof StepOutcome.Cycled cycled
        ? cycled.decisions().replaced()
        : ImmutableList.of();
  }

  /** {@return the workloads evicted because of failed nodes} */
  Set<WorkloadId> stopped() {
    if (step instanceof Step.TellOfNode tell) {
      boolean hasToStop =
          tell.failed() && outcome instanceof StepOutcome.Answered answered && answered.yes();
      return hasToStop ? ImmutableSet.of(tell.workload()) : ImmutableSet.of();
    }
    return outcome instanceof StepOutcome.Cycled cycled
        ? cycled.decisions().stopped()
        : ImmutableSet.of();
  }

  /** {@return the evictions, including the victims of a trial that evicts its victims} */
  List<ObservedPreemption> evictions() {
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
