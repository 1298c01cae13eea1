package io.kueue4j.examples.conformance;

import java.util.Optional;

/**
 * Whether the engine decided as Kueue did.
 *
 * @param suite the suite of the scenario
 * @param name the name of the scenario
 * @param difference the first difference in words, absent if there is none
 */
public record ScenarioResult(String suite, String name, Optional<String> difference) {
  /** {@return whether every decision was the same} */
  public boolean agrees() {
    return difference.isEmpty();
  }
}
