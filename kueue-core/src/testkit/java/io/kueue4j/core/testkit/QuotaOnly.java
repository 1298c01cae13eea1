package io.kueue4j.core.testkit;

import io.kueue4j.core.model.ResourceFlavor;
import java.util.List;
import java.util.stream.Stream;

/**
 * A check that applies only if no flavor has a topology, because it computes quota alone.
 *
 * @param check the check
 */
record QuotaOnly(Check check) implements Check {
  @Override
  public List<String> afterStep(Moment moment) {
    return moment.before().hasTopologies() ? List.of() : check.afterStep(moment);
  }

  @Override
  public List<String> atEnd(Trial trial) {
    boolean hasTopologies = trial.scenario().steps().stream()
        .flatMap(
            step -> step instanceof Step.Apply apply ? apply.objects().stream() : Stream.empty())
        .anyMatch(object ->
            object instanceof ResourceFlavor flavor && flavor.topologyName().isPresent());
    return hasTopologies ? List.of() : check.atEnd(trial);
  }
}
