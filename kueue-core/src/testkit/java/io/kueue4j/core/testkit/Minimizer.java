package io.kueue4j.core.testkit;

import java.util.Optional;

/** Reduces failing scenarios, as long as they fail for the same cause. */
final class Minimizer {
  private Minimizer() {}

  static HarnessFailure minimize(HarnessFailure failure, ScenarioCheck check) {
    ScenarioCheck same = check.only(failure.cause());
    HarnessFailure smallest = cut(failure, same);
    Optional<HarnessFailure> smaller = smaller(smallest, same);
    while (smaller.isPresent()) {
      smallest = smaller.get();
      smaller = smaller(smallest, same);
    }
    return smallest;
  }

  /** {@return the failure without later steps, if it is the same without them} */
  private static HarnessFailure cut(HarnessFailure failure, ScenarioCheck check) {
    int end = failure.step() + 1;
    int size = failure.scenario().steps().size();
    return end >= size
        ? failure
        : fails(failure.scenario().without(end, size - end), failure, check).orElse(failure);
  }

  private static Optional<HarnessFailure> smaller(HarnessFailure failure, ScenarioCheck check) {
    return Reductions.of(failure.scenario())
        .flatMap(scenario -> fails(scenario, failure, check).stream())
        .findFirst();
  }

  private static Optional<HarnessFailure> fails(
      Scenario scenario, HarnessFailure failure, ScenarioCheck check) {
    return check.check(scenario).filter(other -> other.cause().equals(failure.cause()));
  }
}
