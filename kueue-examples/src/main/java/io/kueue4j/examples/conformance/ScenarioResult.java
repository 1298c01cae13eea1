package io.kueue4j.examples.conformance;

import java.util.Optional;

/**
 * Whether the engine decided like Kueue.
 *
 * @param suite the suite of the scenario
 * @param name the name of the scenario
 * @param verdict the verdict
 * @param explanation the first difference, or why the scenario was rejected, in lines; empty
 *     otherwise
 */
public record ScenarioResult(
    String suite, String name, Verdict verdict, Optional<String> explanation) {

  /** The verdict. */
  public enum Verdict {
    /** Every decision was the same. */
    AGREES,
    /** Some decision differs. */
    DIFFERS,
    /** The engine rejects the scenario as invalid, so nothing was compared. */
    REFUSED,
    /** Kueue has no decisions to compare with: it crashed, or was not run. */
    UNRECORDED
  }

  static ScenarioResult agreeing(String suite, String name) {
    return new ScenarioResult(suite, name, Verdict.AGREES, Optional.empty());
  }

  static ScenarioResult differing(String suite, String name, String difference) {
    return new ScenarioResult(suite, name, Verdict.DIFFERS, Optional.of(difference));
  }

  static ScenarioResult refused(String suite, String name, String reason) {
    return new ScenarioResult(suite, name, Verdict.REFUSED, Optional.of(reason));
  }

  static ScenarioResult unrecorded(String suite, String name) {
    return new ScenarioResult(suite, name, Verdict.UNRECORDED, Optional.empty());
  }

  /** {@return whether every decision was the same} */
  public boolean agrees() {
    return verdict == Verdict.AGREES;
  }

  /** {@return a description of the first difference, empty if there is none} */
  public Optional<String> difference() {
    return verdict == Verdict.DIFFERS ? explanation : Optional.empty();
  }
}
