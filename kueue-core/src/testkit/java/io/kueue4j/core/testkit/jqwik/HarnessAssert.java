package io.kueue4j.core.testkit.jqwik;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.core.testkit.HarnessRun;
import io.kueue4j.core.testkit.Invariant;
import io.kueue4j.core.testkit.Scenario;

/**
 * The body of a property of an engine: plays a scenario step by step, checks the invariants after
 * each, compares with another engine if there is one, and fails with the line that reproduces the
 * failure. Not thread-safe.
 */
public final class HarnessAssert {
  private final HarnessRun run;

  private HarnessAssert(HarnessRun run) {
    this.run = run;
  }

  /** {@return an assertion for engines created by {@code factory}} */
  public static HarnessAssert of(EngineUnderTest.Factory factory) {
    return new HarnessAssert(HarnessRun.of(factory));
  }

  /** Compares with engines created by {@code reference}, after each step. */
  @CanIgnoreReturnValue
  public HarnessAssert against(EngineUnderTest.Factory reference) {
    run.against(reference);
    return this;
  }

  /** Sets the invariants to check; by default those that Kueue satisfies. */
  @CanIgnoreReturnValue
  public HarnessAssert invariants(Iterable<Invariant> invariants) {
    run.invariants(invariants);
    return this;
  }

  /**
   * Plays a scenario.
   *
   * @throws AssertionError if there is a failure; the message ends with the scenario in one line
   */
  public void holdsIn(Scenario scenario) {
    run.play(scenario).ifPresent(failure -> {
      throw new AssertionError(failure.toString());
    });
  }
}
